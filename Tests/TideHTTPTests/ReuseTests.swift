import Testing
import TideBarrier
import TideGraph
import TideHTTP
import TideValue

/// A kept connection that breaks when the next request is on it.
@Suite(.timeLimit(.minutes(1))) struct ReuseTests {
  /// Sends a request on a connection that has served another one, and is reset when it has read this one. Any further
  /// connection is answered on.
  private func send(_ request: Request) async throws -> (
    result: Result<Response, Failure>, seen: [String], place: String
  ) {
    let isBroken = Locked(false)
    let server = try TestServer { connection, received in
      let breaks = isBroken.withLock { isBroken in
        defer { if received.target == "/next" { isBroken = true } }
        return received.target == "/next" && !isBroken
      }
      if breaks {
        connection.resetsAtEnd()
        return .close
      }
      connection.write(plain("ok"))
      return .keep
    }
    let transport = CurlTransport.direct()
    defer {
      transport.shutdown()
      server.stop()
    }
    _ = try await transport.response(to: Request(method: "GET", url: server.url + "/first"))
    var request = request
    request.url = server.url + "/next"
    let result = await transport.result(of: request)
    #expect(server.requests.first?.target == "/first")
    return (result, server.requests.dropFirst().map(\.method), "127.0.0.1:\(server.port)")
  }

  private static let key = [NamedText("Idempotency-Key", "7")]

  @Test(arguments: [
    Request(method: "GET", url: ""), Request(method: "HEAD", url: ""), Request(method: "DELETE", url: ""),
    Request(method: "PUT", url: "", body: Buffer(copying: [1, 2, 3])),
    Request(method: "POST", url: "", headers: key, body: Buffer(copying: [1, 2, 3])),
  ])
  func `what may be sent twice is sent again on another connection`(_ request: Request) async throws {
    let sent = try await send(request)
    #expect(try sent.result.get().status == 200)
    #expect(sent.seen == [request.method, request.method])
  }

  @Test(arguments: [
    Request(method: "POST", url: "", body: Buffer(copying: [1, 2, 3])), Request(method: "POST", url: ""),
    Request(method: "PATCH", url: "", body: Buffer(copying: [UInt8](repeating: 7, count: 300_000))),
    Request(method: "PURGE", url: ""),
  ])
  func `what the server may have acted on is not sent again`(_ request: Request) async throws {
    let sent = try await send(request)
    #expect(sent.seen == [request.method])
    guard case .failure(let failure) = sent.result else {
      Issue.record("it succeeded")
      return
    }
    #expect(failure.kind == .reset)
    #expect(
      failure.message
        == "\(sent.place) closed a kept connection without an answer, and \(request.method) is not sent again by itself"
    )
    #expect(failure.help == "an idempotency_key lets the server tell a repeated request from a new one")
  }

  @Test func `what is sent once is sent on a kept connection, one after the other`() async throws {
    let server = try TestServer(answer: plain("ok"))
    let transport = CurlTransport.direct()
    defer {
      transport.shutdown()
      server.stop()
    }
    for _ in 0..<5 {
      #expect(try await transport.response(to: Request(method: "POST", url: server.url)).status == 200)
    }
    #expect(server.connectionCount == 1)
    #expect(server.requests.count == 5)
  }

  @Test func `a POST that is redirected with its body is sent to each place once`() async throws {
    let server = try TestServer { connection, request in
      connection.write(
        request.target == "/a" ? plain("", status: "307 Over There", headers: ["Location: /b"]) : plain("ok"))
      return .keep
    }
    let transport = CurlTransport.direct()
    defer {
      transport.shutdown()
      server.stop()
    }
    let request = Request(method: "POST", url: server.url + "/a", body: Buffer(copying: [65]))
    #expect(try await transport.response(to: request).text == "ok")
    #expect(server.requests.map { "\($0.method) \($0.target)" } == ["POST /a", "POST /b"])
  }
}
