import Foundation
import TideBarrier
import Testing
import TideGraph
import TideHTTP
import TideValue

@Suite(.timeLimit(.minutes(1)))
struct AbortTests {
  /// A server that takes requests and never answers.
  private func silent() throws -> TestServer {
    try TestServer { connection, _ in
      connection.waitForClose()
      return .close
    }
  }

  @Test func `an abort ends a request that waits for its answer, once, and closes its connection`() async throws {
    let server = try silent()
    let transport = CurlTransport.direct()
    defer {
      transport.shutdown()
      server.stop()
    }
    let ends = Ends()
    let request = transport.send(Request(method: "GET", url: server.url)) { ends.add($0) }
    await until { server.requests.count == 1 }
    request.abort()
    await until { ends.count == 1 }
    #expect(ends.kinds == [.cancelled])
    await until { server.openCount == 0 }
    request.abort()
    _ = await transport.failure(of: Request(method: "GET", url: "http://x y/"))
    #expect(ends.kinds == [.cancelled])
  }

  @Test func `an abort right after the start, from many threads, ends it once`() async throws {
    let server = try silent()
    let transport = CurlTransport.direct()
    defer {
      transport.shutdown()
      server.stop()
    }
    let ends = Ends()
    for _ in 1...100 {
      let request = transport.send(Request(method: "GET", url: server.url)) { ends.add($0) }
      await withTaskGroup { group in
        for _ in 1...4 { group.addTask { request.abort() } }
      }
    }
    await until { ends.count >= 100 }
    _ = await transport.failure(of: Request(method: "GET", url: "http://x y/"))
    #expect(ends.kinds == [Failure.Kind](repeating: .cancelled, count: 100))
  }

  @Test func `an abort after the end changes nothing`() async throws {
    let server = try TestServer(answer: plain("ok"))
    let transport = CurlTransport.direct()
    defer {
      transport.shutdown()
      server.stop()
    }
    let ends = Ends()
    let request = transport.send(Request(method: "GET", url: server.url)) { ends.add($0) }
    await until { ends.count == 1 }
    request.abort()
    request.abort()
    #expect(try await transport.response(to: Request(method: "GET", url: server.url)).text == "ok")
    #expect(ends.kinds == [nil])
    #expect(server.connectionCount == 1)
  }

  @Test func `an abort of one that waits for its turn leaves the turn to the next`() async throws {
    let server = try TestServer { connection, request in
      if request.target == "/slow" {
        connection.waitForClose()
        return .close
      }
      connection.write(plain("ok"))
      return .keep
    }
    let transport = CurlTransport.direct { $0.maximumTransfers = 1 }
    defer {
      transport.shutdown()
      server.stop()
    }
    let (first, second, third) = (Ends(), Ends(), Ends())
    let slow = transport.send(Request(method: "GET", url: server.url + "/slow")) { first.add($0) }
    let waiting = transport.send(Request(method: "GET", url: server.url + "/never")) { second.add($0) }
    _ = transport.send(Request(method: "GET", url: server.url + "/third")) { third.add($0) }
    await until { server.requests.count == 1 }
    waiting.abort()
    await until { second.count == 1 }
    #expect(third.count == 0)
    slow.abort()
    await until { third.count == 1 }
    #expect(first.kinds == [.cancelled])
    #expect(second.kinds == [.cancelled])
    #expect(third.kinds == [nil])
    #expect(server.requests.map(\.target) == ["/slow", "/third"])
  }

  @Test func `an abort stops a body on its way`() async throws {
    let server = try TestServer { connection, _ in
      connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nmoon\r\n")
      connection.waitForClose()
      return .close
    }
    let transport = CurlTransport.direct()
    defer {
      transport.shutdown()
      server.stop()
    }
    let ends = Ends()
    let request = transport.send(Request(method: "GET", url: server.url)) { ends.add($0) }
    await until { server.requests.count == 1 }
    request.abort()
    await until { ends.count == 1 && server.openCount == 0 }
    #expect(ends.kinds == [.cancelled])
  }
}

/// How requests ended: nil for an answer.
final class Ends: Sendable {
  private let ends = Locked<[Failure.Kind?]>([])

  func add(_ result: Result<Response, Failure>) {
    ends.withLock { ends in
      switch result {
      case .success: ends.append(nil)
      case .failure(let failure): ends.append(failure.kind)
      }
    }
  }

  var kinds: [Failure.Kind?] { ends.withLock { $0 } }
  var count: Int { kinds.count }
}

/// Waits for what must become true; a suite's time limit ends a wait for what does not.
func until(_ condition: () -> Bool) async {
  while !condition() { try? await Task.sleep(for: .milliseconds(1)) }
}
