import CLua
import TideGraph
import TideValue

/// What the table of a request that a step makes may hold: values, and a queue as its `queue`.
extension ArgumentReader {
  func functionInStep() -> ScriptFault {
    if keys.first == .field("expect") {
      return complain("is a function", help: "look at the value that tide.fetch returns")
    }
    return complain("is a function, where a value is expected", help: "call it: its value is what is sent")
  }

  func argumentInStep(of handle: clua_handle, _ interpreter: Interpreter) throws(ScriptFault) -> Argument {
    let title = interpreter.title(of: handle)
    guard handle.kind == HandleKind.queue.rawValue else {
      var fault = complain(
        "is the handle '\(title)', which has no value in a step",
        help: "give it to the step as an input: { \(title), run = function(v) ... end }")
      fault.code = .handleMisuse
      throw fault
    }
    guard keys == [.field("queue")] else {
      throw complain("is the queue '\(title)', which has no value", help: "write queue = \(title)")
    }
    return .queue(QueueID(Int(handle.index)))
  }

  /// The table on top, if it is a list or an object that the step has received and that is still as it came: what was
  /// never looked at is never read. It is sent byte for byte.
  ///
  /// - Throws: what is no value in it.
  func receivedTable() throws(ScriptFault) -> Argument? {
    guard case .step(let interpreter) = reader, clua_is_lazy(stack.pointer, -1) else { return nil }
    let value: Value
    if let untouched = interpreter.lent.untouched(stack, at: -1) {
      value = untouched
    } else {
      do throws(ConversionError) {
        value = try stack.value(at: -1, isVerbatim: true)
      } catch {
        throw complain("is no value: \(error.message)")
      }
    }
    guard case .field(let option)? = keys.first, !ArgumentReader.optionsOfValues.contains(option) else {
      return .value(value)
    }
    return Argument(structureOf: value)
  }

  /// Options that stand for a value as it is. The others are taken apart.
  private static let optionsOfValues: Set<String> = ["json", "form", "query", "headers", "body"]
}

extension Argument {
  /// A value as if it had been written in the script.
  fileprivate init(structureOf value: Value) {
    switch value.kind {
    case .array: self = .list(value.items.map { Argument(structureOf: $0) })
    case .object: self = .table(value.fields.map { Entry(key: $0.key, value: Argument(structureOf: $0.value)) })
    case .null, .boolean, .number, .string, .bytes: self = .value(value)
    }
  }
}
