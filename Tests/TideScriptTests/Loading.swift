import Foundation
import Testing
import TideBarrier
import TideFixtures
import TideGraph
import TideValue

@testable import TideScript

/// What a script printed.
final class Lines: Sendable {
  private let lines = Locked<[String]>([])

  var all: [String] { lines.withLock { $0 } }
  func append(_ line: String) { lines.withLock { $0.append(line) } }
}

/// A script under test: the text, with `local tide = require "tidegate"` before its first line, so that line 1 is line 1.
func load(
  _ text: String, folder: String? = nil, executor: any Executor = SimulatedExecutor(), lines: Lines = Lines(),
  limits: ScriptLimits = ScriptLimits()
) throws(Diagnostics) -> Script {
  try Script.load(
    name: "test.lua", text: "local tide = require \"tidegate\" " + text, folder: folder, executor: executor,
    output: { lines.append($0) }, limits: limits)
}

/// What is wrong with a script: `CODE place: message | help`.
func complaints(
  _ text: String, folder: String? = nil, limits: ScriptLimits = ScriptLimits()
) -> [String] {
  do {
    _ = try load(text, folder: folder, limits: limits)
    return []
  } catch {
    return error.all.map(\.line)
  }
}

extension Location {
  var shown: String { "\(file):\(line)" + (columns.map { ":\($0.lowerBound)-\($0.upperBound)" } ?? "") }
}

extension Diagnostic {
  var line: String {
    return "\(code) \(location.map(\.shown) ?? "?"): \(message)" + (help.map { " | \($0)" } ?? "")
  }
}

/// Runs the function of a script's only step.
struct Stage {
  let script: Script
  let executor = SimulatedExecutor()
  let lines = Lines()
  let network = Network()

  init(_ text: String, limits: ScriptLimits = ScriptLimits()) throws {
    script = try load(text, executor: executor, lines: lines, limits: limits)
  }

  /// A script that is one step with this function: `function(a, b) ... end`.
  init(step function: String, before: String = "", limits: ScriptLimits = ScriptLimits()) throws {
    try self.init("\(before) return tide.step \"s\" { run = \(function) }", limits: limits)
  }

  func function(of name: String) throws -> FunctionID {
    let node = try #require(script.plan.nodes.first { $0.name == name })
    guard case .step(let step) = node.verb else { throw Missing() }
    return step.function
  }

  struct Missing: Error {}

  func run(_ name: String = "s", _ arguments: Value...) throws -> Result<Value, Failure> {
    try run(name, arguments: arguments)
  }

  func run(_ name: String = "s", arguments: [Value]) throws -> Result<Value, Failure> {
    let started = try start(name, arguments: arguments)
    try executor.runUntilIdle()
    let all = started.results
    try #require(all.count == 1)
    return all[0]
  }

  /// Starts a step, which runs when the executor does.
  func start(_ name: String = "s", node: Int = 0, arguments: [Value] = []) throws -> Started {
    let results = Locked<[Result<Value, Failure>]>([])
    let run = script.run(try function(of: name), arguments: arguments, context: context(name, node: node)) { result in
      results.withLock { $0.append(result) }
    }
    return Started(run: run, outcome: results)
  }

  struct Started {
    let run: any Abortable
    let outcome: Locked<[Result<Value, Failure>]>

    var results: [Result<Value, Failure>] { outcome.withLock { $0 } }
    var said: [String] { results.map(\.said) }
  }

  func context(_ name: String, node: Int = 0) -> StepContext {
    StepContext(
      node: NodeID(node), name: name, location: Location(file: "test.lua", line: 1), wallClock: { 1_500_000_000 },
      log: { [lines] node, line in lines.append("\(node.index): \(line)") }, fetcher: network.fetcher)
  }

  /// The JSON that it returned, or `KIND place: message | help = body`.
  func say(_ name: String = "s", _ arguments: Value...) throws -> String {
    try run(name, arguments: arguments).said
  }
}

extension Result<Value, Failure> {
  var said: String {
    switch self {
    case .success(let value): return value.description
    case .failure(let failure):
      let place = failure.location.map(\.shown) ?? "?"
      return "\(failure.kind) \(place): \(failure.message)" + (failure.help.map { " | \($0)" } ?? "")
        + (failure.body.map { " = \($0)" } ?? "")
    }
  }
}

/// The value of a JSON text.
func json(_ text: String) throws -> Value { try Value.parse(text) }

/// Runs `function` with one JSON value.
func step(_ function: String, _ argument: String...) throws -> String {
  let stage = try Stage(step: function)
  return try stage.run(arguments: try argument.map { try json($0) }).said
}

extension Stage {
  /// The function of a node that is no step's body, and whether it is asked about each item of a list.
  func condition(of name: String) throws -> (FunctionID, isEach: Bool) {
    let node = try #require(script.plan.nodes.first { $0.name == name })
    if case .function(let function)? = node.options?.when?.condition { return (function, false) }
    switch node.verb {
    case .request(let request):
      if let function = request.expectation.function { return (function, false) }
    case .data(let data):
      if case .filter(.function(let function)) = data.operation { return (function, true) }
      if case .mapEach(let function) = data.operation { return (function, true) }
    default: break
    }
    throw Missing()
  }
}
