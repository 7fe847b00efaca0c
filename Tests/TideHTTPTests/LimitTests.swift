import Testing
import TideGraph
import TideHTTP
import TideValue

/// Sizes and times.
@Suite(.timeLimit(.minutes(1)))
struct LimitTests {
  @Test func `a body of exactly the limit is an answer`() async throws {
    #expect(try await response(to: plain("12345"), change: { $0.maximumBytes = 5 }).text == "12345")
    #expect(try await response(to: plain(""), change: { $0.maximumBytes = 0 }).body.count == 0)
  }

  @Test func `a length beyond the limit fails before the body has come`() async throws {
    let (failure, place) = try await failure(
      from: { connection, _ in
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 8000000000\r\n\r\nb")
        connection.waitForClose()
        return .close
      }, change: { $0.maximumBytes = 5 })
    #expect(failure?.kind == .tooLarge)
    #expect(failure?.message == "the body from \(place) is 8000000000 bytes long, and at most 5 bytes are allowed")
    #expect(failure?.help == "max_bytes = n allows more")
  }

  @Test func `a body without a length is stopped at the limit`() async throws {
    let (failure, place) = try await failure(
      from: { connection, _ in
        connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\ndef\r\n")
        connection.waitForClose()
        return .close
      }, change: { $0.maximumBytes = 5 })
    #expect(failure?.kind == .tooLarge)
    #expect(failure?.message == "the body from \(place) goes on, and at most 5 bytes are allowed")
  }

  @Test func `headers without end are stopped`() async throws {
    let line = "X-More: \(String(repeating: "m", count: 1000))\r\n"
    let (failure, _) = try await failure(from: { connection, _ in
      connection.write("HTTP/1.1 200 OK\r\n")
      for _ in 1...4000 { connection.write(line) }
      return .close
    })
    #expect(failure?.kind == .tooLarge)
  }

  @Test func `a server that never answers`() async throws {
    let (failure, place) = try await failure(
      from: { connection, _ in
        connection.waitForClose()
        return .close
      }, change: { $0.timeout = .milliseconds(100) })
    #expect(failure?.kind == .timeout)
    #expect(failure?.message == "\(place) did not answer within 100ms: the answer had not begun")
  }

  @Test func `a body that stops coming`() async throws {
    let (failure, place) = try await failure(
      from: { connection, _ in
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234")
        connection.waitForClose()
        return .close
      }, change: { $0.timeout = .milliseconds(200) })
    #expect(failure?.kind == .timeout)
    #expect(failure?.message == "\(place) did not answer within 200ms: 5 bytes of the body had arrived")
  }

  @Test func `a limit of nothing is over at once`() async throws {
    let (failure, _) = try await failure(
      from: { connection, _ in
        connection.waitForClose()
        return .close
      }, change: { $0.timeout = .zero })
    #expect(failure?.kind == .timeout)
  }

  @Test func `the limit of a request that names none is the transport's`() async throws {
    let server = try TestServer { connection, _ in
      connection.waitForClose()
      return .close
    }
    let transport = CurlTransport.direct { $0.timeout = .milliseconds(50) }
    defer {
      transport.shutdown()
      server.stop()
    }
    let failure = await transport.failure(of: Request(method: "GET", url: server.url))
    #expect(failure?.message == "127.0.0.1:\(server.port) did not answer within 50ms: the answer had not begun")
  }

  /// The server takes the connection and never begins with TLS: to libcurl that is still connecting.
  @Test func `a connection that does not get ready`() async throws {
    let (socket, port) = try listenOnLoopback(backlog: 16)
    defer { closeSocket(socket) }
    let transport = CurlTransport.direct()
    defer { transport.shutdown() }
    var request = Request(method: "GET", url: "https://127.0.0.1:\(port)/", connectTimeout: .milliseconds(100))
    let connecting = await transport.failure(of: request)
    #expect(connecting?.kind == .timeout)
    #expect(connecting?.message == "no connection to 127.0.0.1:\(port) within 100ms, the limit for connecting")
    request.connectTimeout = .seconds(60)
    request.timeout = .milliseconds(100)
    let whole = await transport.failure(of: request)
    #expect(whole?.kind == .timeout)
    #expect(whole?.message == "127.0.0.1:\(port) did not answer within 100ms: there was no connection yet")
  }

  @Test func `redirects share one time limit`() async throws {
    let (failure, _) = try await failure(
      from: { connection, _ in
        pause(milliseconds: 30)
        connection.write("HTTP/1.1 302 Found\r\nLocation: /on\r\nContent-Length: 0\r\n\r\n")
        return .keep
      },
      change: {
        $0.timeout = .milliseconds(200)
        $0.maximumRedirects = 1000
      })
    #expect(failure?.kind == .timeout)
  }
}
