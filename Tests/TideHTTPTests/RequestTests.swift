import Testing
import TideGraph
import TideHTTP
import TideValue

/// What arrives at the server.
@Suite(.timeLimit(.minutes(1)))
struct RequestTests {
  private func received(_ change: (inout Request) -> Void) async throws -> ReceivedRequest {
    let (_, requests) = try await response(
      from: { connection, request in
        connection.write(request.method == "HEAD" ? "HTTP/1.1 200 OK\r\n\r\n" : plain("ok"))
        return .keep
      }, change: change)
    return try #require(requests.count == 1 ? requests.first : nil)
  }

  @Test(arguments: ["GET", "DELETE", "OPTIONS", "HEAD", "PROPFIND"])
  func `a method that needs no body is sent without one`(method: String) async throws {
    let request = try await received { $0.method = method }
    #expect(request.method == method)
    #expect(request.body.isEmpty)
    #expect(request.count(of: "content-length") == 0)
    #expect(request.header("user-agent") == "tidegate/0.1")
    #expect(request.header("accept") == "*/*")
  }

  @Test(arguments: ["POST", "PUT", "PATCH"])
  func `a method that expects a body says that there is none`(method: String) async throws {
    let request = try await received { $0.method = method }
    #expect(request.method == method)
    #expect(request.header("content-length") == "0")
    #expect(request.count(of: "content-type") == 0)
  }

  @Test(arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
  func `any method takes a body`(method: String) async throws {
    let request = try await received {
      $0.method = method
      $0.body = Buffer(copying: Array("moon\0tide".utf8))
      $0.headers = [NamedText("Content-Type", "text/plain")]
    }
    #expect(request.method == method)
    #expect(request.body == Array("moon\0tide".utf8))
    #expect(request.header("content-length") == "9")
    #expect(request.header("content-type") == "text/plain")
    #expect(request.count(of: "content-type") == 1)
  }

  @Test func `an empty body is a body of length 0`() async throws {
    let request = try await received {
      $0.method = "DELETE"
      $0.body = Buffer(copying: [])
    }
    #expect(request.method == "DELETE")
    #expect(request.header("content-length") == "0")
  }

  @Test func `a body of 5 MB is sent whole, and without asking first`() async throws {
    let block = (0..<1024).map { UInt8(truncatingIfNeeded: $0 >> 2) }
    let body = [UInt8](bytes(repeating: block, count: 5 << 10))
    let request = try await received {
      $0.method = "POST"
      $0.body = Buffer(copying: body)
    }
    #expect(request.body == body)
    #expect(request.count(of: "expect") == 0)
    #expect(request.count(of: "content-type") == 0)
  }

  @Test func `headers are sent as they are, in their order, repeats and empty ones too`() async throws {
    let request = try await received {
      $0.headers = [
        NamedText("X-One", "1"), NamedText("X-Two", "a"), NamedText("X-Empty", ""), NamedText("X-Two", "b; c"),
        NamedText("X-Blank", "  "), NamedText("User-Agent", "mine/1"), NamedText("Host", "elsewhere.example"),
      ]
    }
    let own = request.headers.filter { $0.name.hasPrefix("x-") }
    #expect(own.map(\.name) == ["x-one", "x-two", "x-empty", "x-two", "x-blank"])
    #expect(own.map(\.value) == ["1", "a", "", "b; c", ""])
    #expect(request.headers.filter { $0.name == "user-agent" }.map(\.value) == ["mine/1"])
    #expect(request.headers.filter { $0.name == "host" }.map(\.value) == ["elsewhere.example"])
  }

  @Test func `a Content-Length that is right is sent once`() async throws {
    let request = try await received {
      $0.method = "POST"
      $0.body = Buffer(copying: Array("four".utf8))
      $0.headers = [NamedText("content-length", "4")]
    }
    #expect(request.headers.filter { $0.name == "content-length" }.map(\.value) == ["4"])
    #expect(request.body.count == 4)
  }

  @Test func `path and query are sent as they are written`() async throws {
    let request = try await received { $0.url += "a%2Fb/c?x=1&y=%20&z=a+b#part" }
    #expect(request.target == "/a%2Fb/c?x=1&y=%20&z=a+b")
  }

  @Test func `a handle that sent one kind of request sends any other after it`() async throws {
    let server = try TestServer { connection, request in
      connection.write(request.method == "HEAD" ? "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" : plain("ok"))
      return .keep
    }
    let transport = CurlTransport.direct()
    defer {
      transport.shutdown()
      server.stop()
    }
    let body = Buffer(copying: Array("body".utf8))
    let sent: [(String, Buffer?)] = [
      ("GET", nil), ("POST", body), ("GET", nil), ("HEAD", nil), ("PUT", body), ("HEAD", nil), ("DELETE", nil),
      ("POST", nil), ("DELETE", body), ("GET", nil), ("GET", body), ("HEAD", nil), ("GET", nil),
    ]
    for (method, body) in sent {
      let response = try await transport.response(to: Request(method: method, url: server.url, body: body))
      #expect(response.text == (method == "HEAD" ? "" : "ok"))
    }
    #expect(server.requests.map(\.method) == sent.map(\.0))
    #expect(server.requests.map(\.body.count) == sent.map { $0.1?.count ?? 0 })
    #expect(
      server.requests.filter { $0.count(of: "content-length") > 0 }.map(\.method) == [
        "POST", "PUT", "POST", "DELETE", "GET",
      ])
    #expect(server.connectionCount == 1)
  }

  private static let refusals: [(String, @Sendable (inout Request) -> Void)] = [
    ("the URL does not begin with http:// or https:// and the name of a host", { $0.url = "" }),
    ("the URL does not begin with http:// or https:// and the name of a host", { $0.url = "localhost:80" }),
    ("the URL does not begin with http:// or https:// and the name of a host", { $0.url = "ftp://localhost" }),
    ("the URL does not begin with http:// or https:// and the name of a host", { $0.url = "file:///etc/passwd" }),
    ("the URL does not begin with http:// or https:// and the name of a host", { $0.url = "http:///x" }),
    ("the URL holds a space or a control character", { $0.url += "a b" }),
    ("the URL holds a space or a control character", { $0.url += "a\0b" }),
    ("the URL holds a space or a control character", { $0.url += "a\r\nX: y" }),
    ("the method '' is no HTTP method", { $0.method = "" }),
    ("the method 'GET /' is no HTTP method", { $0.method = "GET /" }),
    ("CONNECT asks for a tunnel, which is no request", { $0.method = "CONNECT" }),
    ("the header name 'X Y' holds what no header's name may hold", { $0.headers = [NamedText("X Y", "1")] }),
    ("the header name '' holds what no header's name may hold", { $0.headers = [NamedText("", "1")] }),
    ("the header 'X' holds a line break, which no header can", { $0.headers = [NamedText("X", "1\r\nY: 2")] }),
    ("the header 'X' holds a line break, which no header can", { $0.headers = [NamedText("X", "1\0")] }),
    (
      "the header 'Transfer-Encoding' can't be chosen: how a body is sent is up to the transport",
      { $0.headers = [NamedText("transfer-encoding", "chunked")] }
    ),
    (
      "the header 'Content-Length' says 5, and the body has 0 bytes",
      { $0.headers = [NamedText("Content-Length", "5")] }
    ),
    (
      "a HEAD request can't carry a body",
      {
        $0.method = "HEAD"
        $0.body = Buffer(copying: [1])
      }
    ),
  ]

  @Test func `what can't be sent is refused, and nothing is sent`() async throws {
    let server = try TestServer(answer: plain("ok"))
    let transport = CurlTransport.direct()
    defer {
      transport.shutdown()
      server.stop()
    }
    for (complaint, change) in Self.refusals {
      var request = Request(method: "GET", url: server.url + "/")
      change(&request)
      let failure = await transport.failure(of: request)
      #expect(failure?.kind == .request)
      #expect(failure?.message == complaint)
    }
    #expect(server.connectionCount == 0)
  }

  @Test func `a URL that libcurl can't read is refused with its words`() async throws {
    let transport = CurlTransport.direct()
    defer { transport.shutdown() }
    let failure = await transport.failure(of: Request(method: "GET", url: "http://127.0.0.1:99999/"))
    #expect(failure?.kind == .request)
    #expect(failure?.message.hasPrefix("the URL of 127.0.0.1:99999 can't be sent: ") == true)
  }
}
