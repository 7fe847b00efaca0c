import Testing
import TideBarrier
import TideGraph
import TideValue

@testable import TideFixtures

struct FixtureTransportTests {
  @Test func `a response arrives with its status, headers, body, address and time`() throws {
    let bench = try Bench(
      """
      [ { "request": { "url": "/a", "query": true },
          "response": { "status": 404, "headers": { "X-A": ["1", "2"] }, "json": { "n": 1.10 }, "delay": "200ms" } } ]
      """)
    let response = try bench.ask(.get("http://x/a?b=1")).get()
    #expect(response.status == 404)
    #expect(
      response.headers == [NamedText("X-A", "1"), NamedText("X-A", "2"), NamedText("Content-Type", "application/json")])
    #expect(String(decoding: response.body.bytes, as: UTF8.self) == #"{"n":1.10}"#)
    #expect(response.url == "http://x/a?b=1")
    #expect(response.elapsed == .milliseconds(200))
    #expect(bench.executor.now.nanoseconds == 200_000_000)
  }

  @Test func `a text has a type, a body only the one it is given`() throws {
    let bench = try Bench(
      """
      [ { "request": { "url": "/text" }, "response": { "text": "é" } },
        { "request": { "url": "/body" }, "response": { "body": "[1" } },
        { "request": { "url": "/typed" }, "response": { "json": [], "headers": { "content-type": "application/x" } } },
        { "request": { "url": "/nothing" }, "response": {} } ]
      """)
    #expect(
      try bench.ask(.get("http://x/text")).get().headers == [NamedText("Content-Type", "text/plain; charset=utf-8")])
    #expect(try bench.body(of: .get("http://x/text")) == "é")
    #expect(try bench.ask(.get("http://x/body")).get().headers == [])
    #expect(try bench.body(of: .get("http://x/body")) == "[1")
    #expect(try bench.ask(.get("http://x/typed")).get().headers == [NamedText("content-type", "application/x")])
    let nothing = try bench.ask(.get("http://x/nothing")).get()
    #expect(nothing.status == 200)
    #expect(nothing.body.count == 0)
  }

  @Test func `one answer serves for ever, a list is used up in order`() throws {
    let bench = try Bench(
      """
      [ { "request": { "url": "/list" },
          "responses": [ { "status": 503 }, { "failure": "reset" }, { "json": [1] } ] },
        { "request": { "url": "/list" }, "response": { "body": "never reached" } },
        { "request": { "url": "/one" }, "responses": [ { "body": "once" } ] },
        { "request": { "url": "/ever" }, "response": { "body": "ever" } } ]
      """)
    #expect(try bench.ask(.get("http://x/list")).get().status == 503)
    #expect(try bench.failure(of: .get("http://x/list"))?.kind == .reset)
    #expect(try bench.body(of: .get("http://x/list")) == "[1]")
    let usedUp = try #require(try bench.failure(of: .get("http://x/list")))
    #expect(usedUp.kind == .unmatched)
    #expect(usedUp.message == "the list of 3 answers of exchange 1 (GET /list) is used up")
    #expect(try bench.body(of: .get("http://x/one")) == "once")
    #expect(
      try bench.failure(of: .get("http://x/one"))?.message
        == "the list of 1 answer of exchange 3 (GET /one) is used up")
    for _ in 0..<5 { #expect(try bench.body(of: .get("http://x/ever")) == "ever") }
  }

  @Test func `what was asked and what was not is on record`() throws {
    let bench = try Bench(
      """
      [ { "request": { "url": "/a" }, "responses": [ {} ] },
        { "request": { "url": "/b" }, "response": {} },
        { "request": { "url": "/c" }, "failure": "never" } ]
      """)
    #expect(bench.transport.unused.map(\.title) == ["GET /a", "GET /b", "GET /c"])
    for path in ["a", "a", "z", "c"] { bench.send(.get("http://x/\(path)")) }
    #expect(bench.transport.log.map(\.exchange) == [1, nil, nil, 3])
    #expect(bench.transport.log.map(\.url) == ["http://x/a", "http://x/a", "http://x/z", "http://x/c"])
    #expect(bench.transport.unused.map(\.number) == [2])
  }

  @Test(arguments: [
    ("refused", Failure.Kind.connect, "x:81 refused the connection"),
    ("dns", .dns, "x:81 can't be resolved"),
    ("tls", .tls, "the TLS handshake with x:81 failed"),
    ("reset", .reset, "x:81 reset the connection"),
    ("truncated", .truncated, "x:81 closed the connection before the answer was whole"),
    ("malformed", .malformed, "x:81 answered with something that is not HTTP"),
    ("timeout", .timeout, "x:81 did not answer within 30s"),
  ])
  func `a failure is the one that is named`(name: String, kind: Failure.Kind, message: String) throws {
    let bench = try Bench(
      """
      [ { "request": { "url": "/a" }, "failure": "\(name)" },
        { "request": { "url": "/b" }, "failure": "\(name)", "message": "as it is", "delay": 2 } ]
      """)
    let plain = try #require(try bench.failure(of: .get("http://x:81/a")))
    #expect(plain.kind == kind)
    #expect(plain.message == message)
    let before = bench.executor.now
    let told = try #require(try bench.failure(of: .get("http://x:81/b")))
    #expect(told.kind == kind)
    #expect(told.message == "as it is")
    #expect(before.duration(to: bench.executor.now) == .seconds(2))
  }

  @Test func `a timeout waits for the request's limit`() throws {
    let bench = try Bench(#"[ { "request": { "url": "/a" }, "failure": "timeout" } ]"#)
    var request = Request.get("http://x/a")
    request.timeout = .milliseconds(1500)
    let failure = try #require(try bench.failure(of: request))
    #expect(failure.kind == .timeout)
    #expect(failure.message == "x did not answer within 1.5s")
    #expect(bench.executor.now.nanoseconds == 1_500_000_000)
  }

  @Test func `a request's limit ends the wait for an answer that comes later, and not for one in time`() throws {
    let bench = try Bench(
      """
      [ { "request": { "url": "/slow" }, "response": { "delay": "300ms" } },
        { "request": { "url": "/reset" }, "failure": "reset", "delay": "1h" },
        { "request": { "url": "/never" }, "failure": "never" },
        { "request": { "url": "/now" }, "response": {} } ]
      """)
    func ask(_ path: String, within limit: Int) throws -> Failure? {
      var request = Request.get("http://x/\(path)")
      request.timeout = .milliseconds(limit)
      return try bench.failure(of: request)
    }
    #expect(try ask("slow", within: 299)?.message == "x did not answer within 299ms")
    #expect(try ask("slow", within: 300) == nil)
    #expect(try ask("reset", within: 50)?.kind == .timeout)
    #expect(try ask("never", within: 50)?.kind == .timeout)
    #expect(try ask("now", within: 0) == nil)
    #expect(bench.executor.now.nanoseconds == 699_000_000)
  }

  @Test func `what never answers ends with an abort`() throws {
    let bench = try Bench(#"[ { "request": { "url": "/a" }, "failure": "never" } ]"#)
    let flight = bench.send(.get("http://x/a"))
    try bench.executor.runUntilIdle()
    #expect(bench.results.isEmpty)
    flight.abort()
    flight.abort()
    try bench.executor.runUntilIdle()
    #expect(bench.results.count == 1)
    guard case .failure(let failure)? = bench.results.first else { return #expect(Bool(false), "it succeeded") }
    #expect(failure.kind == .cancelled)
  }

  @Test func `an abort takes a delayed answer's timer away`() throws {
    let bench = try Bench(#"[ { "request": { "url": "/a" }, "response": { "delay": "1h" } } ]"#)
    let flight = bench.send(.get("http://x/a"))
    #expect(bench.executor.pendingTimers == 1)
    flight.abort()
    #expect(bench.executor.pendingTimers == 0)
    try bench.executor.runUntilIdle()
    #expect(bench.results.count == 1)
    #expect(bench.executor.now.nanoseconds == 0)
  }

  @Test func `an abort after the end changes nothing`() throws {
    let bench = try Bench(#"[ { "request": { "url": "/a" }, "response": {} } ]"#)
    let flight = bench.send(.get("http://x/a"))
    try bench.executor.runUntilIdle()
    flight.abort()
    try bench.executor.runUntilIdle()
    #expect(bench.results.count == 1)
    #expect(try bench.results[0].get().status == 200)
  }

  @Test func `an answer and an abort race to one end`() throws {
    var kinds: Set<String> = []
    let orders = try forEachOrder { choices in
      let bench = try Bench(#"[ { "request": { "url": "/a" }, "response": {} } ]"#, choices: choices)
      bench.send(.get("http://x/a")).abort()
      try bench.executor.runUntilIdle()
      #expect(bench.results.count == 1)
      for case .success in bench.results { kinds.insert("ok") }
      for case .failure(let failure) in bench.results { kinds.insert(failure.kind.description) }
    }
    #expect(orders == 2)
    #expect(kinds == ["ok", "cancelled"])
  }

  @Test func `nothing is answered before send has returned, and the order is the executor's`() throws {
    var orders: Set<[String]> = []
    try forEachOrder { choices in
      let bench = try Bench(#"[ { "request": { "url": "/a" }, "response": {} } ]"#, choices: choices)
      for name in ["1", "2", "3"] { bench.send(.get("http://x/a"), as: name) }
      #expect(bench.names.isEmpty)
      try bench.executor.runUntilIdle()
      orders.insert(bench.names)
    }
    #expect(orders.count == 6)
  }

  @Test func `an answer over the request's limit is too large`() throws {
    let bench = try Bench(#"[ { "request": { "url": "/a" }, "response": { "body": "12345" } } ]"#)
    var request = Request.get("http://x/a")
    request.maximumBytes = 5
    #expect(try bench.failure(of: request) == nil)
    request.maximumBytes = 4
    let failure = try #require(try bench.failure(of: request))
    #expect(failure.kind == .tooLarge)
    #expect(failure.message == "the answer has more than 4 bytes, which is the limit")
  }

  @Test(arguments: ["", "a", "/a", "http://"])
  func `what is no URL fails`(url: String) throws {
    let bench = try Bench(#"[ { "request": { "url": "/a" }, "response": {} } ]"#)
    #expect(try bench.failure(of: .get(url))?.kind == .request)
  }

  @Test func `many threads use up a list exactly`() async throws {
    let executor = DispatchExecutor()
    let list = Array(repeating: "{}", count: 500).joined(separator: ",")
    let fixtures = try Fixtures.parse(
      file: "f", text: #"[ { "request": { "url": "/a" }, "responses": [ \#(list) ] } ]"#)
    let transport = FixtureTransport(fixtures, executor: executor)
    let served = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<800 {
        group.addTask {
          await withCheckedContinuation { continuation in
            _ = transport.send(.get("http://x/a")) { result in
              if case .success = result { continuation.resume(returning: true) }
              if case .failure = result { continuation.resume(returning: false) }
            }
          }
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(served == 500)
    #expect(transport.log.count == 800)
    #expect(transport.log.count { $0.exchange == 1 } == 500)
  }

  @Test func `after an end nothing is kept alive`() throws {
    let bench = try Bench(
      """
      [ { "request": { "url": "/a" }, "response": {} }, { "request": { "url": "/b" }, "response": { "delay": 1 } },
        { "request": { "url": "/c" }, "failure": "never" } ]
      """)
    weak let first = bench.send(.get("http://x/a"))
    weak let second = bench.send(.get("http://x/b"))
    weak let third = bench.send(.get("http://x/c"))
    #expect(first != nil)
    #expect(second != nil)
    #expect(third == nil)
    try bench.executor.runUntilIdle()
    #expect(first == nil)
    #expect(second == nil)
    #expect(bench.results.count == 2)
  }
}
