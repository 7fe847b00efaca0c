import TideValue

/// What stands in a node's table, before anybody knows what it means. The script's side makes these; the readers of the
/// verbs take them apart.
public indirect enum Argument: Sendable {
  /// A text, a number, a boolean or null; or a list or object that was made as a value.
  case value(Value)
  /// A handle, or a text joined from handles.
  case expression(Expression)
  case queue(QueueID)
  case function(FunctionID)
  /// A table with the keys 1...n. A plain empty table is one, and serves as an object too.
  case list([Argument])
  /// A table with text keys, in byte order.
  case table([Entry])

  public struct Entry: Sendable {
    public let key: String
    public let value: Argument

    public init(key: String, value: Argument) {
      self.key = key
      self.value = value
    }
  }

  /// As it reads in a message.
  public var kindName: String {
    switch self {
    case .value(let value): value.kind.name
    case .expression: "a handle"
    case .queue: "a queue"
    case .function: "a function"
    case .list: "a list"
    case .table: "a table"
    }
  }

  /// What this stands for as a value of the run. Tables without a handle become one literal.
  ///
  /// - Throws: `ArgumentError` where a function or a queue stands inside.
  public func expression(at path: String = "") throws(ArgumentError) -> Expression {
    switch self {
    case .value(let value): return .literal(value)
    case .expression(let expression): return expression
    case .queue: throw ArgumentError(path: path, found: "a queue")
    case .function: throw ArgumentError(path: path, found: "a function")
    case .list(let items):
      var parts: [Expression] = []
      for (index, item) in items.enumerated() { parts.append(try item.expression(at: "\(path)[\(index + 1)]")) }
      let constants = parts.compactMap(\.constant)
      return constants.count == parts.count ? .literal(.array(constants)) : .list(parts)
    case .table(let entries):
      var fields: [Expression.Field] = []
      for entry in entries {
        let inner = path.isEmpty ? entry.key : "\(path).\(entry.key)"
        fields.append(Expression.Field(key: entry.key, value: try entry.value.expression(at: inner)))
      }
      let constants = fields.compactMap { field in field.value.constant.map { (key: field.key, value: $0) } }
      return constants.count == fields.count ? .literal(.object(constants)) : .object(fields)
    }
  }
}

/// Something that has no value stands where a value is wanted.
public struct ArgumentError: Error, Hashable {
  /// From the option's name on: `json.items[2]`.
  public let path: String
  public let found: String
}

/// One `tide.VERB "name" { ... }` of a script.
public struct Declaration: Sendable {
  public var verb: String
  public var name: String
  public var place: Place
  /// The array part.
  public var inputs: [Argument]
  /// The named part.
  public var options: [Argument.Entry]
  /// False for `tide.VERB "name"` without a table.
  public var hasTable: Bool

  public init(
    verb: String, name: String, place: Place, inputs: [Argument] = [], options: [Argument.Entry] = [],
    hasTable: Bool = true
  ) {
    self.verb = verb
    self.name = name
    self.place = place
    self.inputs = inputs
    self.options = options
    self.hasTable = hasTable
  }
}
