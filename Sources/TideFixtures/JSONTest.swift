import TideGraph
import TideValue

/// What a JSON body has to be like.
enum JSONTest: Sendable {
  /// The value, as far as the rule has it.
  case like(Value, JSONRule)
  /// What must stand at which path, as conditions have it everywhere.
  case conditions([(condition: Condition.Requirement, wanted: Value)])
  /// The path leads somewhere: to more than null, to at least one item; and where a test is given, to a text, or a value
  /// whose JSON is one, of which it holds.
  case finds(Path, TextTest?)

  func differences(from got: Value) -> [Difference] {
    switch self {
    case .like(let wanted, let rule): return jsonDifferences(wanted: wanted, got: got, rule)
    case .conditions(let conditions):
      return conditions.compactMap { condition, wanted in
        condition.complaint(about: got, wanted: wanted).map { Difference(path: "json", detail: $0) }
      }
    case .finds(let path, let test):
      guard let complaint = JSONTest.complaint(path, test, got) else { return [] }
      return [Difference(path: "json", detail: complaint)]
    }
  }

  var description: String {
    switch self {
    case .like(let wanted, _): wanted.excerpt
    case .conditions(let conditions): "JSON with \(conditions.map { "'\($0.condition.path)'" }.joined(separator: ", "))"
    case .finds(let path, _): "JSON with '\(path)'"
    }
  }

  private static func complaint(_ path: Path, _ test: TextTest?, _ got: Value) -> String? {
    let found: Value?
    do {
      found = try path.find(in: got)
    } catch {
      return "'\(path)' \(error.message)"
    }
    guard let found, !found.isNull, found.kind != .array || found[0] != nil else { return "'\(path)' finds nothing" }
    guard let test else { return nil }
    let texts = (found.kind == .array ? [found] + found.items : [found]).map(\.comparedText)
    if texts.contains(where: { test.holds(for: $0) }) { return nil }
    return "'\(path)' is \(found.excerpt), wanted \(test.description)"
  }
}

extension Value {
  /// A text as it is, anything else as JSON.
  fileprivate var comparedText: String { string ?? String(decoding: json(), as: UTF8.self) }
}

/// In what two JSON values may differ.
struct JSONRule: Sendable {
  /// Objects may have more fields, lists more items (behind the others, if their order counts).
  var allowsMore = false
  /// The items of lists may stand in any order.
  var ignoresOrder = false

  static let equal = JSONRule()
  static let subset = JSONRule(allowsMore: true)
}
