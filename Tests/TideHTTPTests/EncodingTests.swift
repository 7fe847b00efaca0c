import Foundation
import Testing
import TideGraph
import TideHTTP
import TideValue

@Suite(.timeLimit(.minutes(1)))
struct EncodingTests {
  private static let text = "{\"moon\":\"\(String(repeating: "tide ", count: 40))\"}"

  private func answer(_ encoding: String, _ bytes: [UInt8]) -> TestServer.Behaviour {
    { connection, _ in
      connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: \(encoding)\r\nContent-Length: \(bytes.count)\r\n\r\n")
      connection.write(bytes)
      return .keep
    }
  }

  @Test(arguments: ["gzip", "deflate", "identity"])
  func `an encoding is undone`(encoding: String) async throws {
    let bytes = ["gzip": Compressed.gzip, "deflate": Compressed.zlib][encoding] ?? Array(Self.text.utf8)
    let (response, requests) = try await response(from: answer(encoding, bytes))
    #expect(response.text == Self.text)
    #expect(requests.first?.header("accept-encoding")?.contains("gzip") == true)
  }

  @Test func `without 'compressed' nothing is asked for and nothing undone`() async throws {
    let (response, requests) = try await response(
      from: answer("gzip", Compressed.gzip), change: { $0.compressed = false })
    #expect(Array(response.body.bytes) == Compressed.gzip)
    #expect(requests.first?.count(of: "accept-encoding") == 0)
  }

  @Test func `one handle serves both kinds one after the other`() async throws {
    let server = try TestServer(answer("gzip", Compressed.gzip))
    let transport = CurlTransport.direct()
    defer {
      transport.shutdown()
      server.stop()
    }
    var sizes: [Int] = []
    for compressed in [true, false, true] {
      sizes.append(
        try await transport.response(to: Request(method: "GET", url: server.url, compressed: compressed)).body.count)
    }
    #expect(sizes == [Self.text.utf8.count, Compressed.gzip.count, Self.text.utf8.count])
  }

  @Test func `a body that is not in its encoding is malformed`() async throws {
    let (failure, place) = try await failure(from: answer("gzip", Array("plain text".utf8)))
    #expect(failure?.kind == .malformed)
    #expect(failure?.message.hasPrefix("the body from \(place) can't be decoded") == true)
  }

  @Test func `a small body that unfolds to 32 MB is stopped at the limit`() async throws {
    let bomb = Compressed.zeros(count: 32 << 20)
    #expect(bomb.count < 1 << 18)
    let (failure, place) = try await failure(from: answer("gzip", bomb), change: { $0.maximumBytes = 1 << 20 })
    #expect(failure?.kind == .tooLarge)
    #expect(failure?.message == "the body from \(place) goes on, and at most 1048576 bytes are allowed")
  }

  @Test func `a body may unfold to more than was sent, up to the limit`() async throws {
    let exact = Self.text.utf8.count
    let (response, _) = try await response(from: answer("gzip", Compressed.gzip), change: { $0.maximumBytes = exact })
    #expect(response.body.count == exact)
    let (failure, _) = try await failure(from: answer("gzip", Compressed.gzip), change: { $0.maximumBytes = exact - 1 })
    #expect(failure?.kind == .tooLarge)
  }
}

/// Compressed bytes.
enum Compressed {
  /// `{"moon":"tide tide ..."}`, by Python's gzip and zlib modules.
  static let gzip = bytes("H4sIAAAAAAACA6tWys3Pz1OyUirJTElVGAaEUi0AjS+YcdMAAAA=")
  static let zlib = bytes("eNqrVsrNz89TslIqyUxJVRgGhFItANBtSmQ=")

  private static func bytes(_ base64: String) -> [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }

  /// The beginning of a gzip file of zeros (RFC 1951 section 3.2.6): one zero, then "258 more of the last byte" again and again.
  static func zeros(count: Int) -> [UInt8] {
    var stream = BitStream(bytes: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3])
    stream.append([1, 1, 0])
    stream.append([0, 0, 1, 1, 0, 0, 0, 0])
    for _ in 0..<(count / 258) { stream.append([1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]) }
    return stream.bytes
  }

  private struct BitStream {
    var bytes: [UInt8]
    private var free = 0

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    mutating func append(_ bits: [UInt8]) {
      for bit in bits {
        if free == 0 {
          bytes.append(0)
          free = 8
        }
        bytes[bytes.count - 1] |= bit << UInt8(8 - free)
        free -= 1
      }
    }
  }
}
