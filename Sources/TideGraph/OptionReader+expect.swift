import TideValue

extension OptionReader {
  /// `expect = { status =, body =, message = }`, or a function of the response.
  mutating func readExpectation() -> Expectation {
    var expectation = Expectation()
    switch argument("expect") {
    case nil: break
    case .function(let function)?: expectation.function = function
    case .table(let entries)?:
      for entry in entries {
        switch entry.key {
        case "status": expectation.statuses = statuses(entry.value, named: "expect.status", at: "status")
        case "body": expectation.body = condition(entry.value, named: "expect.body")
        case "message": expectation.message = messagePath(entry.value)
        default:
          let known = ["body", "message", "status"]
          complain(
            .unknownOption, "unknown option 'expect.\(entry.key)'", at: entry.key,
            help: didYouMean(entry.key, among: known) ?? "'expect' knows: \(known.joined(separator: ", "))")
        }
      }
    case .list(let items)? where items.isEmpty: break
    case let other?: mismatch("expect", "a table or a function", other)
    }
    return expectation
  }

  private mutating func messagePath(_ argument: Argument) -> Path? {
    guard case .value(let value) = argument, let text = value.string, let path = try? Path(text) else {
      mismatch("expect.message", "a path", argument)
      return nil
    }
    return path
  }

  /// `200`, `"2xx"`, or a list of these.
  mutating func statuses(_ argument: Argument, named name: String, at key: String) -> [ClosedRange<Int>] {
    switch argument {
    case .list(let items) where !items.isEmpty: return items.flatMap { statuses($0, named: name, at: key) }
    case .value(let value):
      if let number = value.int64, (100...599).contains(number) { return [Int(number)...Int(number)] }
      if let text = value.string, text.utf8.count == 3, text.hasSuffix("xx"), let digit = text.first?.wholeNumberValue,
        (1...5).contains(digit)
      {
        return [(digit * 100)...(digit * 100 + 99)]
      }
      complain(
        .badValue, "'\(name)' is \(value)", at: key,
        help: "write a status (200), a class (\"2xx\"), or a list of these")
    default: mismatch(key, "a status, a class like \"2xx\", or a list of these", argument)
    }
    return [200...299]
  }
}
