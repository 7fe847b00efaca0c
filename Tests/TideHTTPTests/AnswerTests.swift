import Foundation
import Testing
import TideGraph
import TideHTTP
import TideValue

@Suite(.timeLimit(.minutes(1)))
struct AnswerTests {
  @Test func `an answer has its status, its headers as they were written, its body, its URL and a time`() async throws {
    let answer = plain("moon", status: "201 Created", headers: ["X-Tide: high", "content-type: text/plain"])
    let response = try await response(to: answer)
    #expect(response.status == 201)
    #expect(
      response.headers == [
        NamedText("X-Tide", "high"), NamedText("content-type", "text/plain"), NamedText("Content-Length", "4"),
      ])
    #expect(response.text == "moon")
    #expect(response.url.hasPrefix("http://127.0.0.1:"))
    #expect(response.elapsed > .zero)
  }

  @Test func `a header that repeats is kept as often as it came`() async throws {
    let response = try await response(to: plain("", headers: ["Set-Cookie: a=1", "Set-Cookie: b=2"]))
    #expect(response.headers.filter { $0.name == "Set-Cookie" }.map(\.value) == ["a=1", "b=2"])
    #expect(response.header("set-cookie") == "a=1")
  }

  @Test func `a folded header is one line`() async throws {
    let response = try await response(to: plain("x", headers: ["X-Long: one", "  two", "\tthree", "X-Next: 4"]))
    #expect(response.header("X-Long") == "one two three")
    #expect(response.header("X-Next") == "4")
  }

  @Test func `a header of 60 KB arrives whole`() async throws {
    let value = String(repeating: "m", count: 60_000)
    let response = try await response(to: plain("x", headers: ["X-Big: \(value)"]))
    #expect(response.header("x-big") == value)
  }

  @Test func `of interim answers and a final one only the final one counts`() async throws {
    let interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\nX-Early: 1\r\n\r\n"
    let response = try await response(to: interim + plain("done", headers: ["X-Late: 1"]))
    #expect(response.status == 200)
    #expect(response.headers.map(\.name) == ["X-Late", "Content-Length"])
    #expect(response.text == "done")
  }

  @Test func `chunks are joined, and trailers are no headers`() async throws {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
    let response = try await response(to: head + "4\r\nmoon\r\n6;ext=1\r\n tides\r\n0\r\nX-Sum: 10\r\n\r\n")
    #expect(response.text == "moon tides")
    #expect(response.headers.map(\.name) == ["Transfer-Encoding", "Trailer"])
  }

  @Test func `a body without a length ends with the connection`() async throws {
    let (response, _) = try await response(from: { connection, _ in
      connection.write("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nto the end")
      return .close
    })
    #expect(response.text == "to the end")
  }

  @Test(arguments: ["204 No Content", "304 Not Modified"])
  func `an answer that can't have a body has none, whatever its length says`(status: String) async throws {
    let server = try TestServer { connection, _ in
      connection.write("HTTP/1.1 \(status)\r\nContent-Length: 5\r\n\r\n")
      return .keep
    }
    defer { server.stop() }
    let transport = CurlTransport.direct()
    defer { transport.shutdown() }
    for _ in 1...2 {
      let response = try await transport.response(to: Request(method: "GET", url: server.url))
      #expect(response.status == Int(status.prefix(3)))
      #expect(response.body.count == 0)
    }
  }

  @Test func `an answer to HEAD has the headers and no body`() async throws {
    let (response, requests) = try await response(
      from: { connection, _ in
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n")
        return .keep
      }, change: { $0.method = "HEAD" })
    #expect(requests.map(\.method) == ["HEAD"])
    #expect(response.header("Content-Length") == "99999999999")
    #expect(response.body.count == 0)
  }

  @Test func `an empty body is an empty buffer`() async throws {
    #expect(try await response(to: plain("")).body.count == 0)
  }

  @Test func `a failure's status is an answer like any other`() async throws {
    let response = try await response(to: plain("no", status: "503 Service Unavailable"))
    #expect(response.status == 503)
    #expect(response.text == "no")
  }

  @Test func `a body of 20 MB arrives as it was sent, with and without its length said`() async throws {
    let block = (0..<65536).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ ($0 >> 8)) }
    let whole = bytes(repeating: block, count: 320)
    for saysLength in [true, false] {
      let (response, _) = try await response(from: { connection, _ in
        let length = saysLength ? "Content-Length: \(320 * block.count)\r\n" : ""
        connection.write("HTTP/1.1 200 OK\r\n\(length)Connection: close\r\n\r\n")
        for _ in 1...320 { connection.write(block) }
        return .close
      })
      #expect(response.body.count == 320 * block.count)
      #expect(Data(response.body.bytes) == whole)
    }
  }

  @Test func `bytes that are no text come as they are`() async throws {
    let (response, _) = try await response(from: { connection, _ in
      connection.write(
        Array("HTTP/1.1 200 OK\r\nX-Old: caf\u{E9}\r\nContent-Length: 4\r\n\r\n".unicodeScalars.map { UInt8($0.value) })
      )
      connection.write([0, 0xFF, 0xC0, 0x0A])
      return .keep
    })
    #expect(Array(response.body.bytes) == [0, 0xFF, 0xC0, 0x0A])
    #expect(response.header("X-Old") == "caf\u{E9}")
  }
}
