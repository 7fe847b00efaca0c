import Testing
import TideGraph
import TideHTTP
import TideValue

/// What servers do wrong, as real transfers end.
@Suite(.timeLimit(.minutes(1)))
struct FailureTests {
  @Test func `a port at which nobody listens`() async throws {
    let port = try unusedPort()
    let transport = CurlTransport.direct()
    defer { transport.shutdown() }
    let failure = await transport.failure(of: Request(method: "GET", url: "http://127.0.0.1:\(port)/"))
    #expect(failure?.kind == .connect)
    #expect(failure?.message == "nobody answers at 127.0.0.1:\(port) (connection refused)")
    #expect(failure?.help == "is the server running?")
  }

  @Test func `a name that does not resolve`() async throws {
    let transport = CurlTransport.direct()
    defer { transport.shutdown() }
    let failure = await transport.failure(of: Request(method: "GET", url: "http://nosuchhost.invalid/"))
    #expect(failure?.kind == .dns)
    #expect(failure?.message == "the name 'nosuchhost.invalid' does not resolve")
  }

  @Test func `a connection that is reset before the answer`() async throws {
    let (failure, place) = try await failure(from: { connection, _ in
      connection.resetsAtEnd()
      return .close
    })
    #expect(failure?.kind == .reset)
    #expect(failure?.message.hasPrefix("the connection to \(place) broke before an answer") == true)
  }

  @Test func `a connection that is reset in the middle of the body`() async throws {
    let (failure, place) = try await failure(from: { connection, _ in
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789")
      pause(milliseconds: 50)
      connection.resetsAtEnd()
      return .close
    })
    #expect(failure?.kind == .reset)
    #expect(failure?.message.hasPrefix("the connection to \(place) broke ") == true)
  }

  @Test func `a connection that is closed without an answer`() async throws {
    let (failure, place) = try await failure(to: "")
    #expect(failure?.kind == .reset)
    #expect(failure?.message == "\(place) closed the connection without an answer")
  }

  @Test func `a body that ends before its length`() async throws {
    let (failure, place) = try await failure(to: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789")
    #expect(failure?.kind == .truncated)
    #expect(failure?.message == "\(place) closed the connection after 10 bytes, before the body's end")
  }

  @Test(arguments: ["5\r\nmoon!\r\n", "5\r\nmo", "5\r\nmoon!\r\n0\r\n", ""])
  func `chunks that end before the last one`(chunks: String) async throws {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    let (failure, _) = try await failure(to: head + chunks)
    #expect(failure?.kind == .truncated)
  }

  @Test(arguments: ["zz\r\nmoon\r\n", "5\r\nmoonshine\r\n", "-1\r\n\r\n", "ffffffffffffffffff\r\n\r\n"])
  func `chunks that are none`(chunks: String) async throws {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    let (failure, _) = try await failure(to: head + chunks)
    #expect(failure?.kind == .malformed)
  }

  @Test(arguments: [
    "SSH-2.0-OpenSSH_9.2\r\n", "moon\n", "<html>old</html>", "HTTP/1.1\r\n\r\n", "HTTP/1.1 abc\r\n\r\n",
    "\0\u{1}\u{2}\n",
  ])
  func `an answer that is not HTTP, or of before 1.0`(answer: String) async throws {
    let (failure, place) = try await failure(to: answer)
    #expect(failure?.kind == .malformed)
    #expect(failure?.message.contains(place) == true)
  }

  @Test func `a head that ends in the middle`() async throws {
    let (failure, place) = try await failure(to: "HTTP/1.1 200 OK\r\nX-Whole: 1\r\nX-Ha")
    #expect(failure?.kind == .truncated)
    #expect(failure?.message == "\(place) closed the connection before the headers' end")
  }

  @Test func `a length that is no number`() async throws {
    let (failure, _) = try await failure(to: "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nmoon")
    #expect(failure?.kind == .malformed)
  }

  @Test func `interim answers and no final one`() async throws {
    let (failure, _) = try await failure(to: "HTTP/1.1 103 Early Hints\r\n\r\n")
    #expect(failure?.kind == .reset)
  }

  @Test func `a switch of protocols that nobody asked for`() async throws {
    let (failure, place) = try await failure(to: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: moon\r\n\r\ntide")
    #expect(failure?.kind == .malformed)
    #expect(failure?.message == "\(place) answered 101, which is no end of a request")
  }

  @Test func `a failure leaves the transport usable`() async throws {
    let server = try TestServer { connection, request in
      guard request.target == "/good" else { return .close }
      connection.write(plain("good"))
      return .keep
    }
    let transport = CurlTransport.direct()
    defer {
      transport.shutdown()
      server.stop()
    }
    for _ in 1...3 {
      #expect(await transport.failure(of: Request(method: "GET", url: server.url + "/bad"))?.kind == .reset)
      #expect(try await transport.response(to: Request(method: "GET", url: server.url + "/good")).text == "good")
    }
  }
}
