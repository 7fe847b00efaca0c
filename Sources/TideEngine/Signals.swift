import TideGraph
import TideValue

/// How often each signal came, and what came with it last.
struct Signals {
  private(set) var came: [String: (count: Int, last: Value)] = [:]
  var haveEnded = false

  mutating func add(_ name: String, _ value: Value) {
    came[name] = ((came[name]?.count ?? 0) + 1, value)
  }
}

extension Runner {
  /// All that a signal node waits for has ended; only the outside is missing.
  func awaitSignal(_ node: NodeID) {
    holdBarriers(of: node)
    set(.awaitingSignal, of: node)
    countSignals(of: node)
  }

  func signalled(_ name: String, _ value: Value) {
    signals.add(name, value)
    for node in waitingForSignals where plan.nodes[node].name == name { countSignals(of: node) }
  }

  func signalsEnded() {
    signals.haveEnded = true
    for node in waitingForSignals { countSignals(of: node) }
  }

  private var waitingForSignals: [NodeID] {
    plan.signals.filter { node in
      if nodes[node].phase == .active, case .awaitingSignal? = activity(of: node) { true } else { false }
    }
  }

  private func countSignals(of node: NodeID) {
    guard case .signal(let spec) = plan.nodes[node].verb else { return }
    let (count, last) = signals.came[plan.nodes[node].name] ?? (0, .null)
    if count >= spec.count {
      end(node, .ok, value: last)
    } else if signals.haveEnded {
      fail(
        node,
        Failure(
          .signal, "was signalled \(count) of \(spec.count) times, and no signal can come any more",
          help: "say where signals come from: --signal \(plan.nodes[node].name) at the start, --signals FILE later on"))
    }
  }

  /// A length of time in seconds, or a text like "5s".
  func sleep(_ node: NodeID, _ length: Value) {
    guard let duration = Duration(length) else {
      return fail(
        node,
        Failure(
          .type, "can't sleep \(length.excerpt)",
          help: "give it a number of seconds, or a text like \"500ms\" or \"2m\""))
    }
    holdBarriers(of: node)
    set(.sleeping, of: node)
    let serial = nodes[node].nextSerial()
    withCourse(of: node) { course in
      course.pause = configuration.executor.after(duration) { [inbox] in inbox.post(.paused(node, serial: serial)) }
    }
  }
}
