import Testing
import TideGraph
import TideValue

@testable import TideFixtures

struct FixtureMatchTests {
  @Test func `method, origin and path decide`() throws {
    let bench = try Bench(
      """
      [ { "request": { "url": "http://x/a" }, "response": { "body": "get" } },
        { "request": { "method": "POST", "url": "http://x/a" }, "response": { "body": "post" } },
        { "request": { "url": "http://y/a" }, "response": { "body": "other host" } },
        { "request": { "url": "/a" }, "response": { "body": "any host" } } ]
      """)
    #expect(try bench.body(of: .get("http://x/a")) == "get")
    #expect(try bench.body(of: .get("HTTP://u:p@X:80/b/../a")) == "get")
    #expect(try bench.body(of: .post("http://x/a", json: "1")) == "post")
    #expect(try bench.body(of: .get("http://y/a")) == "other host")
    #expect(try bench.body(of: .get("https://x/a")) == "any host")
  }

  @Test func `the first of several serves`() throws {
    let bench = try Bench(
      """
      { "exchanges": [
        { "request": { "url": "/a", "headers": { "X-A": "1" } }, "response": { "body": "special" } },
        { "request": { "url": "/a" }, "response": { "body": "first" } },
        { "request": { "url": "/a" }, "response": { "body": "second" } } ] }
      """)
    #expect(try bench.body(of: .get("http://x/a")) == "first")
    var request = Request.get("http://x/a")
    request.headers = [NamedText("x-a", "0"), NamedText("x-a", "1")]
    #expect(try bench.body(of: request) == "special")
    #expect(bench.transport.unused.map(\.number) == [3])
  }

  @Test func `a query matches in any order, and only as a whole`() throws {
    let bench = try Bench(
      """
      [ { "request": { "url": "/a?b=1", "query": { "c": ["2", "3"], "d": true } }, "response": { "body": "all" } },
        { "request": { "url": "/a" }, "response": { "body": "none" } },
        { "request": { "url": "/any", "query": true }, "response": { "body": "any" } } ]
      """)
    #expect(try bench.body(of: .get("http://x/a?d=true&c=3&b=1&c=2")) == "all")
    #expect(try bench.body(of: .get("http://x/a")) == "none")
    #expect(try bench.body(of: .get("http://x/any?token=17")) == "any")
    #expect(try bench.failure(of: .get("http://x/a?b=1&c=2&d=true"))?.kind == .unmatched)
    #expect(try bench.failure(of: .get("http://x/a?b=1&c=2&c=2&d=true"))?.kind == .unmatched)
    #expect(try bench.failure(of: .get("http://x/a?e="))?.kind == .unmatched)
  }

  @Test func `a form matches in any order, whether it is known as one or only sent as one`() throws {
    let bench = try Bench(
      """
      [ { "request": { "method": "POST", "url": "/a", "form": { "uid": 7, "n": ["b", "a b"] } }, "response": {} } ]
      """)
    #expect(try bench.body(of: .post("http://x/a", form: [("n", "a b"), ("uid", "7"), ("n", "b")])) == "")
    var raw = Request.post("http://x/a", json: "n=a+b&n=b&uid=7")
    #expect(try bench.failure(of: raw)?.kind == .unmatched)
    raw.headers = [NamedText("content-type", "application/x-www-form-urlencoded; charset=utf-8")]
    #expect(try bench.body(of: raw) == "")
  }

  @Test func `json matches by what it means`() throws {
    let bench = try Bench(
      """
      [ { "request": { "method": "POST", "url": "/a", "json": { "a": [1, 2.0], "b": null } }, "response": {} } ]
      """)
    #expect(try bench.body(of: .post("http://x/a", json: #"{ "b":null, "\u0061":[1.0, 2] }"#)) == "")
    #expect(try bench.failure(of: .post("http://x/a", json: #"{"a":[1,2]}"#))?.kind == .unmatched)
    #expect(try bench.failure(of: .post("http://x/a", json: #"{"a":[2,1],"b":null}"#))?.kind == .unmatched)
  }

  @Test func `a text body matches byte for byte`() throws {
    let bench = try Bench(#"[ { "request": { "method": "POST", "url": "/a", "body": "é" }, "response": {} } ]"#)
    #expect(try bench.body(of: .post("http://x/a", json: "\u{E9}")) == "")
    #expect(try bench.failure(of: .post("http://x/a", json: "e\u{301}"))?.kind == .unmatched)
  }

  @Test(arguments: [
    (
      Request.post("http://x/relation/detail", form: [("uid", "8"), ("session_id", "s"), ("debug", "1")]),
      "no exchange matches POST http://x/relation/detail; the nearest is exchange 2 (POST /relation/detail), which "
        + #"differs in form.uid: wanted "7", got "8"; form.debug: not expected, got "1""#
    ),
    (
      Request.post("http://x/relation/detail", form: [("uid", "7")]),
      "no exchange matches POST http://x/relation/detail; the nearest is exchange 2 (POST /relation/detail), which "
        + #"differs in form.session_id: wanted "s", got nothing"#
    ),
    (
      Request.get("http://x/relation/detail"),
      "no exchange matches GET http://x/relation/detail; the nearest is exchange 2 (POST /relation/detail), which "
        + "differs in method: wanted POST, got GET; form: the request has none"
    ),
    (
      Request.get("http://y/user?id=1"),
      "no exchange matches GET http://y/user; the nearest is exchange 3 (GET https://api/users), which differs in "
        + #"url: wanted https://api, got http://y; url: wanted /users, got /user; query.id: not expected, got "1""#
    ),
    (
      Request.post("http://x/deep", json: #"{"a":{"b":[1,{"c":3}]},"d":[1,2]}"#),
      "no exchange matches POST http://x/deep; the nearest is exchange 4 (POST /deep), which differs in "
        + "json.e: wanted null, got nothing; json.a.b[2].c: wanted 2, got 3; json.d: wanted 1 item, got 2"
    ),
    (
      Request.post("http://x/deep", json: "{"),
      "no exchange matches POST http://x/deep; the nearest is exchange 4 (POST /deep), which differs in "
        + "json: the request's body of 1 bytes is not JSON"
    ),
    (
      Request(method: "POST", url: "http://x/deep"),
      "no exchange matches POST http://x/deep; the nearest is exchange 4 (POST /deep), which differs in "
        + "json: the request has no body"
    ),
  ])
  func `a request that nothing matches is told what comes nearest`(request: Request, message: String) throws {
    let bench = try Bench(
      """
      [ { "request": { "url": "/a/b/c" }, "response": {} },
        { "request": { "method": "POST", "url": "/relation/detail", "form": { "uid": "7", "session_id": "s" } },
          "response": {} },
        { "request": { "url": "https://api/users" }, "response": {} },
        { "request": { "method": "POST", "url": "/deep", "json": { "a": { "b": [1, { "c": 2 }] }, "d": [1], "e": null } },
          "response": {} } ]
      """)
    let failure = try #require(try bench.failure(of: request))
    #expect(failure.kind == .unmatched)
    #expect(failure.message == message)
  }

  @Test func `only three differences are listed`() throws {
    let bench = try Bench(
      #"[ { "request": { "url": "/a", "query": {"a":1,"b":2,"c":3,"d":4,"e":5} }, "response": {} } ]"#)
    #expect(
      try bench.failure(of: .get("http://x/a"))?.message
        == "no exchange matches GET http://x/a; the nearest is exchange 1 (GET /a), which differs in "
        + #"query.a: wanted "1", got nothing; query.b: wanted "2", got nothing; query.c: wanted "3", got nothing; "#
        + "and 2 more")
  }

  @Test func `credentials stand in no message`() throws {
    let bench = try Bench(
      """
      [ { "request": { "url": "/a", "headers": { "Authorization": "Bearer right", "Cookie": "c", "X-A": "1" } },
          "response": {} } ]
      """)
    var request = Request.get("http://me:hidden@x/a")
    request.headers = [NamedText("authorization", "Bearer wrong"), NamedText("x-a", "2")]
    #expect(
      try bench.failure(of: request)?.message
        == "no exchange matches GET http://x/a; the nearest is exchange 1 (GET /a), which differs in "
        + "headers.authorization: has another value; headers.cookie: is missing; "
        + #"headers.x-a: wanted "1", got "2""#)
  }

  @Test func `no exchange at all matches nothing`() throws {
    let bench = try Bench(#"{ "exchanges": [] }"#)
    #expect(try bench.failure(of: .get("http://x/a"))?.message == "no exchange matches GET http://x/a: there are none")
  }

  @Test func `a body nested a thousand deep is compared`() throws {
    let deep = String(repeating: "[", count: 900) + "1" + String(repeating: "]", count: 900)
    let other = String(repeating: "[", count: 900) + "2" + String(repeating: "]", count: 900)
    let bench = try Bench(#"[ { "request": { "method": "POST", "url": "/a", "json": \#(deep) }, "response": {} } ]"#)
    #expect(try bench.body(of: .post("http://x/a", json: deep)) == "")
    let message = try #require(try bench.failure(of: .post("http://x/a", json: other))?.message)
    #expect(message.hasSuffix("[1][1]: wanted 1, got 2"))
  }

  @Test func `a path may have parameters and gaps`() throws {
    let bench = try Bench(
      """
      [ { "request": { "url": "/users/me" }, "response": { "body": "me" } },
        { "request": { "url": "/users/{id}" }, "response": { "body": "one" } },
        { "request": { "url": "https://x/users/{id}/orders/{order}.json" }, "response": { "body": "order" } },
        { "request": { "url": "/files/*.txt" }, "response": { "body": "text" } },
        { "request": { "url": "/all/**/end" }, "response": { "body": "deep" } },
        { "request": { "url": "/%7Bid%7D" }, "response": { "body": "braces" } },
        { "request": { "method": "*", "url": "/any" }, "response": { "body": "any" } } ]
      """)
    #expect(try bench.body(of: .get("http://x/users/me")) == "me")
    #expect(try bench.body(of: .get("http://x/users/7")) == "one")
    #expect(try bench.body(of: .get("http://x/users/a%2Fb")) == "one")
    #expect(try bench.body(of: .get("https://x/users/7/orders/8.json")) == "order")
    #expect(try bench.body(of: .get("http://x/files/.txt")) == "text")
    #expect(try bench.body(of: .get("http://x/all/a/b/c/end")) == "deep")
    #expect(try bench.body(of: .get("http://x/%7bid%7d")) == "braces")
    #expect(try bench.body(of: Request(method: "PATCH", url: "http://x/any")) == "any")
    for path in ["users/", "users/7/", "users/7/orders/.json", "files/a/b.txt", "all/end", "7"] {
      #expect(try bench.failure(of: .get("http://x/\(path)"))?.kind == .unmatched, "\(path)")
    }
    #expect(
      try bench.failure(of: .get("http://x/users/7/x"))?.message
        == "no exchange matches GET http://x/users/7/x; the nearest is exchange 2 (GET /users/{id}), which differs in "
        + "url: wanted /users/{id}, got /users/7/x")
  }

  @Test func `the first declared wins, gaps or not`() throws {
    let bench = try Bench(
      """
      [ { "request": { "url": "/a/*" }, "response": { "body": "gap" } },
        { "request": { "url": "/a/b" }, "response": { "body": "exact" } } ]
      """)
    #expect(try bench.body(of: .get("http://x/a/b")) == "gap")
    #expect(bench.transport.unused.map(\.number) == [2])
  }

  @Test func `values may have gaps`() throws {
    let bench = try Bench(
      #"""
      [ { "request": { "url": "/q?at=*&n=a*&n=*&star=%2A" }, "response": { "body": "query" } },
        { "request": { "url": "/h", "headers": { "X-A": "v*.1", "X-B": "\\*" } }, "response": { "body": "headers" } },
        { "request": { "method": "POST", "url": "/f", "form": { "t": "*" } }, "response": { "body": "form" } } ]
      """#)
    #expect(try bench.body(of: .get("http://x/q?n=ab&n=c&star=*&at=now")) == "query")
    #expect(try bench.body(of: .get("http://x/q?n=c&n=ab&star=%2A&at=")) == "query")
    #expect(try bench.failure(of: .get("http://x/q?n=ab&n=c&star=x&at=now"))?.kind == .unmatched)
    #expect(try bench.failure(of: .get("http://x/q?n=b&n=c&star=*&at=now"))?.kind == .unmatched)
    #expect(try bench.failure(of: .get("http://x/q?n=ab&star=*&at=now"))?.kind == .unmatched)
    var request = Request.get("http://x/h")
    request.headers = [NamedText("x-a", "v2/3.1"), NamedText("x-b", "*")]
    #expect(try bench.body(of: request) == "headers")
    request.headers[1].value = "b"
    #expect(try bench.failure(of: request)?.kind == .unmatched)
    #expect(try bench.body(of: .post("http://x/f", form: [("t", "a/b")])) == "form")
    #expect(try bench.failure(of: .post("http://x/f", form: []))?.kind == .unmatched)
  }

  @Test func `json matches as a subset`() throws {
    let bench = try Bench(
      """
      [ { "request": { "method": "POST", "url": "/a", "json_subset": { "a": { "b": [1, { "c": 2 }] } } },
          "response": {} } ]
      """)
    #expect(try bench.body(of: .post("http://x/a", json: #"{"a":{"b":[1,{"c":2,"d":3},4],"e":5},"f":6}"#)) == "")
    #expect(
      try bench.failure(of: .post("http://x/a", json: #"{"a":{"b":[1]}}"#))?.message
        == "no exchange matches POST http://x/a; the nearest is exchange 1 (POST /a), which differs in "
        + "json.a.b: wanted 2 items, got 1")
    #expect(try bench.failure(of: .post("http://x/a", json: #"{"a":{"b":[1,{"c":3}]}}"#))?.kind == .unmatched)
  }

  @Test func `json matches by conditions`() throws {
    let bench = try Bench(
      """
      [ { "request": { "method": "POST", "url": "/a", "json_where": {
            "user.name": { "matches": "^A" }, "$.items[0].n": { "min": 1, "max": 3 }, "kind": ["x", "y"],
            "secret": { "exists": false } } },
          "response": {} } ]
      """)
    #expect(
      try bench.body(of: .post("http://x/a", json: #"{"user":{"name":"Ada"},"items":[{"n":2}],"kind":"y"}"#)) == "")
    #expect(
      try bench.failure(
        of: .post("http://x/a", json: #"{"user":{"name":"Bob"},"items":[{"n":4}],"kind":"y","secret":1}"#))?.message
        == "no exchange matches POST http://x/a; the nearest is exchange 1 (POST /a), which differs in "
        + "json: 'user.name' is \"Bob\", which does not match \"^A\"; json: '$.items[0].n' is 4, more than 3; "
        + "json: 'secret' is there, and must not be")
    #expect(try bench.failure(of: .post("http://x/a", json: "x"))?.kind == .unmatched)
  }
}
