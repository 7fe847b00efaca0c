import TideGraph
import TideValue

extension Runner: Answers {
  func value(of node: NodeID) -> Value { values[node] }

  func response(of node: NodeID) -> Value { responses[node] ?? .null }

  func name(of node: NodeID) -> String { plan.nodes[node].name }

  func answer(_ question: Question, about node: NodeID) -> Value {
    let outcome = endings[node].outcome
    switch question {
    case .ok: return Value(outcome == .ok)
    case .failed: return Value(outcome.isFailure)
    case .value: return values[node]
    case .error: return outcome.isFailure ? errorValue(of: node) : .null
    }
  }

  /// A blocked node has no failure of its own, and which of several culprits came first must not show.
  private func errorValue(of node: NodeID) -> Value {
    let failure = failures[node] ?? Failure(.blocked, "something it needs failed")
    let attempts = failures[node]?.attempts ?? 0
    return .object([
      ("kind", Value(failure.kind.description)), ("message", Value(failure.message)),
      ("status", failure.status.map { Value($0) } ?? .null), ("body", failure.body ?? .null),
      ("attempts", Value(attempts)),
    ])
  }
}
