import TideBarrier
import Testing
import TideGraph
import TideValue

@testable import TideHTTP

@Suite(.timeLimit(.minutes(1)))
struct ShutdownTests {
  private func silent() throws -> TestServer {
    try TestServer { connection, request in
      if request.target == "/quick" {
        connection.write(plain("ok"))
        return .keep
      }
      connection.waitForClose()
      return .close
    }
  }

  @Test func `a shutdown fails what is on its way and what waits, and closes every connection`() async throws {
    let server = try silent()
    defer { server.stop() }
    let transport = CurlTransport.direct { $0.maximumTransfers = 5 }
    _ = try await transport.response(to: Request(method: "GET", url: server.url + "/quick"))
    let ends = Ends()
    let requests = (1...10).map { _ in transport.send(Request(method: "GET", url: server.url)) { ends.add($0) } }
    await until { server.requests.count == 6 }
    transport.shutdown()
    #expect(ends.kinds == [Failure.Kind](repeating: .cancelled, count: 10))
    await until { server.openCount == 0 }
    for request in requests { request.abort() }
    transport.shutdown()
    #expect(ends.count == 10)
  }

  @Test func `what was prepared sends as ever, and a shutdown ends it without a request`() async throws {
    let server = try silent()
    defer { server.stop() }
    let transport = CurlTransport.direct()
    transport.prepare()
    transport.prepare()
    let response = try await transport.response(to: Request(method: "GET", url: server.url + "/quick"))
    #expect(response.status == 200)
    let idle = CurlTransport.direct()
    idle.prepare()
    idle.shutdown()
    idle.prepare()
    await #expect(throws: Failure.self) { try await idle.response(to: Request(method: "GET", url: server.url)) }
  }

  @Test func `a request after the shutdown fails at once`() async throws {
    let transport = CurlTransport.direct()
    transport.shutdown()
    let ends = Ends()
    transport.send(Request(method: "GET", url: "http://127.0.0.1/")) { ends.add($0) }.abort()
    #expect(ends.kinds == [.cancelled])
  }

  @Test func `a transport that never sent anything is dropped without a thread`() {
    weak var dropped: CurlTransport?
    do {
      let transport = CurlTransport.direct()
      dropped = transport
    }
    #expect(dropped == nil)
  }

  @Test func `a transport that is dropped ends what it was doing`() async throws {
    let server = try silent()
    defer { server.stop() }
    let ends = Ends()
    weak var dropped: CurlTransport?
    do {
      let transport = CurlTransport.direct()
      dropped = transport
      _ = transport.send(Request(method: "GET", url: server.url)) { ends.add($0) }
      await until { server.requests.count == 1 }
    }
    #expect(dropped == nil)
    #expect(ends.kinds == [.cancelled])
    await until { server.openCount == 0 }
  }

  @Test func `a completion may shut its own transport down, or drop the last of it`() async throws {
    let server = try TestServer(answer: plain("ok"))
    defer { server.stop() }
    let ends = Ends()
    let transport = CurlTransport.direct()
    _ = transport.send(Request(method: "GET", url: server.url)) { [transport] result in
      transport.shutdown()
      ends.add(result)
    }
    let kept = Locked<CurlTransport?>(CurlTransport.direct())
    _ = kept.withLock { $0 }?.send(Request(method: "GET", url: server.url)) { result in
      let last = kept.withLock { $0.take() }
      _ = consume last
      ends.add(result)
    }
    await until { ends.count == 2 }
    #expect(ends.kinds == [nil, nil])
    await until { server.openCount == 0 }
  }

  @Test func `what a completion holds is released when it has been called`() async throws {
    let server = try TestServer(answer: plain("ok"))
    let transport = CurlTransport.direct()
    defer {
      transport.shutdown()
      server.stop()
    }
    weak var held: Ends?
    let request: any Abortable
    do {
      let ends = Ends()
      held = ends
      request = transport.send(Request(method: "GET", url: server.url)) { ends.add($0) }
      await until { ends.count == 1 }
    }
    await until { held == nil }
    #expect(held == nil)
    request.abort()
  }

  @Test func `sends and a shutdown from several threads lose no completion`() async throws {
    let server = try silent()
    defer { server.stop() }
    for _ in 1...20 {
      let transport = CurlTransport.direct()
      let ends = Ends()
      let url = server.url
      await withTaskGroup { group in
        for _ in 1...4 {
          group.addTask {
            for _ in 1...5 { _ = transport.send(Request(method: "GET", url: url)) { ends.add($0) } }
          }
        }
        group.addTask { transport.shutdown() }
      }
      transport.shutdown()
      await until { ends.count == 20 }
      #expect(ends.kinds == [Failure.Kind](repeating: .cancelled, count: 20))
    }
  }

  @Test func `without libcurl every request fails and says what to install`() async {
    let transport = CurlTransport(library: CurlLibrary { "libcurl.so.4: cannot open shared object file" })
    for _ in 1...3 {
      let failure = await transport.failure(of: Request(method: "GET", url: "http://127.0.0.1/"))
      #expect(failure?.kind == .request)
      #expect(
        failure?.message
          == "no request can be sent, since libcurl can't be used: libcurl.so.4: cannot open shared object file")
      #expect(failure?.help?.contains("scripts/setup") == true)
    }
    transport.shutdown()
  }
}
