import TideBarrier
import TideGraph

/// What a run is made of: who sends, who runs steps, who gives threads and time, who listens.
public struct RunConfiguration: Sendable {
  public var executor: any Executor
  public var transport: any Transport
  public var stepRunner: any StepRunner
  /// Where `file` nodes read.
  public var files: any FileSource = NoFiles()
  public var sinks: [any EventSink] = []
  /// After this long the run is stopped, and has failed.
  public var timeout: Duration?
  /// How many merges and sorts work at once.
  public var jobs = 2
  /// Requests in flight, for nodes without a queue of their own: in all, and to one origin.
  public var maximumRequests = 64
  public var maximumRequestsToOrigin = 16
  /// Of an `always` node that has no `deadline` of its own.
  public var cleanupLimit = Duration.seconds(30)
  /// Where the jitter of back-offs and made-up idempotency keys come from: the same seed gives the same ones, in whatever
  /// order things happen.
  public var seed: UInt64 = 0
  /// Nanoseconds since 1970 at the run's start: a run has one recorded clock.
  public var startedAt: Int64 = 0

  public init(executor: any Executor, transport: any Transport, stepRunner: any StepRunner) {
    self.executor = executor
    self.transport = transport
    self.stepRunner = stepRunner
  }
}
