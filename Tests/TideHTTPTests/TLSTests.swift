import Foundation
import Testing
import TideGraph
import TideHTTP

/// Against `openssl s_server`, with certificates made for the test.
@Suite(.timeLimit(.minutes(2)))
struct TLSTests {
  @Test func `a certificate of an authority that is trusted is good for the name it holds, and for no other`()
    async throws
  {
    let folder = try Certificates()
    defer { folder.remove() }
    let server = try SecureServer(folder)
    defer { server.stop() }
    let transport = CurlTransport.direct()
    defer { transport.shutdown() }
    func request(_ host: String, _ authorities: String?) -> Request {
      Request(method: "GET", url: "https://\(host):\(server.port)/", certificateAuthorities: authorities)
    }

    let response = try await transport.response(to: request("localhost", folder.path("ca.pem")))
    #expect(response.status == 200)
    #expect(response.text.contains("s_server"))

    let wrongName = await transport.failure(of: request("127.0.0.1", folder.path("ca.pem")))
    #expect(wrongName?.kind == .tls)
    #expect(wrongName?.message.contains("no secure connection to 127.0.0.1:\(server.port)") == true)
    #expect(
      wrongName?.message.contains("does not match target host name '127.0.0.1'") == true
        || wrongName?.message.contains("no alternative certificate subject name matches target host name '127.0.0.1'")
          == true
    )

    let stranger = await transport.failure(of: request("localhost", folder.path("stranger.pem")))
    #expect(stranger?.kind == .tls)
    #expect(stranger?.message.contains("unable to get local issuer certificate") == true)
    #expect(stranger?.help == "tls = { ca = file } names the certificates to trust")

    // Last on a handle that knew the authority: what one request trusts is nothing to the next.
    let untrusted = await transport.failure(of: request("localhost", nil))
    #expect(untrusted?.kind == .tls)
    #expect(untrusted?.message.contains("certificate") == true)

    let again = try await transport.response(to: request("localhost", folder.path("ca.pem")))
    #expect(again.status == 200)
  }

  @Test func `a file of authorities that is missing or holds none is named`() async throws {
    let folder = try Certificates()
    defer { folder.remove() }
    let server = try SecureServer(folder)
    defer { server.stop() }
    let transport = CurlTransport.direct()
    defer { transport.shutdown() }
    let url = "https://localhost:\(server.port)/"
    let missing = folder.path("missing.pem")
    let failure = await transport.failure(of: Request(method: "GET", url: url, certificateAuthorities: missing))
    #expect(failure?.kind == .tls)
    #expect(
      failure?.message == "the certificates to trust can't be read from '\(missing)': no such file or directory")
    let empty = folder.path("empty.pem")
    try "no certificate".write(toFile: empty, atomically: true, encoding: .utf8)
    let unusable = await transport.failure(of: Request(method: "GET", url: url, certificateAuthorities: empty))
    #expect(unusable?.kind == .tls)
    #expect(
      unusable?.message
        == "the certificates to trust can't be read from '\(empty)': it holds no certificate that can be used")
  }

  @Test func `a server that does not speak TLS is told apart`() async throws {
    let server = try TestServer(greeting: plain("moon")) { _, _ in .close }
    let transport = CurlTransport.direct()
    defer {
      transport.shutdown()
      server.stop()
    }
    let failure = await transport.failure(of: Request(method: "GET", url: "https://127.0.0.1:\(server.port)/"))
    #expect(failure?.kind == .tls)
    #expect(failure?.message.hasPrefix("no secure connection to 127.0.0.1:\(server.port): ") == true)
    #expect(failure?.help == "the server does not speak TLS at this port: is it http:// that is meant?")
  }
}

/// An authority, a certificate of its for `localhost`, and an authority that signed nothing, in a folder of their own.
private struct Certificates {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("tide-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    for name in ["ca", "stranger"] {
      try openssl(
        ["req", "-x509", "-days", "2", "-subj", "/CN=\(name)", "-keyout", "\(name).key", "-out", "\(name).pem"] + key)
    }
    try openssl(["req", "-subj", "/CN=localhost", "-keyout", "server.key", "-out", "server.csr"] + key)
    try "subjectAltName=DNS:localhost".write(toFile: path("names"), atomically: true, encoding: .utf8)
    try openssl([
      "x509", "-req", "-days", "2", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
      "-extfile", "names", "-out", "server.pem",
    ])
  }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  private func openssl(_ arguments: [String]) throws {
    let process = process(arguments)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  func process(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    return process
  }
}

/// `openssl s_server` on a free port of 127.0.0.1: it answers every request with a page about itself.
private final class SecureServer {
  let port: Int
  private let process: Process
  private let output = Pipe()

  init(_ folder: Certificates) throws {
    process = folder.process([
      "s_server", "-accept", "127.0.0.1:0", "-cert", "server.pem", "-key", "server.key", "-www",
    ])
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var said = ""
    var found: Int?
    while found == nil {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      said += String(decoding: data, as: UTF8.self)
      let lines = said.components(separatedBy: "\n").dropLast()
      found = lines.first { $0.hasPrefix("ACCEPT ") }.flatMap { $0.split(separator: ":").last }.flatMap { Int($0) }
    }
    port = try #require(found)
  }

  /// SIGTERM would not do: the child has it blocked, as the threads of Dispatch have that start it.
  func stop() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
