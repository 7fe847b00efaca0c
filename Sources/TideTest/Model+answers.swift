import TideEngine
import TideGraph
import TideValue

extension Model: Answers {
  package func value(of node: NodeID) -> Value { values[node] ?? .null }
  package func response(of node: NodeID) -> Value { responses[node] ?? .null }
  package func name(of node: NodeID) -> String { plan.nodes[node].name }

  package func answer(_ question: Question, about node: NodeID) -> Value {
    switch question {
    case .ok: return Value(outcome(of: node) == .ok)
    case .failed: return Value(outcome(of: node).isFailure)
    case .value: return value(of: node)
    case .error:
      guard outcome(of: node).isFailure else { return .null }
      // Its text is the engine's, which is compared by its kind alone.
      guard let failure = failures[node], let said = run.report?.failure(of: node) else {
        return .object([
          ("kind", Value("blocked")), ("message", Value("something it needs failed")), ("status", .null),
          ("body", .null), ("attempts", Value(0)),
        ])
      }
      return .object([
        ("kind", Value(failure.kind.description)), ("message", Value(said.message)),
        ("status", failure.status.map { Value($0) } ?? .null), ("body", failure.body ?? .null),
        ("attempts", Value(failure.attempts)),
      ])
    }
  }
}
