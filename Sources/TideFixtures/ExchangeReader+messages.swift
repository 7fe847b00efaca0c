import TideGraph
import TideValue

extension ExchangeReader {
  mutating func readRequest(_ value: Value, at path: [JSONStep]) -> ExpectedRequest? {
    let known = ["body", "form", "headers", "json", "method", "query", "url"]
    guard let fields = fields(of: value, at: path, known: known) else { return nil }
    let method = readMethod(fields["method"], at: path + [.key("method")])
    let headers = headers(fields["headers"], at: path + [.key("headers")])
    let body = readExpectedBody(fields, at: path)
    guard let url = fields["url"] else {
      complain(path, "'url' is missing")
      return nil
    }
    guard let text = text(url, at: path + [.key("url")]) else { return nil }
    guard let address = Address(text) else {
      complain(
        path + [.key("url")], "is \(url.excerpt), which is no URL",
        help: "write https://host/path, or /path to match any origin")
      return nil
    }
    let query = readQuery(fields["query"], of: address, at: path + [.key("query")])
    return ExpectedRequest(method: method, address: address, query: query, body: body, headers: headers)
  }

  private mutating func readMethod(_ value: Value?, at path: [JSONStep]) -> String {
    guard let method = text(value, at: path) else { return "GET" }
    if method.isEmpty || !method.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) {
      complain(path, "is \(Value(method).excerpt), which is no method", help: "write GET, POST, PUT, DELETE, ...")
    }
    return method
  }

  private mutating func readQuery(_ value: Value?, of address: Address, at path: [JSONStep]) -> ExpectedRequest.Query {
    guard let value else { return .pairs(address.query) }
    if value.bool == true {
      if address.hasQuery { complain(path, "allows any query, and the URL has one") }
      return .any
    }
    return .pairs(address.query + pairs(value, at: path))
  }

  private mutating func readExpectedBody(_ fields: [String: Value], at path: [JSONStep]) -> ExpectedRequest.Body {
    guard let key = oneOf(["form", "json", "body"], in: fields, at: path), let value = fields[key] else { return .any }
    switch key {
    case "form": return .form(pairs(value, at: path + [.key(key)]))
    case "json": return .json(value)
    default: return text(value, at: path + [.key(key)]).map { .text($0) } ?? .any
    }
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
