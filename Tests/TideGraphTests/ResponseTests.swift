import Testing
import TideValue

@testable import TideGraph

struct ResponseTests {
  private func response(_ body: [UInt8], type: String? = nil, status: Int = 200) -> Response {
    Response(
      status: status, headers: type.map { [NamedText("content-type", $0)] } ?? [], body: Buffer(copying: body),
      url: "u",
      elapsed: .milliseconds(1500))
  }

  @Test(
    arguments: [
      ("application/json", "[1]", Value.Kind.array), ("application/problem+json; charset=utf-8", "{}", .object),
      ("text/plain", "[1]", .string), ("image/svg+xml", "<a/>", .string), ("image/png", "[1]", .bytes),
      (nil, "[1]", .array),
      (nil, "[1", .string), ("text/html", "", .null), ("application/json", "", .null),
    ] as [(String?, String, Value.Kind)])
  func `a body is what its type says`(type: String?, body: String, kind: Value.Kind) throws {
    #expect(try response(Array(body.utf8), type: type).decoded(asData: false).kind == kind)
  }

  @Test func `a byte order mark is dropped`() throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    #expect(
      try response(mark + Array("[1]".utf8), type: "application/json").decoded(asData: false).description == "[1]")
    #expect(try response(mark + Array("é".utf8), type: "text/plain").decoded(asData: false).string == "é")
    #expect(try response(mark + Array("x y".utf8)).decoded(asData: false).string == "x y")
  }

  @Test func `a text that is no UTF-8 is bytes`() throws {
    #expect(try response([0xFF, 0x41], type: "text/plain").decoded(asData: false).rawBytes == [0xFF, 0x41])
  }

  @Test func `a body that is not what its type says tells where`() {
    let error = #expect(throws: Failure.self) {
      try response(Array("{\"a\":}".utf8), type: "application/json").decoded(asData: false)
    }
    #expect(error?.kind == .body)
    #expect(error?.message.hasPrefix("the body is no valid JSON: line 1, column 6: ") == true)
    let other = #expect(throws: Failure.self) {
      try response(Array("<a>".utf8), type: "text/html").decoded(asData: true)
    }
    #expect(other?.message.hasPrefix("the body is not JSON (its type is text/html): line 1, column 1: ") == true)
  }

  @Test func `a response as a value has lower-case headers, repeats as a list`() {
    var response = response([])
    response.headers = [NamedText("X-A", "1"), NamedText("B", "2"), NamedText("x-a", "3")]
    #expect(
      response.asValue(body: .null, attempts: 2).description
        == #"{"status":200,"headers":{"x-a":["1","3"],"b":"2"},"body":null,"url":"u","elapsed":1.5,"attempts":2}"#)
  }

  private func accept(_ expect: KeyValuePairs<String, Argument>, _ body: String, status: Int = 200) throws -> String {
    var script = Script()
    let node = script.node(
      "request", "r", [], ["GET": .text("http://x"), "expect": .fields(expect), "extract": .text("d")])
    guard case .request(let spec) = try script.plan(node).nodes[node].verb else { return "no request" }
    var wanted: [Value] = []
    if case .paths(let requirements)? = spec.expectation.body { wanted = requirements.compactMap(\.wanted.constant) }
    do {
      let body = try spec.accept(response(Array(body.utf8), type: "application/json", status: status), wanted: wanted)
      return try spec.extracted(from: body).description
    } catch {
      return "\(error.kind) \(error.status ?? 0): \(error.message)"
    }
  }

  @Test func `an answer is accepted by status and body, and the message is read from it`() throws {
    let body: KeyValuePairs<String, Argument> = ["body": .fields(["code": .text("200")]), "message": .text("m")]
    #expect(try accept(body, #"{"code":"200","d":[1]}"#) == "[1]")
    #expect(try accept(body, #"{"code":"500","m":"no"}"#) == #"expect 200: 'code' is "500", expected "200": no"#)
    #expect(try accept(body, #"{"code":200}"#) == #"expect 200: 'code' is 200, expected "200""#)
    #expect(try accept(body, #"{"m":7}"#) == #"expect 200: 'code' is missing (expected "200"): 7"#)
    #expect(try accept(body, #"{"m":"down"}"#, status: 502) == "status 502: answered 502: down")
    #expect(try accept(body, "<html>", status: 502) == "status 502: answered 502")
    #expect(try accept(["status": .list([.number(404), .text("5xx")])], #"{"d":1}"#, status: 503) == "1")
    #expect(try accept(["status": .number(404)], #"{"d":1}"#) == "status 200: answered 200")
    #expect(try accept([:], #"{"e":1}"#) == "missing 0: extract: 'd' is missing in an object with the field e")
  }

  @Test(
    arguments: [
      ("{\"min\":1,\"max\":3}", "2", nil), ("{\"min\":1}", "0", "'n' is 0, less than 1"),
      ("{\"max\":3}", "3.5", "'n' is 3.5, more than 3"),
      ("{\"min\":1}", "\"2\"", "'n' is \"2\", a text, where a number is expected"),
      ("{\"exists\":true}", nil, "'n' is missing"), ("{\"exists\":false}", nil, nil),
      ("{\"exists\":false}", "1", "'n' is there, and must not be"), ("{\"min\":1}", nil, "'n' is missing"),
      ("{\"matches\":\"^a\"}", "\"ab\"", nil),
      ("{\"matches\":\"^a\"}", "\"b\"", "'n' is \"b\", which does not match \"^a\""),
      ("{\"matches\":\"a\"}", "1", "'n' is a number, not a text"),
      ("{\"matches\":\"[\"}", "\"a\"", "'n' can't be tested: the pattern \"[\" leaves a set open"),
      ("[1,2]", "2", nil), ("[1,2]", "3", "'n' is 3, expected 1 or 2"), ("2", "2.0", nil),
      ("\"2\"", "2", "'n' is 2, expected \"2\""),
      ("null", "null", nil), ("null", nil, "'n' is missing (expected null)"),
    ] as [(String, String?, String?)])
  func `a requirement says what is wrong`(wanted: String, found: String?, complaint: String?) throws {
    let requirement = Condition.Requirement(path: try Path("n"), wanted: .literal(.null))
    let subject = try value(found.map { "{\"n\":\($0)}" } ?? "{}")
    #expect(requirement.complaint(about: subject, wanted: try value(wanted)) == complaint)
  }
}
