import TideGraph
import TideValue

/// Expressions as they read in plans.
struct ExpressionText {
  let plan: Plan

  /// The text of a URL: what is joined stands in braces. Long ones are cut.
  func url(_ expression: Expression) -> String {
    switch expression {
    case .literal(let value): value.string ?? value.excerpt
    case .text(let parts):
      parts.map { part in
        switch part {
        case .text(let text): text
        case .joined(let inner), .raw(let inner): "{\(handle(inner))}"
        }
      }.joined()
    default: "{\(handle(expression))}"
    }
  }

  /// A handle as the script writes it.
  func handle(_ expression: Expression) -> String {
    switch expression {
    case .literal(let value): value.excerpt
    case .value(let node): plan.nodes[node].name
    case .field(let inner, let key): "\(handle(inner)).\(key)"
    case .path(let inner, let path, _): "tide.path(\(handle(inner)), \(Value(path.description)))"
    case .response(let node): "tide.response(\(plan.nodes[node].name))"
    case .question(let question, let node): "tide.\(question.rawValue)(\(plan.nodes[node].name))"
    case .text: url(expression)
    case .list(let items): "{ \(items.map { handle($0) }.joined(separator: ", ")) }"
    case .object(let fields): "{ \(fields.map { "\($0.key) = \(handle($0.value))" }.joined(separator: ", ")) }"
    }
  }

  /// What a `when` asks.
  func when(_ when: When) -> String {
    switch when.condition {
    case nil: handle(when.subject)
    case .function?: "a function of \(handle(when.subject))"
    case .paths(let requirements)?:
      "\(handle(when.subject)) has "
        + requirements.map { "\($0.path) = \(handle($0.wanted))" }.joined(separator: ", ")
    }
  }
}
