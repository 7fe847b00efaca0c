import TideGraph
import TideReport
import Tidegate

/// Prints what the script logs as it happens, and keeps the record of the run.
final class RunSink: EventSink {
  private let plan: Plan
  private let state: Locked<RunRecord>

  init(of plan: Plan) {
    self.plan = plan
    state = Locked(RunRecord(of: plan))
  }

  /// What happened so far.
  var record: RunRecord { state.withLock { $0 } }

  func receive(_ events: [RunEvent]) {
    var lines = ""
    state.withLock { record in
      for event in events {
        // The record would keep every line for ever; here they are printed and gone.
        if case .log(let instance, let text) = event.kind {
          lines += line(instance, text)
        } else {
          record.take(event)
        }
      }
    }
    if !lines.isEmpty { Standard.error(lines) }
  }

  /// Each line of a text is marked with who says it.
  private func line(_ instance: Instance, _ text: String) -> String {
    let name = plan.nodes[instance.node].name
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { "[\(name)] \($0)\n" }.joined()
  }
}
