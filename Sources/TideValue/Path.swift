/// Where a value lies in another: names one after the other (`data.relation`), or a JSONPath (`$.data['relation'][0]`).
///
/// A dotted path is split at every dot and names fields only. A path that starts with `$` is a JSONPath (RFC 9535).
public struct Path: Sendable, Hashable, CustomStringConvertible {
  enum Step: Sendable, Hashable {
    /// The UTF-8 of a field's name.
    case name([UInt8])
    /// An item, from the end if negative.
    case index(Int)
  }

  enum Query: Sendable, Hashable {
    /// At most one value: RFC 9535, section 2.3.5.1.
    case singular([Step])
    /// Any number of values: always a list.
    case nodes(JSONPath)
  }

  /// The path as it was written.
  public let description: String
  let query: Query
  /// What a search with a JSONPath may cost.
  private let limit: JSONPathSearch.Limit

  /// - Throws: what is wrong with the path, and at which character.
  public init(_ text: String) throws(PathError) {
    try self.init(text, limit: JSONPathSearch.Limit())
  }

  init(_ text: String, limit: JSONPathSearch.Limit) throws(PathError) {
    description = text
    self.limit = limit
    if text.utf8.first == UInt8(ascii: "$") {
      var parser = JSONPathParser(text)
      let path = try parser.parse()
      query = path.steps.map { .singular($0) } ?? .nodes(path)
    } else {
      query = .singular(try Path.dotted(text))
    }
  }

  var isSingular: Bool {
    if case .singular = query { return true }
    return false
  }

  /// The value itself.
  static let root = Path(description: "$", query: .singular([]))

  private init(description: String, query: Query) {
    self.description = description
    self.query = query
    limit = JSONPathSearch.Limit()
  }

  private static func dotted(_ text: String) throws(PathError) -> [Step] {
    guard !text.isEmpty else { throw PathError(path: text, column: 1, message: "an empty path") }
    var steps: [Step] = []
    var column = 1
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard !part.isEmpty else {
        throw PathError(path: text, column: column, message: "an empty name between dots")
      }
      steps.append(.name(Array(part.utf8)))
      column += part.unicodeScalars.count + 1
    }
    return steps
  }

  /// The value that the path leads to; nil if there is none. A path that can lead to many gives a list, always.
  ///
  /// - Throws: that a path which can lead to many looks at more than 100,000,000 nodes, a text counting once more for
  ///   each 256 bytes, or finds more than 20,000,000: nested `..` multiply.
  public func find(in value: Value) throws(PathLimitError) -> Value? {
    let steps: [Step]
    switch query {
    case .singular(let singular): steps = singular
    case .nodes(let path):
      do {
        return .array(try path.nodes(in: value, limit: limit))
      } catch {
        throw PathLimitError(path: description, message: error.message)
      }
    }
    var value = value
    for step in steps {
      guard let next = Path.step(step, in: value) else { return nil }
      value = next
    }
    return value
  }

  static func step(_ step: Step, in value: Value) -> Value? {
    switch step {
    case .name(let name): name.withUnsafeBufferPointer { value.field($0) }
    case .index(let index): value[index < 0 ? index + value.count : index]
    }
  }

  /// Why the path leads to nothing, as in "'relation' is missing in an object with the fields code, message"; nil if it
  /// leads somewhere.
  public func missing(in value: Value) -> String? {
    guard case .singular(let steps) = query else { return nil }
    var value = value
    for step in steps {
      guard let next = Path.step(step, in: value) else { return Path.explain(step, in: value) }
      value = next
    }
    return nil
  }

  private static func explain(_ step: Step, in value: Value) -> String {
    let what =
      switch step {
      case .name(let name): "'\(String(decoding: name, as: UTF8.self))'"
      case .index(let index): "item \(index)"
      }
    switch value.kind {
    case .object:
      let names = value.fields.map { $0.key }
      if names.isEmpty { return "\(what) is missing in an empty object" }
      let shown = names.prefix(12).joined(separator: ", ") + (names.count > 12 ? ", and \(names.count - 12) more" : "")
      return "\(what) is missing in an object with the field\(names.count == 1 ? "" : "s") \(shown)"
    case .array:
      let count = value.count
      let size = count == 0 ? "an empty list" : "a list of \(count) item\(count == 1 ? "" : "s")"
      return "\(what) is missing in \(size)"
    default:
      return "\(what) is missing in \(value.kind.name)"
    }
  }
}

/// Why the search for what a path leads to was given up.
public struct PathLimitError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The path as it was written.
  public let path: String
  /// The limit, as in "finds more than 20,000,000 values, which is the limit".
  public let message: String

  public var description: String { "path '\(path)' \(message)" }
}

/// What is wrong with a path.
public struct PathError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The path as it was written.
  public let path: String
  /// The place in characters (code points), from 1.
  public let column: Int
  public let message: String

  public var description: String { "path '\(path)', column \(column): \(message)" }
}
