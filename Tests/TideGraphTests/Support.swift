import TideValue

@testable import TideGraph

/// Declares nodes one a line, as a script would.
struct Script {
  var builder: PlanBuilder
  private let file: Int
  private var line = 0

  init(_ text: String = "", name: String = "a.lua") {
    var sources = Sources()
    file = sources.add(name: name, text: text)
    builder = PlanBuilder(sources: sources)
  }

  @discardableResult
  mutating func node(
    _ verb: String, _ name: String, _ inputs: [Argument] = [], _ options: KeyValuePairs<String, Argument> = [:],
    hasTable: Bool = true
  ) -> NodeID {
    if case .node(let node) = declare(verb, name, inputs, options, hasTable: hasTable) { return node }
    return NodeID(0)
  }

  mutating func declare(
    _ verb: String, _ name: String, _ inputs: [Argument] = [], _ options: KeyValuePairs<String, Argument> = [:],
    hasTable: Bool = true
  ) -> PlanBuilder.Declared {
    line += 1
    return builder.declare(
      Declaration(
        verb: verb, name: name, place: Place(file: file, line: line), inputs: inputs,
        options: options.map { Argument.Entry(key: $0.key, value: $0.value) }, hasTable: hasTable))
  }

  /// What is wrong so far: `line message (help)`.
  var complaints: [String] {
    builder.diagnostics.map { diagnostic in
      "\(diagnostic.location?.line ?? 0) \(diagnostic.message)" + (diagnostic.help.map { " (\($0))" } ?? "")
    }
  }

  func plan(_ result: NodeID...) throws -> Plan {
    try builder.finish(result: .list(result.map { .expression(.value(of: $0)) }))
  }

  func plan(_ result: Plan.Result) throws -> Plan { try builder.finish(result: result) }
}

extension Argument {
  static func text(_ text: String) -> Argument { .value(Value(text)) }
  static func number(_ number: Int) -> Argument { .value(Value(number)) }
  static func bool(_ flag: Bool) -> Argument { .value(Value(flag)) }
  static func node(_ node: NodeID) -> Argument { .expression(.value(of: node)) }
  static func url(_ parts: TextPart...) -> Argument { .expression(.text(parts)) }
  static func json(_ text: String) -> Argument { .value((try? Value.parse(text)) ?? .null) }
  static let run = Argument.function(FunctionID(0))
  static func fields(_ fields: KeyValuePairs<String, Argument>) -> Argument {
    .table(fields.map { Entry(key: $0.key, value: $0.value) })
  }
}

/// What nodes have said, by node.
struct Said: Answers {
  var values: [NodeID: Value] = [:]
  var responses: [NodeID: Value] = [:]
  var names: [NodeID: String] = [:]

  func value(of node: NodeID) -> Value { values[node] ?? .null }
  func response(of node: NodeID) -> Value { responses[node] ?? .null }
  func name(of node: NodeID) -> String { names[node] ?? "n\(node.index)" }
  func answer(_ question: Question, about node: NodeID) -> Value {
    switch question {
    case .ok: Value(values[node] != nil)
    case .failed: Value(values[node] == nil)
    case .value: value(of: node)
    case .error: .null
    }
  }
}

func value(_ json: String) throws -> Value { try Value.parse(json) }
