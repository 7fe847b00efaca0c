import TideFixtures
import TideHTTP
import TideScript

/// Runs workflows: as many as one likes, one after the other or at once. Any thread may use it.
///
/// ```swift
/// let engine = Engine()
/// let workflow = try Workflow(path: "shares.lua", executor: engine.executor)
/// let run = try engine.start(workflow, inputs: GivenInputs(inputs: ["uid": .text("7")]))
/// let report = await run.completion.value()
/// ```
///
/// It opens connections with the first request and keeps them; with its last reference they are closed.
public final class Engine: Sendable {
  /// Where its threads and its time come from.
  public let executor: any Executor
  /// Who sends its requests.
  public let transport: any Transport
  /// How many merges, sorts and other data verbs work at once. The steps of a script run one after the other.
  public let jobs: Int

  /// - Parameters:
  ///   - transport: the network if nil.
  ///   - jobs: one a core if nil; at least 1.
  public init(
    executor: any Executor = DispatchExecutor(), transport: (any Transport)? = nil, jobs: Int? = nil
  ) {
    self.executor = executor
    self.transport = transport ?? CurlTransport()
    self.jobs = max(1, jobs ?? availableCores())
  }

  /// An engine that answers requests from exchanges, and never touches the network.
  public convenience init(
    executor: any Executor = DispatchExecutor(), fixtures: Fixtures, jobs: Int? = nil
  ) {
    self.init(executor: executor, transport: FixtureTransport(fixtures, executor: executor), jobs: jobs)
  }

  /// Starts a workflow, and returns at once.
  ///
  /// - Parameters:
  ///   - inputs: what the script declares as its inputs and secrets, by name. A secret that is not among them is taken from
  ///     its environment variable.
  ///   - timeout: after this long the run is stopped, and has failed.
  ///   - sinks: who hears what happens. No secret reaches them.
  /// - Throws: inputs that are missing, of the wrong type, or not declared; then nothing was started.
  public func start(
    _ workflow: Workflow, inputs: GivenInputs = GivenInputs(), timeout: Duration? = nil, sinks: [any EventSink] = []
  ) throws(Diagnostics) -> Run {
    let values = try workflow.plan.bind(inputs, environment: environmentVariable)
    var configuration = RunConfiguration(executor: executor, transport: transport, stepRunner: workflow.script)
    configuration.files = workflow.files
    configuration.sinks = sinks
    configuration.timeout = timeout
    configuration.jobs = jobs
    configuration.seed = .random(in: .min ... .max)
    configuration.startedAt = wallClock()
    return Run.start(workflow.plan, inputs: values, configuration)
  }
}
