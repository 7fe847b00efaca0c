import TideBarrier
import Testing
import TideGraph
import TideHTTP
import TideValue

/// Many at once, connections, and their ends.
@Suite(.timeLimit(.minutes(1)))
struct ConcurrencyTests {
  @Test func `200 requests, 64 at once, each get their own answer, over as many connections`() async throws {
    let server = try TestServer { connection, request in
      connection.write(plain("answer to \(request.target)"))
      return .keep
    }
    let transport = CurlTransport.direct()
    defer {
      transport.shutdown()
      server.stop()
    }
    let url = server.url
    let texts = try await withThrowingTaskGroup(of: (Int, String).self) { group in
      var texts = [String](repeating: "", count: 200)
      var ended = 0
      for number in 0..<200 {
        if number >= 64, let (index, text) = try await group.next() {
          texts[index] = text
          ended += 1
        }
        group.addTask {
          (number, try await transport.response(to: Request(method: "GET", url: "\(url)/\(number)")).text)
        }
      }
      for try await (index, text) in group {
        texts[index] = text
        ended += 1
      }
      #expect(ended == 200)
      return texts
    }
    #expect(texts == (0..<200).map { "answer to /\($0)" })
    #expect(server.requests.count == 200)
    #expect((1...64).contains(server.connectionCount))
  }

  @Test func `one after the other they share one connection`() async throws {
    let server = try TestServer(answer: plain("ok"))
    let transport = CurlTransport.direct()
    defer {
      transport.shutdown()
      server.stop()
    }
    for _ in 1...20 { _ = try await transport.response(to: Request(method: "GET", url: server.url)) }
    #expect(server.requests.count == 20)
    #expect(server.connectionCount == 1)
  }

  @Test func `a connection that the server closed is replaced`() async throws {
    let server = try TestServer { connection, _ in
      connection.write(plain("ok"))
      return .close
    }
    let transport = CurlTransport.direct()
    defer {
      transport.shutdown()
      server.stop()
    }
    for _ in 1...10 { #expect(try await transport.response(to: Request(method: "GET", url: server.url)).text == "ok") }
    #expect(server.connectionCount == 10)
  }

  @Test func `beyond the maximum they wait, and their time does not run`() async throws {
    let running = Locked((now: 0, most: 0))
    let server = try TestServer { connection, _ in
      running.withLock { running in
        running.now += 1
        running.most = max(running.most, running.now)
      }
      pause(milliseconds: 20)
      running.withLock { $0.now -= 1 }
      connection.write(plain("ok"))
      return .keep
    }
    let transport = CurlTransport.direct { $0.maximumTransfers = 3 }
    defer {
      transport.shutdown()
      server.stop()
    }
    let url = server.url
    let statuses = await withTaskGroup(of: Int.self) { group in
      for _ in 1...30 {
        group.addTask { (try? await transport.response(to: Request(method: "GET", url: url)).status) ?? 0 }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == [Int](repeating: 200, count: 30))
    #expect(running.withLock { $0.most } == 3)
    #expect(server.connectionCount == 3)
  }

  @Test func `a completion may send the next request`() async throws {
    let server = try TestServer(answer: plain("ok"))
    let transport = CurlTransport.direct()
    defer {
      transport.shutdown()
      server.stop()
    }
    let chain = Chain(transport: transport, url: server.url, rest: 50)
    #expect(await chain.run() == 50)
    #expect(server.connectionCount == 1)
  }

  /// Sends a request from the completion of the one before.
  private final class Chain: Sendable {
    let transport: CurlTransport
    let url: String
    let rest: Locked<Int>
    let count: Int

    init(transport: CurlTransport, url: String, rest: Int) {
      self.transport = transport
      self.url = url
      self.rest = Locked(rest)
      count = rest
    }

    func run() async -> Int {
      await withCheckedContinuation { continuation in next { continuation.resume(returning: $0) } }
    }

    private func next(_ done: @escaping @Sendable (Int) -> Void) {
      _ = transport.send(Request(method: "GET", url: url)) { [self] result in
        guard case .success = result else { return done(count - rest.withLock { $0 }) }
        let left = rest.withLock { rest in
          rest -= 1
          return rest
        }
        if left == 0 { done(count) } else { next(done) }
      }
    }
  }
}
