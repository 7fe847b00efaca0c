import TideValue

/// A regular expression as WireMock's mappings write it (Java's), as far as one in linear time can run it: no
/// back-references, no looking around, no flags.
struct Regexp: Sendable {
  let text: String
  private let expression: IRegexp

  /// - Throws: what in it is not supported.
  init(java text: String) throws(Unsupported) {
    var translation = Translation(text)
    guard let expression = IRegexp(try translation.translate()) else {
      throw Unsupported(reason: "is no regular expression, or too large a one")
    }
    self.text = text
    self.expression = expression
  }

  struct Unsupported: Error {
    let reason: String
  }

  /// Whether the whole text matches, as WireMock has it.
  func matches(_ text: String) -> Bool { expression.matches(text) }
}

/// From Java's syntax to that of RFC 9485.
private struct Translation {
  private var rest: ArraySlice<Unicode.Scalar>
  private var result = ""

  init(_ text: String) {
    rest = Array(text.unicodeScalars)[...]
  }

  private static let classes: [Unicode.Scalar: String] = [
    "d": "0-9", "w": "A-Za-z0-9_", "s": " \\t\\n\\r\u{B}\u{C}",
  ]

  mutating func translate() throws(Regexp.Unsupported) -> String {
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\\": try translateEscape()
      case "[": try translateClass()
      case "(": try openGroup()
      case "]": add("\\]")
      case "*", "+", "?":
        add(scalar)
        try endQuantifier()
      case "{":
        add(scalar)
        while let next = rest.popFirst() {
          add(next)
          if next == "}" { break }
        }
        try endQuantifier()
      default: add(scalar)
      }
    }
    return result
  }

  /// Lazy is as good as greedy where the whole text has to match.
  private mutating func endQuantifier() throws(Regexp.Unsupported) {
    if rest.first == "?" { rest.removeFirst() }
    if rest.first == "+" { throw Regexp.Unsupported(reason: "has a possessive quantifier, which is not supported") }
  }

  private mutating func openGroup() throws(Regexp.Unsupported) {
    add("(")
    guard rest.first == "?" else { return }
    rest.removeFirst()
    let kind = rest.popFirst()
    if kind == ":" { return }
    if kind == "<", let next = rest.first, next != "=", next != "!" {
      rest = rest.drop { $0 != ">" }.dropFirst()
      return
    }
    let shown = "(?" + (kind.map { String(Character($0)) } ?? "")
    throw Regexp.Unsupported(reason: "has a group '\(shown)', which is not supported")
  }

  private mutating func translateEscape() throws(Regexp.Unsupported) {
    guard let scalar = rest.popFirst() else { throw Regexp.Unsupported(reason: "ends with a backslash") }
    let lower = Character(scalar).lowercased().unicodeScalars.first ?? scalar
    if let members = Translation.classes[lower] {
      add(lower == scalar ? "[\(members)]" : "[^\(members)]")
    } else if let escape = try escaped(scalar) {
      add(escape)
    }
  }

  /// What an escape means that stands for one character or a category.
  private mutating func escaped(_ scalar: Unicode.Scalar) throws(Regexp.Unsupported) -> String? {
    if "nrt".unicodeScalars.contains(scalar) { return "\\\(scalar)" }
    if scalar == "p" || scalar == "P" { return "\\\(scalar)" + category() }
    if scalar == "f" { return "\u{C}" }
    let isLetterOrDigit = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    if isLetterOrDigit { throw Regexp.Unsupported(reason: "has '\\\(scalar)', which is not supported") }
    if scalar == "$" { return "[$]" }
    return "()*+-.?[\\]^{|}".unicodeScalars.contains(scalar) ? "\\\(scalar)" : "\(scalar)"
  }

  /// `{Lu}`, behind a `\p`.
  private mutating func category() -> String {
    guard let end = rest.firstIndex(of: "}"), rest.first == "{" else { return "" }
    defer { rest = rest[(end + 1)...] }
    return String(String.UnicodeScalarView(rest[...end]))
  }

  private mutating func translateClass() throws(Regexp.Unsupported) {
    add("[")
    if rest.first == "^" {
      rest.removeFirst()
      add("^")
    }
    while let scalar = rest.popFirst() {
      switch scalar {
      case "]":
        add("]")
        return
      case "[": throw Regexp.Unsupported(reason: "has a class within a class, which is not supported")
      case "&" where rest.first == "&":
        throw Regexp.Unsupported(reason: "has '&&' in a class, which is not supported")
      case "\\": try translateMember()
      default: add(scalar)
      }
    }
    throw Regexp.Unsupported(reason: "has a class that is not closed")
  }

  private mutating func translateMember() throws(Regexp.Unsupported) {
    guard let scalar = rest.popFirst() else { throw Regexp.Unsupported(reason: "ends with a backslash") }
    if let members = Translation.classes[scalar] {
      add(members)
      // What follows a class is no range.
      if rest.first == "-", rest.dropFirst().first != "]" {
        rest.removeFirst()
        add("\\-")
      }
    } else if "DWS".unicodeScalars.contains(scalar) {
      throw Regexp.Unsupported(reason: "has '\\\(scalar)' in a class, which is not supported")
    } else if scalar == "$" {
      add("$")
    } else if let escape = try escaped(scalar) {
      add(escape)
    }
  }

  private mutating func add(_ text: String) { result += text }
  private mutating func add(_ scalar: Unicode.Scalar) { result.unicodeScalars.append(scalar) }
}
