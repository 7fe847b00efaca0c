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

  private func errorValue(of node: NodeID) -> Value {
    guard let failure = failures[node] else {
      return .object([("kind", Value("blocked")), ("message", Value("something it needs failed"))])
    }
    return .object([
      ("kind", Value(failure.kind.description)), ("message", Value(failure.message)),
      ("status", failure.status.map { Value($0) } ?? .null), ("body", failure.body ?? .null), ("attempts", Value(1)),
    ])
  }
}
