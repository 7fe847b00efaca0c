import Testing
import TideValue

@testable import TideGraph

struct RequestTests {
  private let a = NodeID(0)

  private func request(
    _ options: KeyValuePairs<String, Argument>, a: String = "null"
  ) throws -> Request {
    var script = Script()
    script.node("input", "a")
    let node = script.node("request", "r", [], options)
    let plan = try script.plan(node)
    guard case .request(let spec) = plan.nodes[node].verb else { throw Failure(.type, "no request") }
    return try spec.request(Said(values: [NodeID(0): try value(a)], names: [NodeID(0): "a"]), timeout: .seconds(3))
  }

  private func failure(_ options: KeyValuePairs<String, Argument>, a: String = "null") -> String? {
    do {
      _ = try request(options, a: a)
      return nil
    } catch let failure as Failure {
      return "\(failure.kind): \(failure.message)"
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    ("\"x\"", "http://h/u/x/y"), ("\"a/b?c#d e%é\"", "http://h/u/a%2Fb%3Fc%23d%20e%25%C3%A9/y"),
    ("7", "http://h/u/7/y"),
    ("1.10", "http://h/u/1.10/y"), ("true", "http://h/u/true/y"), ("\"...\"", "http://h/u/.../y"),
  ])
  func `a joined value is one segment`(json: String, url: String) throws {
    #expect(
      try request(["GET": .url(.text("http://h/u/"), .joined(.value(of: a)), .text("/y"))], a: json).url == url)
  }

  @Test(arguments: [
    ("\"\"", "request: the value of a is \"\", which can't be a segment of a URL"),
    ("\".\"", "request: the value of a is \".\", which can't be a segment of a URL"),
    ("\"..\"", "request: the value of a is \"..\", which can't be a segment of a URL"),
    ("null", "type: the value of a is null, which can't be joined to a text"),
    ("[]", "type: the value of a is a list, which can't be joined to a text"),
  ])
  func `what can't be a segment fails`(json: String, message: String) {
    #expect(failure(["GET": .url(.text("http://h/"), .joined(.value(of: a)))], a: json) == message)
  }

  @Test func `what stands first, or is raw, is taken as it is`() throws {
    let first: Argument = .url(.joined(.value(of: a)), .text("/x y"))
    #expect(try request(["GET": first], a: "\"http://h:81/a?b\"").url == "http://h:81/a?b/x%20y")
    let raw: Argument = .url(.text("http://h/"), .raw(.value(of: a)))
    #expect(try request(["GET": raw], a: "\"a/b?c=é%20\"").url == "http://h/a/b?c=%C3%A9%20")
    #expect(
      failure(["GET": first], a: "\"ftp://h\"")
        == "request: the URL \"ftp://h/x%20y\" does not begin with http:// or https://")
    #expect(failure(["GET": .node(a)], a: "7") == "request: the URL is a number, where a text is expected")
    #expect(failure(["GET": .node(a)], a: "\"\"") == "request: the URL is empty")
  }

  @Test(arguments: [
    ("http://h", "{\"b\":\"1 2&é\"}", "http://h?b=1+2%26%C3%A9"), ("http://h/?a=1", "{\"b\":2}", "http://h/?a=1&b=2"),
    ("http://h/?", "{\"b\":2}", "http://h/?b=2"), ("http://h/#f", "{\"b\":2}", "http://h/?b=2#f"),
    ("http://h/?a&#f", "{\"b\":2}", "http://h/?a&b=2#f"), ("http://h/", "{}", "http://h/"),
    ("http://h/", "[]", "http://h/"),
    ("http://h/", "{\"b\":null,\"c\":[1,null,2],\"d\":true}", "http://h/?c=1&c=2&d=true"),
    ("http://h/", "[[\"b\",1],[\"a\",2],[\"b\",3]]", "http://h/?b=1&a=2&b=3"),
  ])
  func `a query is encoded as forms are`(url: String, query: String, expected: String) throws {
    #expect(try request(["GET": .text(url), "query": .json(query)]).url == expected)
  }

  @Test(arguments: [
    ("{\"b\":{}}", "type: 'query.b' is an object, where a text, a number or a boolean is expected"),
    ("[1]", "type: 'query[1]' is 1, where {name, value} is expected"),
  ])
  func `a query that can't be sent fails`(query: String, message: String) {
    #expect(failure(["GET": .text("http://h"), "query": .json(query)]) == message)
  }

  @Test func `each body has its type, and a header of one's own wins`() throws {
    func sent(_ options: KeyValuePairs<String, Argument>) throws -> String {
      let request = try request(options)
      let body = request.body.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "none"
      return "\(request.header("content-type") ?? "none"): \(body)"
    }
    let url = Argument.text("http://h")
    #expect(try sent(["POST": url]) == "none: none")
    #expect(try sent(["POST": url, "json": .json("{ \"a\": 1.10 }")]) == #"application/json: {"a":1.10}"#)
    #expect(try sent(["POST": url, "form": .json("{\"a\":\"b c\"}")]) == "application/x-www-form-urlencoded: a=b+c")
    #expect(try sent(["POST": url, "form": .list([])]) == "application/x-www-form-urlencoded: ")
    #expect(try sent(["POST": url, "body": .text("x")]) == "text/plain; charset=utf-8: x")
    #expect(try sent(["POST": url, "body": .text(""), "headers": .json("{\"CONTENT-TYPE\":\"t/u\"}")]) == "t/u: ")
    #expect(
      failure(["POST": url, "body": .json("{}")]) == "type: 'body' is an object, where a text or bytes are expected")
    #expect(
      try request(["POST": url, "form": .json("{\"a\":[1,2]}")]).form == [NamedText("a", "1"), NamedText("a", "2")])
  }

  @Test func `credentials become one header`() throws {
    func authorization(_ options: KeyValuePairs<String, Argument>) throws -> String? {
      try request(options).header("Authorization")
    }
    let url = Argument.text("http://h")
    #expect(try authorization(["GET": url, "bearer": .text("t")]) == "Bearer t")
    #expect(
      try authorization(["GET": url, "basic": .list([.text("Aladdin"), .text("open sesame")])])
        == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
    #expect(
      try authorization(["GET": url, "bearer": .text("t"), "headers": .json("{\"authorization\":\"own\"}")]) == "own")
    #expect(
      failure(["GET": url, "basic": .list([.text("a:b"), .text("c")])]) == "request: the user of 'basic' holds a colon")
    #expect(
      failure(["GET": url, "bearer": .text("a\r\nX: y")]) == "request: 'bearer' holds a line break, which no header can"
    )
    #expect(failure(["GET": url, "bearer": .node(a)]) == "type: 'bearer' holds null, where a text is expected")
  }

  @Test(arguments: [
    (#"{"a b":"1"}"#, #"request: the header name "a b" can't be sent"#),
    (#"{"":"1"}"#, #"request: the header name "" can't be sent"#),
    (#"{"a":"1\n2"}"#, "request: the header 'a' holds a line break, which no header can"),
  ])
  func `a header that can't be sent fails`(headers: String, message: String) {
    #expect(failure(["GET": .text("http://h"), "headers": .json(headers)]) == message)
  }

  @Test func `limits are handed on`() throws {
    let request = try request([
      "GET": .text("http://h"), "timeout": .fields(["connect": .text("1s"), "total": .text("9s")]),
      "redirects": .number(0), "max_bytes": .number(5), "compressed": .bool(false),
      "tls": .fields(["ca": .text("ca.pem")]),
    ])
    #expect(request.timeout == .seconds(3))
    #expect(request.connectTimeout == .seconds(1))
    #expect(request.maximumRedirects == 0)
    #expect(request.maximumBytes == 5)
    #expect(request.compressed == false)
    #expect(request.certificateAuthorities == "ca.pem")
  }

  @Test(arguments: [
    ("flows/a.lua", "ca.pem", "flows/ca.pem"), ("/w/a.lua", "tls/ca.pem", "/w/tls/ca.pem"),
    ("a.lua", "ca.pem", "ca.pem"),
    ("flows/a.lua", "/etc/ca.pem", "/etc/ca.pem"),
  ])
  func `a file of certificates is looked for beside the script`(name: String, file: String, path: String) throws {
    var script = Script(name: name)
    let node = script.node("request", "a", [], ["GET": .text("https://x"), "tls": .fields(["ca": .text(file)])])
    let plan = try script.plan(node)
    guard case .request(let spec) = plan.nodes[node].verb else { throw Failure(.lost, "no request") }
    #expect(spec.certificateAuthorities == path)
  }
}
