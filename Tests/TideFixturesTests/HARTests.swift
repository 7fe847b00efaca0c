import Testing
import TideGraph
import TideValue

@testable import TideFixtures

struct HARTests {
  private static func har(_ entries: String...) -> String {
    #"{ "log": { "version": "1.2", "creator": {}, "entries": [ \#(entries.joined(separator: ",\n")) ] } }"#
  }

  private static func entry(_ request: String, _ response: String) -> String {
    #"{ "startedDateTime": "2026-01-01T00:00:00Z", "time": 12, "request": \#(request), "response": \#(response) }"#
  }

  @Test func `entries are exchanges`() throws {
    let bench = try Bench(
      Self.har(
        Self.entry(
          """
          { "method": "GET", "url": "https://api.example.com/users?b=2&a=*", "httpVersion": "HTTP/2",
            "headers": [ { "name": ":authority", "value": "api.example.com" }, { "name": "accept", "value": "x" } ],
            "queryString": [ { "name": "b", "value": "2" } ], "headersSize": -1, "bodySize": 0 }
          """,
          """
          { "status": 200, "statusText": "", "httpVersion": "HTTP/2",
            "headers": [ { "name": ":status", "value": "200" }, { "name": "content-encoding", "value": "br" },
                         { "name": "Content-Length", "value": "7" }, { "name": "set-cookie", "value": "a=1\\nb=2" },
                         { "name": "x-a", "value": "1" }, { "name": "x-a", "value": "2" } ],
            "content": { "size": 9, "mimeType": "application/json", "text": "{\\"a\\":1.0}" } }
          """)))
    let response = try bench.ask(.get("https://api.example.com/users?a=*&b=2")).get()
    #expect(response.status == 200)
    #expect(
      response.headers == [
        NamedText("set-cookie", "a=1"), NamedText("set-cookie", "b=2"), NamedText("x-a", "1"), NamedText("x-a", "2"),
        NamedText("Content-Type", "application/json"),
      ])
    #expect(String(decoding: response.body.bytes, as: UTF8.self) == #"{"a":1.0}"#)
    #expect(try bench.failure(of: .get("https://api.example.com/users?a=x&b=2"))?.kind == .unmatched)
    for _ in 0..<3 { #expect(try bench.failure(of: .get("https://api.example.com/users?a=*&b=2")) == nil) }
  }

  @Test func `entries of one request are answers in turn`() throws {
    let request = #"{ "method": "GET", "url": "http://x/a" }"#
    func posted(_ text: String) -> String {
      #"{ "method": "POST", "url": "http://x/a", "postData": { "mimeType": "application/json", "text": "\#(text)" } }"#
    }
    let bench = try Bench(
      Self.har(
        Self.entry(request, #"{ "status": 503 }"#),
        Self.entry(posted("[1]"), #"{ "status": 201, "content": { "text": "one" } }"#),
        Self.entry(posted("[2]"), #"{ "status": 201, "content": { "text": "two" } }"#),
        Self.entry(request, #"{ "status": 0 }"#),
        Self.entry(request, #"{ "status": 200, "content": { "text": "at last" } }"#)))
    #expect(try bench.ask(.get("http://x/a")).get().status == 503)
    #expect(try bench.failure(of: .get("http://x/a"))?.kind == .connect)
    #expect(try bench.body(of: .get("http://x/a")) == "at last")
    #expect(
      try bench.failure(of: .get("http://x/a"))?.message
        == "the list of 3 answers of exchange 1 (GET http://x/a) is used up")
    #expect(try bench.body(of: .post("http://x/a", json: "[ 2.0 ]")) == "two")
    #expect(try bench.body(of: .post("http://x/a", json: "[1]")) == "one")
  }

  @Test func `what was posted is compared by what it means`() throws {
    func posted(_ path: String, _ data: String) -> String {
      Self.entry(#"{ "method": "POST", "url": "http://x/\#(path)", "postData": \#(data) }"#, #"{ "status": 204 }"#)
    }
    let form = "application/x-www-form-urlencoded"
    let bench = try Bench(
      Self.har(
        posted("text", #"{ "mimeType": "\#(form); charset=UTF-8", "text": "b=1+2&a=*" }"#),
        posted("pairs", #"{ "mimeType": "\#(form)", "params": [ { "name": "a", "value": "1" }, { "name": "b" } ] }"#),
        posted("parts", #"{ "mimeType": "multipart/form-data; boundary=x", "text": "--x" }"#),
        posted("plain", #"{ "mimeType": "text/plain", "text": "é" }"#),
        posted("nothing", #"{ "mimeType": "", "text": "" }"#)))
    #expect(try bench.body(of: .post("http://x/text", form: [("a", "*"), ("b", "1 2")])) == "")
    #expect(try bench.failure(of: .post("http://x/text", form: [("a", "x"), ("b", "1 2")]))?.kind == .unmatched)
    #expect(try bench.body(of: .post("http://x/pairs", form: [("b", ""), ("a", "1")])) == "")
    #expect(try bench.body(of: .post("http://x/parts", json: "whatever")) == "")
    #expect(try bench.body(of: .post("http://x/plain", json: "é")) == "")
    #expect(try bench.failure(of: .post("http://x/plain", json: "e"))?.kind == .unmatched)
    #expect(try bench.body(of: .post("http://x/nothing", json: "x")) == "")
  }

  @Test func `a body may be base64, binary, or missing`() throws {
    let bench = try Bench(
      Self.har(
        Self.entry(
          #"{ "url": "http://x/a" }"#,
          #"{ "status": 200, "content": { "mimeType": "image/png", "text": "iVBO\nAP8=", "encoding": "base64" } }"#),
        Self.entry(#"{ "url": "http://x/b" }"#, #"{ "status": 200, "content": { "size": 17 } }"#),
        Self.entry(#"{ "url": "http://x/c" }"#, #"{ "status": 304 }"#)))
    let response = try bench.ask(.get("http://x/a")).get()
    #expect(Array(response.body.bytes) == [0x89, 0x50, 0x4E, 0x00, 0xFF])
    #expect(response.header("content-type") == "image/png")
    #expect(try bench.body(of: .get("http://x/b")) == "")
    #expect(try bench.ask(.get("http://x/c")).get().status == 304)
  }

  @Test(arguments: [
    ("", Failure.Kind.connect), ("net::ERR_CONNECTION_REFUSED", .connect), ("net::ERR_NAME_NOT_RESOLVED", .dns),
    ("net::ERR_CERT_DATE_INVALID", .tls), ("net::ERR_TIMED_OUT", .timeout), ("net::ERR_CONNECTION_RESET", .reset),
    ("net::ERR_CONTENT_LENGTH_MISMATCH", .truncated), ("net::ERR_INVALID_HTTP_RESPONSE", .malformed),
  ])
  func `a status of 0 is a failure`(error: String, kind: Failure.Kind) throws {
    let bench = try Bench(
      Self.har(Self.entry(#"{ "url": "http://x/a" }"#, #"{ "status": 0, "_error": "\#(error)" }"#)))
    #expect(try bench.failure(of: .get("http://x/a"))?.kind == kind)
  }

  @Test func `what no request can ask for is left out`() throws {
    let fixtures = try Fixtures.parse(
      file: "f.har",
      text: Self.har(
        Self.entry(#"{ "url": "data:text/plain,x" }"#, #"{ "status": 200 }"#),
        Self.entry(#"{ "url": "chrome-extension://x/y.js" }"#, #"{ "status": 200 }"#),
        Self.entry(#"{ "url": "wss://x/y" }"#, #"{ "status": 101 }"#),
        Self.entry(#"{ "url": "https://x/y" }"#, #"{ "status": 101 }"#),
        Self.entry(#"{ "url": "https://x/z" }"#, #"{ "status": 200 }"#)))
    #expect(fixtures.exchanges.map(\.title) == ["GET https://x/z"])
  }

  @Test func `no entries are no exchanges`() throws {
    #expect(try Fixtures.parse(file: "f.har", text: Self.har()).exchanges.isEmpty)
  }

  @Test(arguments: [
    (#"{"log":1}"#, ["1:8-9 log: has no list 'entries', as a HAR has one"]),
    (#"{"log":{"entries":{}}}"#, ["1:19-21 'log.entries' is an object, where a list is expected"]),
    (
      #"{"log":{"entries":[1,{},{"request":{}},{"request":{"url":7}}]}}"#,
      [
        "1:20-21 entry 1: is a number, where an object is expected",
        "1:22-24 entry 2: 'request' is missing, where an object is expected",
        "1:36-38 entry 3, request: 'url' is missing",
        "1:58-59 entry 4, request.url: is a number, where a text is expected",
      ]
    ),
    (
      #"{"log":{"entries":[{"request":{"url":"http://"}},{"request":{"url":"x"}},{"request":{"url":"http://x"}}]}}"#,
      [
        #"1:38-47 entry 1, request.url: is "http://", which is no URL"#,
        #"1:68-71 entry 2, request.url: is "x", which is no URL"#,
        "1:74-104 entry 3: 'response' is missing, where an object is expected",
      ]
    ),
  ])
  func `what is no HAR is told with its place`(text: String, expected: [String]) {
    let found = problems(in: text)
    #expect(found == expected)
  }

  @Test(arguments: [
    (#"{"status":"200"}"#, #"entry 1, response.status: is "200", where a status up to 599 is expected"#),
    (#"{"status":200,"content":[]}"#, "entry 1, response.content: is a list, where an object is expected"),
    (#"{"status":200,"content":{"text":1}}"#, "entry 1, response.content.text: is a number, where a text is expected"),
    (
      #"{"status":200,"content":{"text":"a","encoding":"base64"}}"#, "entry 1, response.content.text: is no base64"
    ),
    (
      #"{"status":200,"content":{"text":"a","encoding":"gzip"}}"#,
      #"entry 1, response.content.encoding: is "gzip", where only "base64" is known"#
    ),
    (
      #"{"status":200,"headers":[{"value":"a"}]}"#,
      #"entry 1, response.headers[1]: is {"value":"a"}, where an object with 'name' and 'value' is expected"#
    ),
    (#"{"status":200,"headers":[{"name":"a b"}]}"#, "entry 1, response.headers: 'a b' is no name of a header"),
  ])
  func `an answer that can't be given is refused`(response: String, expected: String) {
    let found = problems(in: Self.har(Self.entry(#"{"url":"http://x/"}"#, response)))
    #expect(found.map { String($0.drop { $0 != " " }.dropFirst()) } == [expected])
  }
}
