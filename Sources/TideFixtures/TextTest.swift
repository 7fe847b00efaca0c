import TideGraph
import TideValue

/// What a text has to be like.
indirect enum TextTest: Sendable {
  case equals(String)
  case equalsIgnoringCase(String)
  case like(Wildcard)
  case contains(String)
  case matches(Regexp)
  /// It is JSON, and of which this holds.
  case json(JSONTest)
  case not(TextTest)
  case all([TextTest])
  case any([TextTest])

  /// A value as Tidegate's own format writes it.
  init(value: String) {
    self = Wildcard(value: value).map { .like($0) } ?? .equals(Wildcard.literal(value))
  }

  func holds(for text: String) -> Bool {
    switch self {
    case .equals(let wanted): text.isIdentical(to: wanted)
    case .equalsIgnoringCase(let wanted): text.lowercased().isIdentical(to: wanted.lowercased())
    case .like(let wildcard): wildcard.matches(text)
    case .contains(let part): text.utf8.contains(part.utf8)
    case .matches(let pattern): pattern.matches(text)
    case .json(let test): (try? Value.parse(text)).map { test.differences(from: $0).isEmpty } ?? false
    case .not(let test): !test.holds(for: text)
    case .all(let tests): tests.allSatisfy { $0.holds(for: text) }
    case .any(let tests): tests.contains { $0.holds(for: text) }
    }
  }

  /// To be read after "wanted".
  var description: String {
    switch self {
    case .equals(let wanted): Value(wanted).excerpt
    case .equalsIgnoringCase(let wanted): "\(Value(wanted).excerpt) in any case"
    case .like(let wildcard): Value(wildcard.text).excerpt
    case .contains(let part): "one that contains \(Value(part).excerpt)"
    case .matches(let pattern): "one that matches \(Value(pattern.text).excerpt)"
    case .json(let test): test.description
    case .not(let test): "not \(test.description)"
    case .all(let tests): tests.map(\.description).joined(separator: " and ")
    case .any(let tests): tests.map(\.description).joined(separator: " or ")
    }
  }
}

/// What the values of a name have to be like: of a header, or of a pair of a query or a form.
struct FieldTest: Sendable {
  let name: String
  /// What at least one of the values has to be like; nil if there must be none.
  let test: TextTest?

  func holds(for values: [String]) -> Bool {
    guard let test else { return values.isEmpty }
    return values.contains { test.holds(for: $0) }
  }
}

/// Exactly these pairs, in any order.
struct ExpectedPairs: Sendable {
  private(set) var exact: [NamedText] = []
  private(set) var loose: [(name: String, wildcard: Wildcard)] = []

  /// Pairs whose values may have gaps.
  init(patterns pairs: [NamedText]) {
    for pair in pairs {
      if let wildcard = Wildcard(value: pair.value) {
        loose.append((pair.name, wildcard))
      } else {
        exact.append(NamedText(pair.name, Wildcard.literal(pair.value)))
      }
    }
    // The choosy ones first, so that a value is not used up by one that would take any.
    loose.sort { $0.wildcard.fixedCount > $1.wildcard.fixedCount }
  }

  /// Pairs that are what they are.
  init(exact pairs: [NamedText]) {
    exact = pairs
  }
}
