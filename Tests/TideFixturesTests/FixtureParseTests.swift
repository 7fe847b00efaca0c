import Testing
import TideGraph
import TideValue

@testable import TideFixtures

struct FixtureParseTests {
  @Test func `broken JSON shows its place`() throws {
    let error = #expect(throws: Diagnostics.self) {
      try Fixtures.parse(file: "f.json", text: "{ \"exchanges\": [\n  { \"é\": 1, }\n] }")
    }
    let diagnostic = try #require(error?.all.first)
    #expect(error?.all.count == 1)
    #expect(diagnostic.code == .fixture)
    #expect(diagnostic.message.hasPrefix("the fixtures are no valid JSON: "))
    #expect(diagnostic.location == Location(file: "f.json", line: 2, columns: 14..<15))
    let location = try #require(diagnostic.location)
    #expect(error?.sources.line(at: location) == "  { \"é\": 1, }")
  }

  @Test(arguments: [
    ("", "1:1-2 the fixtures are no valid JSON: "),
    ("[", "1:2-3 the fixtures are no valid JSON: "),
    ("[\n", "2:1-2 the fixtures are no valid JSON: "),
  ])
  func `a text that ends too early shows its end`(text: String, expected: String) {
    let found = problems(in: text)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix(expected) == true, "\(found)")
  }

  @Test(arguments: [
    ("1", ["1:1-2 the file is a number, where an object with 'exchanges' is expected"]),
    ("{}", [#"1:1-3 'exchanges' is missing (write { "exchanges": [ ... ] })"#]),
    (#"{"exchanges":{}}"#, ["1:14-16 'exchanges' is an object, where a list of exchanges is expected"]),
    (
      #"{"exchange":[]}"#,
      [
        "1:2-12 unknown key 'exchange' (did you mean 'exchanges'?)",
        #"1:1-16 'exchanges' is missing (write { "exchanges": [ ... ] })"#,
      ]
    ),
    (#"{"exchanges":[7]}"#, ["1:15-16 exchange 1: is a number, where an object is expected"]),
    ("[[]]", ["1:2-4 exchange 1: is a list, where an object is expected"]),
    (
      #"[{"request":{"url":"/"}}]"#,
      ["1:2-25 exchange 1: has no answer (give it a 'response', 'responses' or a 'failure')"]
    ),
    (#"[{"response":{}}]"#, ["1:2-17 exchange 1: 'request' is missing"]),
    (
      #"[{"request":{"url":"/"},"response":{},"failure":"dns"}]"#,
      ["1:25-35 exchange 1: 'failure' and 'response' exclude each other"]
    ),
    (
      #"[{"request":{"url":"/"},"response":{},"delay":1,"message":"x"}]"#,
      [
        "1:39-46 exchange 1: 'delay' belongs to a 'failure' (a response has a 'delay' of its own)",
        "1:49-58 exchange 1: 'message' belongs to a 'failure'",
      ]
    ),
    (
      #"[{"reqest":{"url":"/"},"response":{}}]"#,
      [
        "1:3-11 exchange 1: unknown key 'reqest' (did you mean 'request'?)",
        "1:2-38 exchange 1: 'request' is missing",
      ]
    ),
    (#"[{"request":{"url":"/"},"responses":[]}]"#, ["1:37-39 exchange 1, responses: is empty: it would never answer"]),
    (
      #"[{"request":{"url":"/"},"responses":{}}]"#,
      ["1:37-39 exchange 1, responses: is an object, where a list is expected"]
    ),
    (
      #"[{"request":{"url":"/"},"responses":[{},{"status":99},{"failure":"rest"}]}]"#,
      [
        "1:51-53 exchange 1, responses[2].status: is 99, where a status from 200 to 599 is expected",
        #"1:66-72 exchange 1, responses[3].failure: is "rest", which is no failure (did you mean 'reset'?)"#,
      ]
    ),
    (
      #"[{"request":{"url":"/"},"failure":"explosion"}]"#,
      [
        #"1:35-46 exchange 1, failure: is "explosion", which is no failure "#
          + "(one of: refused, dns, tls, timeout, reset, truncated, malformed, never)"
      ]
    ),
  ])
  func `what is not as the format says is told with its place`(text: String, expected: [String]) {
    #expect(problems(in: text) == expected)
  }

  @Test(arguments: [
    (#"{}"#, "exchange 1, request: 'url' is missing"),
    (#"{"url":1}"#, "exchange 1, request.url: is a number, where a text is expected"),
    (
      #"{"url":"x"}"#,
      #"exchange 1, request.url: is "x", which is no URL (write https://host/path, or /path to match any origin)"#
    ),
    (
      #"{"url":"/","method":"get"}"#,
      #"exchange 1, request.method: is "get", which is no method (write GET, POST, PUT, DELETE, ...)"#
    ),
    (
      #"{"url":"/","form":{},"json":1}"#,
      "exchange 1, request: 'form' and 'json' exclude each other"
    ),
    (
      #"{"url":"/","form":{"a":{"b":1}}}"#,
      #"exchange 1, request.form.a: is {"b":1}, where a text, a number or a boolean is expected"#
    ),
    (
      #"{"url":"/","query":{"a":["1",null]}}"#,
      "exchange 1, request.query.a: is null, where a text, a number or a boolean is expected "
        + "(a null is never sent: leave it out)"
    ),
    (#"{"url":"/","query":false}"#, "exchange 1, request.query: is a boolean, where an object is expected"),
    (#"{"url":"/?a","query":true}"#, "exchange 1, request.query: allows any query, and the URL has one"),
    (#"{"url":"/","headers":["a"]}"#, "exchange 1, request.headers: is a list, where an object is expected"),
    (#"{"url":"/","headers":{"a b":"1"}}"#, "exchange 1, request.headers: 'a b' is no name of a header"),
    (
      #"{"url":"/","headers":{"a":"1\n2"}}"#,
      "exchange 1, request.headers.a: holds a line break, which no header can"
    ),
    (
      #"{"url":"/a/{id"}"#,
      "exchange 1, request.url: has a brace without its partner (a parameter is written {name})"
    ),
    (
      #"{"url":"/","json_where":[1]}"#,
      "exchange 1, request.json_where: is a list, where an object of paths is expected"
    ),
    (
      #"{"url":"/","json_where":{"$.":1}}"#,
      "exchange 1, request.json_where: '$.' is no path: expected a name or '*', found the end"
    ),
    (
      #"{"url":"/","json_where":{"a":{"minimum":1}}}"#,
      "exchange 1, request.json_where.a: unknown key 'minimum' (known here: min, max, matches, exists)"
    ),
    (
      #"{"url":"/","json_where":{"a":{"matches":"[a"}}}"#,
      "exchange 1, request.json_where.a.matches: is no pattern of Lua's: the pattern \"[a\" leaves a set open"
    ),
    (#"{"url":"/","body":{}}"#, "exchange 1, request.body: is an object, where a text is expected"),
    (
      #"{"url":"/","heders":{}}"#,
      "exchange 1, request: unknown key 'heders' (did you mean 'headers'?)"
    ),
    (
      #"{"url":"/","certificate":1}"#,
      "exchange 1, request: unknown key 'certificate' "
        + "(known here: body, form, headers, json, json_subset, json_where, method, query, url)"
    ),
  ])
  func `a request that can't be expected is refused`(request: String, expected: String) {
    let found = problems(in: #"[{"request":\#(request),"response":{}}]"#)
    #expect(found.map { String($0.drop { $0 != " " }.dropFirst()) } == [expected])
  }

  @Test(arguments: [
    (#"7"#, "exchange 1, response: is a number, where an object is expected"),
    (#"{"status":"200"}"#, #"exchange 1, response.status: is "200", where a status from 200 to 599 is expected"#),
    (#"{"status":200.5}"#, "exchange 1, response.status: is 200.5, where a status from 200 to 599 is expected"),
    (#"{"json":1,"text":"x"}"#, "exchange 1, response: 'json' and 'text' exclude each other"),
    (#"{"text":1}"#, "exchange 1, response.text: is a number, where a text is expected"),
    (
      #"{"delay":"soon"}"#,
      #"exchange 1, response.delay: is "soon", where a length of time is expected "#
        + #"(write "500ms", "5s", "2m", "1h", or a number of seconds)"#
    ),
    (
      #"{"delay":-1}"#,
      "exchange 1, response.delay: is -1, where a length of time is expected "
        + #"(write "500ms", "5s", "2m", "1h", or a number of seconds)"#
    ),
    (
      #"{"failure":"dns"}"#,
      "exchange 1, response: unknown key 'failure' (known here: body, delay, headers, json, status, text)"
    ),
  ])
  func `a response that can't be given is refused`(response: String, expected: String) {
    let found = problems(in: #"[{"request":{"url":"/"},"response":\#(response)}]"#)
    #expect(found.map { String($0.drop { $0 != " " }.dropFirst()) } == [expected])
  }

  @Test func `places are found on later lines, behind escapes, and in a repeated key's last value`() {
    let text = """
      \u{FEFF}[ { "request": { "url": "/a\\"]" }, "response": {} },
        { "request": { "url": "/" , "form": { "\\u0061": [1, "}"],
           "a" : {} } }, "response": {} } ]
      """
    #expect(
      problems(in: text) == [
        "3:12-14 exchange 2, request.form.a: is {}, where a text, a number or a boolean is expected"
      ])
  }

  @Test func `a hundred errors are not all told`() {
    let text = "[" + Array(repeating: "1", count: 100).joined(separator: ",") + "]"
    let found = problems(in: text)
    #expect(found.count == 20)
    #expect(
      found.last
        == "1:40-41 exchange 20: is a number, where an object is expected [and 80 more errors in fixtures.json]")
  }
}
