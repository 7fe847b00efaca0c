import TideGraph
import TideValue

extension ExchangeReader {
  mutating func readRequest(_ value: Value, at path: [JSONStep]) -> ExpectedRequest? {
    let known = ["body", "form", "headers", "json", "json_subset", "json_where", "method", "query", "url"]
    guard let fields = fields(of: value, at: path, known: known) else { return nil }
    let method = readMethod(fields["method"], at: path + [.key("method")])
    let headers = headers(fields["headers"], at: path + [.key("headers")])
    let body = readExpectedBody(fields, at: path)
    guard let url = fields["url"] else {
      complain(path, "'url' is missing")
      return nil
    }
    guard let text = text(url, at: path + [.key("url")]) else { return nil }
    guard let address = Address(text, isPattern: true) else {
      complain(
        path + [.key("url")], "is \(url.excerpt), which is no URL",
        help: "write https://host/path, or /path to match any origin")
      return nil
    }
    let query = readQuery(fields["query"], of: address, at: path + [.key("query")])
    return ExpectedRequest(
      method: method, origin: address.origin,
      path: readPath(address.path, at: path + [.key("url")]), query: query, body: body.map { [$0] } ?? [],
      headers: headers.map { FieldTest(name: $0.name, test: TextTest(value: $0.value)) })
  }

  /// A path with `{name}` or `*` in it is a pattern.
  mutating func readPath(_ text: String, at path: [JSONStep]) -> ExpectedRequest.Path {
    var isOpen = false
    for byte in text.utf8 where "{}".utf8.contains(byte) {
      if (byte == UInt8(ascii: "{")) == isOpen {
        complain(path, "has a brace without its partner", help: "a parameter is written {name}")
        break
      }
      isOpen.toggle()
    }
    if isOpen { complain(path, "has a brace without its partner", help: "a parameter is written {name}") }
    return Wildcard(path: text).map { .like($0) } ?? .equals(text)
  }

  private mutating func readMethod(_ value: Value?, at path: [JSONStep]) -> String? {
    guard let method = text(value, at: path) else { return "GET" }
    if method == "*" { return nil }
    if method.isEmpty || !method.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) {
      complain(path, "is \(Value(method).excerpt), which is no method", help: "write GET, POST, PUT, DELETE, ...")
    }
    return method
  }

  private mutating func readQuery(_ value: Value?, of address: Address, at path: [JSONStep]) -> ExpectedRequest.Query {
    guard let value else { return .pairs(ExpectedPairs(patterns: address.query)) }
    if value.bool == true {
      if address.hasQuery { complain(path, "allows any query, and the URL has one") }
      return .any
    }
    return .pairs(ExpectedPairs(patterns: address.query + pairs(value, at: path)))
  }

  private mutating func readExpectedBody(_ fields: [String: Value], at path: [JSONStep]) -> ExpectedRequest.Body? {
    let keys = ["form", "json", "json_subset", "json_where", "body"]
    guard let key = oneOf(keys, in: fields, at: path), let value = fields[key] else { return nil }
    switch key {
    case "form": return .form(ExpectedPairs(patterns: pairs(value, at: path + [.key(key)])))
    case "json": return .json(.like(value, .equal))
    case "json_subset": return .json(.like(value, .subset))
    case "json_where": return .json(.conditions(readConditions(value, at: path + [.key(key)])))
    default: return text(value, at: path + [.key(key)]).map { .text($0) }
    }
  }

  /// Paths, and what must hold there.
  private mutating func readConditions(
    _ value: Value, at path: [JSONStep]
  ) -> [(condition: Condition.Requirement, wanted: Value)] {
    guard value.kind == .object else {
      mismatch(path, "an object of paths", value)
      return []
    }
    var conditions: [(condition: Condition.Requirement, wanted: Value)] = []
    for (key, wanted) in value.fields {
      do {
        conditions.append((Condition.Requirement(path: try Path(key), wanted: .literal(wanted)), wanted))
      } catch {
        complain(path + [.key(key)], "'\(key)' is no path: \(error.message)", aboutKey: true)
      }
      guard wanted.kind == .object else { continue }
      let bounds = fields(of: wanted, at: path + [.key(key)], known: Condition.bounds) ?? [:]
      guard let pattern = bounds["matches"] else { continue }
      let place = path + [.key(key), .key("matches")]
      guard let pattern = text(pattern, at: place) else { continue }
      do {
        _ = try LuaPattern(pattern)
      } catch {
        complain(place, "is no pattern of Lua's: \(error)")
      }
    }
    return conditions
  }

  /// - Parameter mayFail: it is an item of `responses`, which may be a failure instead.
  mutating func readResponse(_ value: Value, at path: [JSONStep], mayFail: Bool = false) -> Answer? {
    if mayFail, value["failure"] != nil {
      guard let fields = fields(of: value, at: path, known: ["delay", "failure", "message"]) else { return nil }
      return readFailure(fields, at: path)
    }
    let known = ["body", "delay", "headers", "json", "status", "text"]
    guard let fields = fields(of: value, at: path, known: known) else { return nil }
    var headers = headers(fields["headers"], at: path + [.key("headers")])
    let delay = duration(fields["delay"], at: path + [.key("delay")])
    let status = readStatus(fields["status"], at: path + [.key("status")])
    var body = Buffer(copying: [])
    var type: String?
    switch oneOf(["json", "text", "body"], in: fields, at: path) {
    case "json":
      body = Buffer(copying: fields["json"]?.json() ?? [])
      type = "application/json"
    case "text":
      body = Buffer(copying: (text(fields["text"], at: path + [.key("text")]) ?? "").utf8)
      type = "text/plain; charset=utf-8"
    default: body = Buffer(copying: (text(fields["body"], at: path + [.key("body")]) ?? "").utf8)
    }
    if let type, headers.first(named: "Content-Type") == nil { headers.append(NamedText("Content-Type", type)) }
    return Answer(outcome: .response(status: status, headers: headers, body: body), delay: delay)
  }

  private mutating func readStatus(_ value: Value?, at path: [JSONStep]) -> Int {
    guard let value else { return 200 }
    if let status = value.int64, (200...599).contains(status) { return Int(status) }
    complain(path, "is \(value.excerpt), where a status from 200 to 599 is expected")
    return 200
  }

  mutating func readFailure(_ fields: [String: Value], at path: [JSONStep]) -> Answer? {
    let delay = duration(fields["delay"], at: path + [.key("delay")])
    let message = text(fields["message"], at: path + [.key("message")])
    guard let name = text(fields["failure"], at: path + [.key("failure")]) else { return nil }
    guard let failure = FailureName(rawValue: name) else {
      let known = FailureName.allCases.map(\.rawValue)
      complain(
        path + [.key("failure")], "is \(Value(name).excerpt), which is no failure",
        help: didYouMean(name, among: known) ?? "one of: \(known.joined(separator: ", "))")
      return nil
    }
    return Answer(outcome: .failure(failure, message: message), delay: delay)
  }
}
