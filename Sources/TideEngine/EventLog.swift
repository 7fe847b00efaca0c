import TideBarrier
import TideGraph
import TideValue

/// What happens in a run, in batches, for its sinks. With no sink nothing is built. Secrets are taken out here, once, before
/// any sink.
struct EventLog {
  private let sinks: [any EventSink]
  private let executor: any Executor
  private let start: Instant
  private var batch: [RunEvent] = []
  private(set) var redactor = Redactor()
  private var time: Duration?

  init(sinks: [any EventSink], executor: any Executor, start: Instant) {
    self.sinks = sinks
    self.executor = executor
    self.start = start
  }

  mutating func add(_ kind: @autoclosure () -> RunEvent.Kind) {
    guard !sinks.isEmpty else { return }
    let time = time ?? start.duration(to: executor.now)
    self.time = time
    batch.append(RunEvent(time: time, kind: redactor.redacted(kind())))
  }

  /// Shows the texts of a value to nobody from now on.
  mutating func hide(_ value: Value, isGiven: Bool) {
    redactor.hide(value, isGiven: isGiven)
  }

  /// Hands the batch over; the next one gets a time stamp of its own.
  mutating func flush() {
    guard !batch.isEmpty else { return }
    for sink in sinks { sink.receive(batch) }
    batch.removeAll(keepingCapacity: true)
    time = nil
  }
}
