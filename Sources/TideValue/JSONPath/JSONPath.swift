/// A JSONPath query (RFC 9535): segments, each of which takes a list of nodes to another.
struct JSONPath: Sendable, Hashable {
  var segments: [Segment]

  struct Segment: Sendable, Hashable {
    /// `..`: every descendant too.
    var isDescendant = false
    var selectors: [Selector]
  }

  indirect enum Selector: Sendable, Hashable {
    case name(String)
    case wildcard
    /// From the end if negative.
    case index(Int)
    case slice(start: Int?, end: Int?, step: Int)
    case filter(Condition)
  }

  /// A logical expression of a filter (section 2.3.5).
  indirect enum Condition: Sendable, Hashable {
    case or([Condition])
    case and([Condition])
    case not(Condition)
    case compare(Operand, Comparison, Operand)
    /// A query that finds something.
    case exists(Query)
    case matches(Operand, pattern: Operand, isWhole: Bool)
  }

  enum Comparison: Sendable, Hashable { case equal, unequal, less, lessOrEqual, greater, greaterOrEqual }

  /// What is compared: one value, or nothing.
  indirect enum Operand: Sendable, Hashable {
    case literal(Literal)
    /// Finds at most one node.
    case singular(Query)
    case length(Operand)
    case count(Query)
    case value(Query)
  }

  /// A query inside a filter, from the root (`$`) or from the node that is tested (`@`).
  struct Query: Sendable, Hashable {
    var isFromRoot: Bool
    var path: JSONPath
  }

  /// A value that hashes by its text.
  struct Literal: Sendable, Hashable {
    let value: Value

    func hash(into hasher: inout Hasher) { hasher.combine(value.kind) }
  }

  /// The names and indices of a query that can find at most one node (section 2.3.5.1); nil for any other.
  var steps: [Path.Step]? {
    var steps: [Path.Step] = []
    for segment in segments {
      guard !segment.isDescendant, segment.selectors.count == 1 else { return nil }
      switch segment.selectors[0] {
      case .name(let name): steps.append(.name(Array(name.utf8)))
      case .index(let index): steps.append(.index(index))
      case .wildcard, .slice, .filter: return nil
      }
    }
    return steps
  }

  var isSingular: Bool { steps != nil }
}
