import Testing
import TideGraph
import TideHTTP
import TideValue

@Suite(.timeLimit(.minutes(1)))
struct RedirectTests {
  /// Answers `/start` with a redirect, anything else with what was asked.
  private func redirecting(_ status: Int, to place: String = "/end") -> TestServer.Behaviour {
    { connection, request in
      if request.target == "/start" {
        connection.write(plain("elsewhere", status: "\(status) There", headers: ["Location: \(place)"]))
      } else {
        connection.write(plain("\(request.method) \(request.target)"))
      }
      return .keep
    }
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `a GET goes on where the answer says, and the answer says where it came from`(status: Int) async throws {
    let (response, requests) = try await response(
      from: redirecting(status, to: "/end?x=1"), change: { $0.url += "start" })
    #expect(response.status == 200)
    #expect(response.text == "GET /end?x=1")
    #expect(response.url.hasSuffix("/end?x=1"))
    #expect(response.headers.map(\.name) == ["Content-Length"])
    #expect(requests.map(\.target) == ["/start", "/end?x=1"])
  }

  @Test(arguments: [
    (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"), (308, "POST", "POST"),
    (301, "PUT", "PUT"), (302, "DELETE", "DELETE"), (303, "PUT", "GET"), (303, "DELETE", "GET"),
    (307, "PATCH", "PATCH"),
  ])
  func `a method with a body becomes a GET without one, or stays what it is`(
    status: Int, before: String, after: String
  ) async throws {
    let (response, requests) = try await response(
      from: redirecting(status),
      change: {
        $0.url += "start"
        $0.method = before
        $0.body = Buffer(copying: Array("tide".utf8))
        $0.headers = [NamedText("Content-Type", "text/plain"), NamedText("X-Kept", "1")]
      })
    let second = try #require(requests.count == 2 ? requests.last : nil)
    #expect(response.text == "\(after) /end")
    #expect(String(decoding: second.body, as: UTF8.self) == (after == "GET" ? "" : "tide"))
    #expect(second.header("content-type") == (after == "GET" ? nil : "text/plain"))
    #expect(second.header("x-kept") == "1")
  }

  @Test func `a HEAD stays a HEAD`() async throws {
    let (response, requests) = try await response(
      from: { connection, request in
        let location = request.target == "/start" ? "Location: /end\r\n" : ""
        connection.write("HTTP/1.1 \(location.isEmpty ? 200 : 303) X\r\n\(location)Content-Length: 7\r\n\r\n")
        return .keep
      },
      change: {
        $0.url += "start"
        $0.method = "HEAD"
      })
    #expect(response.status == 200)
    #expect(requests.map(\.method) == ["HEAD", "HEAD"])
  }

  @Test func `with 0 redirects the redirect is the answer, body and all`() async throws {
    let (response, requests) = try await response(
      from: redirecting(302),
      change: {
        $0.url += "start"
        $0.maximumRedirects = 0
      })
    #expect(response.status == 302)
    #expect(response.header("Location") == "/end")
    #expect(response.text == "elsewhere")
    #expect(requests.count == 1)
  }

  @Test(arguments: ["301 There", "300 Choose", "304 Same", "305 Proxy"])
  func `a 3xx that names no place, or is no redirect, is the answer`(status: String) async throws {
    let location = status.hasPrefix("301") ? "" : "Location: /end\r\n"
    let response = try await response(to: "HTTP/1.1 \(status)\r\n\(location)Content-Length: 0\r\n\r\n")
    #expect(response.status == Int(status.prefix(3)))
  }

  @Test func `as many redirects as allowed are followed, and one more is a failure`() async throws {
    let counting: TestServer.Behaviour = { connection, request in
      let number = Int(request.target.dropFirst()) ?? 0
      connection.write(
        plain("\(number)", status: "302 On", headers: number == 3 ? ["X-End: 1"] : ["Location: /\(number + 1)"]))
      return .keep
    }
    let (response, requests) = try await response(
      from: counting,
      change: {
        $0.url += "0"
        $0.maximumRedirects = 3
      })
    #expect(response.text == "3")
    #expect(requests.map(\.target) == ["/0", "/1", "/2", "/3"])
    let (failure, place) = try await failure(
      from: counting,
      change: {
        $0.url += "0"
        $0.maximumRedirects = 2
      })
    #expect(failure?.kind == .redirects)
    #expect(failure?.message == "\(place) redirects once more, after 2 redirects")
    #expect(failure?.status == 302)
  }

  @Test func `a loop of redirects ends`() async throws {
    let (failure, place) = try await failure(from: { connection, _ in
      connection.write(plain("", status: "302 On", headers: ["Location: /"]))
      return .keep
    })
    #expect(failure?.kind == .redirects)
    #expect(failure?.message == "\(place) redirects once more, after 10 redirects")
  }

  @Test(arguments: ["ftp://127.0.0.1/x", "file:///etc/passwd", "gopher://127.0.0.1/", "javascript:alert(1)"])
  func `a redirect to anything but http and https is a failure`(place: String) async throws {
    let (failure, _) = try await failure(from: redirecting(302, to: place), change: { $0.url += "start" })
    #expect(failure?.kind == .redirects)
  }

  @Test func `credentials stay with their origin`() async throws {
    let other = try TestServer(answer: plain("other"))
    defer { other.stop() }
    let secrets = [
      NamedText("authorization", "Bearer t"), NamedText("Cookie", "a=1"), NamedText("Host", "named.example"),
      NamedText("X-Plain", "1"),
    ]
    let (response, own) = try await response(
      from: redirecting(307, to: "\(other.url)/end"),
      change: {
        $0.url += "start"
        $0.headers = secrets
      })
    #expect(response.text == "other")
    #expect(own.first?.header("authorization") == "Bearer t")
    #expect(other.requests.map { $0.header("authorization") } == [nil])
    #expect(other.requests.map { $0.header("cookie") } == [nil])
    #expect(other.requests.map { $0.header("host") } == ["127.0.0.1:\(other.port)"])
    #expect(other.requests.map { $0.header("x-plain") } == ["1"])
  }

  @Test func `credentials in the URL stay with their origin, too`() async throws {
    let other = try TestServer(answer: plain("other"))
    defer { other.stop() }
    let (_, own) = try await response(
      from: redirecting(302, to: "\(other.url)/end"),
      change: { $0.url = $0.url.replacing("http://", with: "http://user:password@") + "start" })
    #expect(own.first?.header("authorization") == "Basic dXNlcjpwYXNzd29yZA==")
    #expect(other.requests.map { $0.header("authorization") } == [nil])
  }

  @Test func `credentials follow within an origin`() async throws {
    let (_, requests) = try await response(
      from: redirecting(302),
      change: {
        $0.url += "start"
        $0.headers = [NamedText("Authorization", "Bearer t")]
      })
    #expect(requests.map { $0.header("authorization") } == ["Bearer t", "Bearer t"])
  }

  @Test func `the body of a redirect that is followed does not count`() async throws {
    let (response, _) = try await response(
      from: { connection, request in
        let long = String(repeating: "x", count: 1000)
        connection.write(
          request.target == "/" ? plain(long, status: "302 On", headers: ["Location: /b"]) : plain("short"))
        return .keep
      }, change: { $0.maximumBytes = 5 })
    #expect(response.text == "short")
  }

  @Test func `a redirect that never stops talking is stopped`() async throws {
    let (failure, _) = try await failure(
      from: { connection, _ in
        connection.write("HTTP/1.1 302 On\r\nLocation: /b\r\nContent-Length: 5000000\r\n\r\n")
        connection.write([UInt8](repeating: 0x78, count: 3 << 20))
        connection.waitForClose()
        return .close
      }, change: { $0.maximumBytes = 5 })
    #expect(failure?.kind == .tooLarge)
  }
}
