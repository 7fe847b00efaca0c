import Testing
import TideGraph
import TideValue

@testable import TideFixtures

struct WireMockTests {
  /// Mappings with these requests, each answered with its number.
  private func bench(_ requests: String...) throws -> Bench {
    let mappings = requests.enumerated().map { index, request in
      #"{ "request": \#(request), "response": { "status": 200, "body": "\#(index + 1)" } }"#
    }
    return try Bench(#"{ "mappings": [ \#(mappings.joined(separator: ", ")) ], "meta": { "total": 1 } }"#)
  }

  private func found(request: String) -> [String] {
    problems(in: #"{"request":\#(request),"response":{}}"#).map { String($0.drop { $0 != " " }.dropFirst()) }
  }

  @Test func `one mapping is read, with everything that changes nothing`() throws {
    let bench = try Bench(
      """
      { "id": "8c5db8b0", "uuid": "8c5db8b0", "name": "users", "persistent": true, "metadata": { "a": 1 },
        "insertionIndex": 3, "priority": 1,
        "request": { "method": "GET", "urlPath": "/users" },
        "response": { "status": 201, "statusMessage": "Made", "headers": { "X-A": ["1", "2"] },
                      "jsonBody": { "n": 1.10 }, "fixedDelayMilliseconds": 1500 } }
      """)
    let response = try bench.ask(.get("https://anywhere/users?any=1")).get()
    #expect(response.status == 201)
    #expect(
      response.headers == [NamedText("X-A", "1"), NamedText("X-A", "2"), NamedText("Content-Type", "application/json")])
    #expect(String(decoding: response.body.bytes, as: UTF8.self) == #"{"n":1.10}"#)
    #expect(bench.executor.now.nanoseconds == 1_500_000_000)
  }

  @Test func `a URL matches whole, by its path, by an expression, or by a template`() throws {
    let bench = try bench(
      #"{ "url": "/a?x=1&y=2" }"#, #"{ "urlPath": "/b" }"#, #"{ "urlPattern": "/c/\\d+\\?x=[a-z]*" }"#,
      #"{ "urlPathPattern": "/d/(?:one|two)/.+?" }"#, #"{ "urlPathTemplate": "/e/{id}/f" }"#, #"{ "method": "HEAD" }"#)
    #expect(try bench.body(of: .get("http://x/a?y=2&x=1")) == "1")
    #expect(try bench.body(of: .get("http://x/b?q")) == "2")
    #expect(try bench.body(of: .get("http://x/c/17?x=abc")) == "3")
    #expect(try bench.body(of: .post("http://x/d/two/x?y", json: "1")) == "4")
    #expect(try bench.body(of: .get("http://x/e/7/f")) == "5")
    #expect(try bench.body(of: Request(method: "HEAD", url: "http://x/whatever?y")) == "6")
    for path in ["a?x=1", "a", "c/17", "c/x?x=a", "d/three/x", "d/one/", "e//f"] {
      #expect(try bench.failure(of: .get("http://x/\(path)"))?.kind == .unmatched, "\(path)")
    }
  }

  @Test func `headers, parameters and forms match value by value`() throws {
    let bench = try bench(
      """
      { "urlPath": "/a",
        "headers": { "Accept": { "contains": "json" }, "X-Case": { "equalTo": "ABC", "caseInsensitive": true },
                     "X-Not": { "absent": true }, "X-Num": { "not": { "matches": "[0-9]+" } },
                     "X-Either": { "or": [ { "equalTo": "1" }, { "and": [ { "contains": "2" }, { "contains": "3" } ] } ] } },
        "queryParameters": { "q": { "matches": "a.c" }, "r": { "doesNotMatch": "x.*" }, "s": { "doesNotContain": "y" } } }
      """, #"{ "urlPath": "/f", "formParameters": { "uid": { "equalTo": "7" } } }"#,
      #"{ "urlPath": "/basic", "basicAuthCredentials": { "username": "u", "password": "p" } }"#)
    var request = Request.get("http://x/a?q=no&q=abc&r=1&s=z&more=1")
    request.headers = [
      NamedText("accept", "application/json"), NamedText("x-case", "abc"), NamedText("x-num", "x"),
      NamedText("X-Either", "32"),
    ]
    #expect(try bench.body(of: request) == "1")
    for (index, value) in ["text", "ab", "1", "2"].enumerated() {
      var other = request
      other.headers[index].value = value
      #expect(try bench.failure(of: other)?.kind == .unmatched, "\(value)")
    }
    request.headers.append(NamedText("x-not", ""))
    #expect(
      try bench.failure(of: request)?.message
        == "no exchange matches GET http://x/a; the nearest is exchange 1 (ANY /a), which differs in "
        + #"headers.x-not: wanted none, got """#)
    #expect(try bench.body(of: .post("http://x/f", form: [("more", "1"), ("uid", "7")])) == "2")
    #expect(try bench.failure(of: .post("http://x/f", form: [("uid", "8")]))?.kind == .unmatched)
    var basic = Request.get("http://x/basic")
    basic.headers = [NamedText("Authorization", "Basic dTpw")]
    #expect(try bench.body(of: basic) == "3")
    basic.headers[0].value = "Basic dTpx"
    #expect(
      try bench.failure(of: basic)?.message.hasSuffix("differs in headers.authorization: has another value") == true)
  }

  @Test func `every pattern of a body has to hold`() throws {
    let bench = try bench(
      #"{ "urlPath": "/text", "bodyPatterns": [ { "contains": "b" }, { "matches": "a.*c" } ] }"#,
      #"{ "urlPath": "/json", "bodyPatterns": [ { "equalToJson": "{ \"a\": [1, 2] }" } ] }"#,
      #"{ "urlPath": "/order", "bodyPatterns": [ { "equalToJson": { "a": [1, [2, 3]] }, "ignoreArrayOrder": true } ] }"#,
      #"{ "urlPath": "/more", "bodyPatterns": [ { "equalToJson": { "a": [1] }, "ignoreExtraElements": true } ] }"#,
      #"{ "urlPath": "/loose", "bodyPatterns": [ { "equalToJson": [{ "a": 1 }, { "b": 2 }], "ignoreExtraElements": true, "ignoreArrayOrder": true } ] }"#,
      #"{ "urlPath": "/none", "bodyPatterns": [ { "absent": true } ] }"#)
    func isMatch(_ path: String, _ body: String) throws -> Bool {
      try bench.failure(of: .post("http://x/\(path)", json: body)) == nil
    }
    #expect(try isMatch("text", "abc"))
    #expect(try !isMatch("text", "ac"))
    #expect(try !isMatch("text", "b"))
    #expect(try isMatch("json", #"{"a":[1.0,2]}"#))
    #expect(try !isMatch("json", #"{"a":[2,1]}"#))
    #expect(try !isMatch("json", #"{"a":[1,2],"b":1}"#))
    #expect(try isMatch("order", #"{"a":[[3,2],1]}"#))
    #expect(try !isMatch("order", #"{"a":[[3,2],1,1]}"#))
    #expect(try !isMatch("order", #"{"a":[[3,3],1]}"#))
    #expect(try isMatch("more", #"{"a":[1,2],"b":1}"#))
    #expect(try !isMatch("more", #"{"a":[2,1]}"#))
    #expect(try isMatch("loose", #"[{"b":2,"c":3},{},{"a":1,"d":4}]"#))
    #expect(try !isMatch("loose", #"[{"b":2,"a":1}]"#))
    #expect(try !isMatch("none", "x"))
    #expect(try isMatch("none", ""))
    #expect(try bench.failure(of: .get("http://x/none")) == nil)
  }

  @Test func `a JSONPath has to find something, or something that matches`() throws {
    let bench = try bench(
      #"{ "urlPath": "/a", "bodyPatterns": [ { "matchesJsonPath": "$.things[?(@.name == 'x')]" } ] }"#,
      #"{ "urlPath": "/b", "bodyPatterns": [ { "matchesJsonPath": { "expression": "$.n", "equalTo": "17" } } ] }"#,
      #"{ "urlPath": "/c", "bodyPatterns": [ { "matchesJsonPath": { "expression": "$..name", "contains": "da" } } ] }"#,
      #"{ "urlPath": "/d", "bodyPatterns": [ { "matchesJsonPath": { "expression": "$.o", "equalToJson": "{\"a\":1}" } } ] }"#
    )
    func isMatch(_ path: String, _ body: String) throws -> Bool {
      try bench.failure(of: .post("http://x/\(path)", json: body)) == nil
    }
    #expect(try isMatch("a", #"{"things":[{"name":"y"},{"name":"x"}]}"#))
    #expect(try !isMatch("a", #"{"things":[{"name":"y"}]}"#))
    #expect(try !isMatch("a", "x"))
    #expect(try isMatch("b", #"{"n":17}"#))
    #expect(try isMatch("b", #"{"n":"17"}"#))
    #expect(try !isMatch("b", #"{"n":18}"#))
    #expect(try !isMatch("b", #"{"n":null}"#))
    #expect(try isMatch("c", #"[{"name":"Bob"},{"name":"Ada"}]"#))
    #expect(try !isMatch("c", #"[{"name":"Bob"}]"#))
    #expect(try isMatch("d", #"{"o":{"a":1.0}}"#))
  }

  @Test func `the lowest priority comes first, then the last added`() throws {
    let bench = try Bench(
      """
      { "mappings": [
        { "request": { "urlPath": "/a" }, "response": { "body": "old" } },
        { "request": { "urlPath": "/a" }, "response": { "body": "new" } },
        { "request": { "urlPathPattern": "/.*" }, "response": { "body": "late" }, "priority": 10 },
        { "request": { "urlPath": "/a", "headers": { "X": { "equalTo": "1" } } }, "response": { "body": "first" },
          "priority": 1 } ] }
      """)
    #expect(try bench.body(of: .get("http://x/a")) == "new")
    #expect(try bench.body(of: .get("http://x/b")) == "late")
    var request = Request.get("http://x/a")
    request.headers = [NamedText("X", "1")]
    #expect(try bench.body(of: request) == "first")
    #expect(bench.transport.unused.map(\.number) == [1])
    #expect(bench.transport.log.map(\.exchange) == [2, 3, 4])
  }

  @Test func `a scenario goes from state to state`() throws {
    let bench = try Bench(
      """
      { "mappings": [
        { "scenarioName": "cart", "requiredScenarioState": "Started", "newScenarioState": "filled",
          "request": { "method": "POST", "url": "/cart" }, "response": { "status": 201 } },
        { "scenarioName": "cart", "requiredScenarioState": "Started",
          "request": { "method": "GET", "url": "/cart" }, "response": { "body": "empty" } },
        { "scenarioName": "cart", "requiredScenarioState": "filled",
          "request": { "method": "GET", "url": "/cart" }, "response": { "body": "full" } } ] }
      """)
    #expect(try bench.body(of: .get("http://x/cart")) == "empty")
    #expect(try bench.ask(.post("http://x/cart", json: "1")).get().status == 201)
    #expect(try bench.body(of: .get("http://x/cart")) == "full")
    #expect(
      try bench.failure(of: .post("http://x/cart", json: "1"))?.message
        == "no exchange matches POST http://x/cart now: exchange 1 (POST /cart) answers while the scenario \"cart\" is in "
        + "the state \"Started\", and it is in \"filled\"")
  }

  @Test(arguments: [
    ("EMPTY_RESPONSE", Failure.Kind.reset), ("CONNECTION_RESET_BY_PEER", .reset),
    ("MALFORMED_RESPONSE_CHUNK", .malformed), ("RANDOM_DATA_THEN_CLOSE", .malformed),
  ])
  func `a fault is a failure`(fault: String, kind: Failure.Kind) throws {
    let bench = try Bench(#"{ "request": { "url": "/a" }, "response": { "fault": "\#(fault)" } }"#)
    #expect(try bench.failure(of: .get("http://x/a"))?.kind == kind)
  }

  @Test func `a body may be base64`() throws {
    let bench = try Bench(#"{ "request": { "url": "/a" }, "response": { "base64Body": "AP8" } }"#)
    #expect(Array(try bench.ask(.get("http://x/a")).get().body.bytes) == [0, 255])
  }

  @Test(arguments: [
    (#"{"url":"a"}"#, #"request.url: is "a", where a path that begins with / is expected"#),
    (
      #"{"urlPath":"/a?b"}"#, "request.urlPath: has a query (write 'url', or 'queryParameters' beside it)"
    ),
    (#"{"url":"/","urlPath":"/"}"#, "request: 'url' and 'urlPath' exclude each other"),
    (
      #"{"url":"/","queryParameters":{}}"#,
      "request: 'queryParameters' beside 'url', which is the whole query (write 'urlPath')"
    ),
    (
      #"{"url":"/","cookies":{}}"#,
      "request: WireMock's 'cookies' is not supported here (supported here: basicAuthCredentials, bodyPatterns, "
        + "formParameters, headers, method, queryParameters, url, urlPath, urlPattern, urlPathPattern, urlPathTemplate)"
    ),
    (#"{"urlPattern":"(?=a)"}"#, #"request.urlPattern: "(?=a)" has a group '(?=', which is not supported"#),
    (#"{"urlPattern":"(a"}"#, #"request.urlPattern: "(a" is no regular expression, or too large a one"#),
    (#"{"headers":[]}"#, "request.headers: is a list, where an object is expected"),
    (
      #"{"headers":{"A":{}}}"#,
      "request.headers.A: has no matcher (supported here: and, contains, doesNotContain, doesNotMatch, equalTo, "
        + "equalToJson, matches, matchesJsonPath, not, or)"
    ),
    (
      #"{"headers":{"A":{"equalTo":"a","contains":"b"}}}"#,
      "request.headers.A: 'contains' and 'equalTo' exclude each other"
    ),
    (
      #"{"headers":{"A":{"contains":"a","caseInsensitive":true}}}"#,
      "request.headers.A: 'caseInsensitive' does not belong to 'contains'"
    ),
    (
      #"{"bodyPatterns":[{"equalToXml":"<a/>"}]}"#,
      "request.bodyPatterns[1]: WireMock's 'equalToXml' is not supported here (did you mean 'equalTo'?)"
    ),
    (#"{"bodyPatterns":[{"equalToJson":"{"}]}"#, nil),
    (
      #"{"bodyPatterns":[{"equalToJson":{"a":"${json-unit.any-string}"}}]}"#,
      "request.bodyPatterns[1].equalToJson: has a placeholder '${json-unit...}', which is not supported here"
    ),
    (
      #"{"bodyPatterns":[{"matchesJsonPath":"$[?(@.a =~ /x/)]"}]}"#, nil
    ),
    (
      #"{"bodyPatterns":[{"matchesJsonPath":"a"}]}"#,
      #"request.bodyPatterns[1].matchesJsonPath: is "a", where a JSONPath that begins with $ is expected"#
    ),
  ])
  func `what is not supported is named`(request: String, expected: String?) {
    let found = found(request: request)
    #expect(found.count == 1)
    if let expected { #expect(found == [expected]) } else { #expect(found[0].hasPrefix("request.bodyPatterns[1].")) }
  }

  @Test(arguments: [
    (
      #"{"request":{},"response":{"transformers":["x"]}}"#,
      "response: WireMock's 'transformers' is not supported here (supported here: fault, fixedDelayMilliseconds, "
        + "headers, status, statusMessage, body, jsonBody, base64Body, bodyFileName)"
    ),
    (#"{"request":{}}"#, "'response' is missing"),
    (
      #"{"request":{},"response":{"status":700}}"#,
      "response.status: is 700, where a status from 200 to 599 is expected"
    ),
    (#"{"request":{},"response":{"body":"a","jsonBody":1}}"#, "response: 'body' and 'jsonBody' exclude each other"),
    (#"{"request":{},"response":{"base64Body":"a"}}"#, "response.base64Body: is no base64"),
    (
      #"{"request":{},"response":{"bodyFileName":"a"}}"#,
      "response.bodyFileName: can't read the body 'a': there is no folder to read it from"
    ),
    (
      #"{"request":{},"response":{"fixedDelayMilliseconds":-1}}"#,
      "response.fixedDelayMilliseconds: is -1, where a number of milliseconds is expected"
    ),
    (
      #"{"request":{},"response":{"fault":"BOOM"}}"#,
      #"response.fault: is "BOOM", which is no fault (one of: CONNECTION_RESET_BY_PEER, EMPTY_RESPONSE, "#
        + "MALFORMED_RESPONSE_CHUNK, RANDOM_DATA_THEN_CLOSE)"
    ),
    (#"{"request":{},"response":{},"priority":"1"}"#, "priority: is a text, where a whole number is expected"),
    (
      #"{"request":{},"response":{},"newScenarioState":"a"}"#, "has a state of a scenario, and no 'scenarioName'"
    ),
    (
      #"{"mappings":[{"request":{},"response":{}},{"request":{},"response":{},"postServeActions":[]}]}"#,
      "mapping 2: WireMock's 'postServeActions' is not supported here (supported here: id, insertionIndex, metadata, "
        + "name, newScenarioState, persistent, priority, request, requiredScenarioState, response, scenarioName, uuid)"
    ),
    (#"{"mappings":1}"#, "'mappings' is a number, where a list of mappings is expected"),
  ])
  func `a mapping that can't be served is refused`(text: String, expected: String) {
    #expect(problems(in: text).map { String($0.drop { $0 != " " }.dropFirst()) } == [expected])
  }
}
