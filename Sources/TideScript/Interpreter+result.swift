import CLua
import TideGraph
import TideValue

extension Interpreter {
  /// What the script returned; nil if that was nothing, or nothing that can be a result, which is reported.
  func readResult(_ body: LuaStack, _ count: Int32, _ declarer: Declarer) -> Plan.Result? {
    guard count > 0, !(count == 1 && body.isNone(at: -1)) else { return nil }
    let location = declarer.returnLocation
    func report(_ code: Diagnostic.Code, _ message: String, help: String? = nil) -> Plan.Result {
      declarer.builder.report(Diagnostic(code, message, at: location, help: help))
      return .expression(.literal(.null))
    }
    let help = "return the handle of the node whose value is the result, or a table of handles"
    guard count == 1 else { return report(.wrongType, "the script returns \(count) values", help: help) }
    if body.handle(at: -1) == nil, body.type(at: -1) != LUA_TTABLE {
      return report(.wrongType, "the script returns \(body.noun(at: -1)), where a handle is expected", help: help)
    }
    do throws(ScriptFault) {
      var reader = ArgumentReader(body, declarer, title: "the result")
      let result = try Interpreter.result(of: try reader.readValue())
      if result.hasHandle { return result }
      return report(.wrongType, "the script returns a table without a handle", help: help)
    } catch {
      return report(error.code, error.message, help: error.help)
    }
  }

  private static func result(of argument: Argument) throws(ScriptFault) -> Plan.Result {
    switch argument {
    case .value(let value): return .expression(.literal(value))
    case .expression(let expression): return .expression(expression)
    case .queue: throw ScriptFault(.wrongType, "the result holds a queue, which has no value")
    case .function:
      throw ScriptFault(.wrongType, "the result holds a function", help: "a function is run by a step")
    case .list(let items):
      var results: [Plan.Result] = []
      for item in items { results.append(try result(of: item)) }
      return .list(results)
    case .table(let entries):
      var results: [(key: String, value: Plan.Result)] = []
      for entry in entries { results.append((entry.key, try result(of: entry.value))) }
      return .table(results)
    }
  }
}

extension Plan.Result {
  /// Whether something of it is known only after a run.
  fileprivate var hasHandle: Bool {
    switch self {
    case .expression(let expression): expression.constant == nil
    case .list(let items): items.contains(where: \.hasHandle)
    case .table(let fields): fields.contains { $0.value.hasHandle }
    }
  }
}

extension Declarer {
  /// The script's last line that says `return`.
  var returnLocation: Location? {
    let lines = source.text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.reversed().lazy
      .map { Location(file: self.source.name, line: $0 + 1) }
      .first { self.builder.sources.pinpoint("return", at: $0).columns != nil }
  }
}
