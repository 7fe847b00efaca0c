import TideBarrier
import TideFixtures
import TideGraph
import TideHTTP
import TideMock
import TideValue
import Testing

/// Over real sockets, with the transport that workflows use.
struct MockServerTests {
  @Test func `a request is answered as fixtures say, whatever their origin`() async throws {
    let bench = try MockBench(
      """
      [ { "request": { "url": "https://api.example.com/users/{id}?page=*" },
          "response": { "status": 201, "headers": { "X-A": ["1", "2"] }, "json": { "n": 1.10 } } },
        { "request": { "method": "POST", "url": "/form", "form": { "a": "1 2", "b": "é" } },
          "response": { "text": "form" } },
        { "request": { "method": "PUT", "url": "/json", "json_subset": { "a": 1 }, "headers": { "X-K": "v" } },
          "response": {} } ]
      """)
    let response = try await bench.answer(to: Request(method: "GET", url: bench.url + "/users/7?page=2")).get()
    #expect(response.status == 201)
    #expect(response.headers.filter { $0.name == "X-A" }.map(\.value) == ["1", "2"])
    #expect(response.header("Content-Type") == "application/json")
    #expect(response.text == #"{"n":1.10}"#)
    var form = Request(method: "POST", url: bench.url + "/form")
    form.headers = [NamedText("Content-Type", "application/x-www-form-urlencoded")]
    form.body = Buffer(copying: "b=%C3%A9&a=1+2".utf8)
    #expect(try await bench.answer(to: form).get().text == "form")
    var json = Request(method: "PUT", url: bench.url + "/json", headers: [NamedText("x-k", "v")])
    json.body = Buffer(copying: #"{"a":1,"b":2}"#.utf8)
    #expect(try await bench.answer(to: json).get().body.count == 0)
    #expect(bench.server.unused.isEmpty)
    #expect(
      bench.served == [
        "GET /users/7 201 exchange 1", "POST /form 200 exchange 2", "PUT /json 200 exchange 3",
      ])
  }

  @Test func `what nothing matches is 404, and says what comes nearest`() async throws {
    let bench = try MockBench(#"[ { "request": { "url": "/a?b=1" }, "responses": [ {} ] } ]"#)
    let response = try await bench.answer(to: Request(method: "GET", url: bench.url + "/a?b=2")).get()
    #expect(response.status == 404)
    #expect(
      response.text
        == "no exchange matches GET /a; the nearest is exchange 1 (GET /a), which differs in query.b: "
        + "wanted \"1\", got \"2\"\n")
    #expect(bench.server.unused.map(\.number) == [1])
    #expect(try await bench.answer(to: Request(method: "GET", url: bench.url + "/a?b=1")).get().status == 200)
    let usedUp = try await bench.answer(to: Request(method: "GET", url: bench.url + "/a?b=1")).get()
    #expect(usedUp.status == 404)
    #expect(
      usedUp.text == "the list of 1 answer of exchange 1 (GET /a) is used up\n"
        + "help: a single 'response' in place of 'responses' serves for ever\n")
    #expect(bench.served == ["GET /a 404", "GET /a 200 exchange 1", "GET /a 404"])
  }

  @Test(arguments: [
    ("reset", Failure.Kind.reset), ("refused", .reset), ("dns", .reset), ("tls", .reset), ("truncated", .truncated),
    ("malformed", .malformed), ("timeout", .timeout), ("never", .timeout),
  ])
  func `a failure is told as far as a server can`(name: String, kind: Failure.Kind) async throws {
    let bench = try MockBench(#"[ { "request": { "url": "/a" }, "failure": "\#(name)" } ]"#)
    var request = Request(method: "GET", url: bench.url + "/a")
    if kind == .timeout { request.timeout = .milliseconds(50) }
    guard case .failure(let failure) = await bench.answer(to: request) else {
      #expect(Bool(false), "it succeeded")
      return
    }
    #expect(failure.kind == kind)
    #expect(bench.served == ["GET /a \(name) exchange 1"])
  }

  @Test func `an answer comes after its delay, and holds up no other`() async throws {
    let executor = ManualExecutor()
    let bench = try MockBench(
      #"[ { "request": { "url": "/slow" }, "response": { "text": "slow", "delay": "1h" } }, { "request": { "url": "/fast" }, "response": {} } ]"#,
      executor: executor)
    async let slow = bench.answer(to: Request(method: "GET", url: bench.url + "/slow"))
    let timer = try await executor.firstTimer()
    #expect(timer.delay == .seconds(3600))
    #expect(try await bench.answer(to: Request(method: "GET", url: bench.url + "/fast")).get().status == 200)
    timer.work()
    #expect(try await slow.get().text == "slow")
    // A timer that fires once more finds nobody.
    timer.work()
  }

  @Test func `a server that stops ends what still waits`() async throws {
    let executor = ManualExecutor()
    let bench = try MockBench(
      #"[ { "request": { "url": "/a" }, "response": { "delay": "1h" } }, { "request": { "url": "/b" }, "failure": "never" } ]"#,
      executor: executor)
    async let first = bench.answer(to: Request(method: "GET", url: bench.url + "/a"))
    async let second = bench.answer(to: Request(method: "GET", url: bench.url + "/b"))
    let timer = try await executor.firstTimer()
    try await bench.waitUntilServed(2)
    bench.server.stop()
    bench.server.stop()
    for result in await [first, second] {
      guard case .failure(let failure) = result else { return #expect(Bool(false), "it succeeded") }
      #expect(failure.kind == .reset)
    }
    timer.work()
    guard case .failure(let failure) = await bench.answer(to: Request(method: "GET", url: bench.url + "/b")) else {
      return #expect(Bool(false), "it succeeded")
    }
    #expect(failure.kind == .connect)
  }

  @Test func `large bodies go both ways`() async throws {
    let text = String(repeating: "0123456789", count: 300_000)
    let bench = try MockBench(
      #"[ { "request": { "method": "POST", "url": "/a", "body": "\#(text)" }, "response": { "body": "\#(text)" } } ]"#)
    var request = Request(method: "POST", url: bench.url + "/a")
    request.body = Buffer(copying: text.utf8)
    #expect(try await bench.answer(to: request).get().text == text)
  }

  @Test func `many requests at once are each answered`() async throws {
    let bench = try MockBench(
      #"[ { "request": { "url": "/{n}" }, "response": { "text": "x", "delay": "1ms" } }, { "request": { "url": "/now/{n}" }, "response": { "text": "y" } } ]"#
    )
    let texts = await withTaskGroup(of: String.self) { group in
      for number in 0..<200 {
        let path = number % 2 == 0 ? "/\(number)" : "/now/\(number)"
        group.addTask { (try? await bench.answer(to: Request(method: "GET", url: bench.url + path)).get().text) ?? "" }
      }
      return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    #expect(texts == ["x": 100, "y": 100])
    #expect(bench.served.count == 200)
  }

  @Test func `a client that uses it as a proxy names the origin`() async throws {
    let bench = try MockBench(
      #"[ { "request": { "url": "http://one/a" }, "response": { "text": "1" } }, { "request": { "url": "http://two/a" }, "response": { "text": "2" } } ]"#
    )
    let answer = try await exchange(
      with: bench.server.port, "GET http://two/a HTTP/1.1\r\nHost: two\r\nConnection: close\r\n\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(answer.hasSuffix("\r\n\r\n2"))
  }

  @Test(arguments: [
    "GET /\0 HTTP/1.1\r\n\r\n", "\r\n\r\n", "nonsense\r\n\r\n",
    "GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "POST /a HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
    "GET /a HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 100_000),
  ])
  func `nonsense leaves the server standing`(text: String) async throws {
    let bench = try MockBench(#"[ { "request": { "url": "/a" }, "response": { "text": "ok" } } ]"#)
    _ = try? await exchange(with: bench.server.port, text)
    #expect(try await bench.answer(to: Request(method: "GET", url: bench.url + "/a")).get().text == "ok")
  }

  @Test func `it listens on loopback unless told otherwise`() throws {
    let bench = try MockBench("[]")
    #expect(bench.server.isLoopback)
    #expect(bench.url == "http://127.0.0.1:\(bench.server.port)")
  }

  @Test func `a port that is taken and a host that is none are told`() throws {
    let bench = try MockBench("[]")
    let port = bench.server.port
    let taken = #expect(throws: MockServer.CannotStart.self) { try MockBench("[]", port: port) }
    #expect(taken?.message == "can't listen on 127.0.0.1, port \(port): Address already in use")
    #expect(taken?.help == "port 0 takes one that is free")
    let nowhere = #expect(throws: MockServer.CannotStart.self) { try MockBench("[]", host: "256.0.0.1.") }
    #expect(nowhere?.message.hasPrefix("can't listen on 256.0.0.1., port 0: ") == true)
  }
}
