import Foundation
import Testing

@Suite struct MockTests {
  private static let fixtures = """
    [ { "request": { "url": "https://api/users/{id}" }, "response": { "text": "Ada" } },
      { "request": { "url": "/other" }, "response": {} } ]
    """

  /// Asks on a thread of its own, since it blocks, and without a process: one whose end is waited for while another runs
  /// on may seem to run on too, since what tells its end is inherited.
  private func get(_ path: String, from url: String) async throws -> (status: Int, body: String) {
    let port = try #require(UInt16(url.drop { $0 != ":" }.dropFirst().drop { $0 != ":" }.dropFirst()))
    let answer = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try Self.ask(port, path) }) }
    }
    let body = try #require(answer.firstRange(of: "\r\n\r\n"))
    return (try #require(Int(answer.split(separator: " ")[1])), String(answer[body.upperBound...]))
  }

  private static func ask(_ port: UInt16, _ path: String) throws -> String {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw POSIXError(.ECONNREFUSED) }
    let text = Array("GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".utf8)
    _ = send(socket, text, text.count, Int32(MSG_NOSIGNAL))
    var answer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = recv(socket, &chunk, chunk.count, 0), count > 0 { answer += chunk[..<count] }
    return String(decoding: answer, as: UTF8.self)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `fixtures are served until a signal, which ends it with what was not used`(signal: Int32) async throws {
    let line = CommandLine("mock", "f.json").with(files: ["f.json": Self.fixtures])
    let (ended, url) = try await line.start(
      // A signal may come ignored, or blocked, from whoever runs the tests.
      through: ["/usr/bin/env", "--default-signal=INT", "--default-signal=TERM"]
    ) { command in
      try await command.waitForError("\n")
      let url = try #require(
        try String(contentsOf: command.folder.appendingPathExtension("stderr"), encoding: .utf8).split(separator: "\n")
          .first.map(String.init))
      #expect(url.hasPrefix("http://127.0.0.1:"))
      let user = try await get("/users/7", from: url)
      #expect(user.status == 200)
      #expect(user.body == "Ada")
      let nothing = try await get("/user?page=1", from: url)
      #expect(nothing.status == 404)
      #expect(nothing.body.hasPrefix("no exchange matches GET /user; the nearest is exchange 2 (GET /other)"))
      command.send(signal)
      return (try await command.end(), url)
    }
    #expect(ended.exit == 0)
    #expect(ended.output == "")
    #expect(
      ended.errors == """
        \(url)
        GET /users/7 -> 200 (exchange 1)
        GET /user -> 404: no exchange matches GET /user; the nearest is exchange 2 (GET /other), which differs in url: \
        wanted /other, got /user; query.page: not expected, got "1"
        unused:
          exchange 2: GET /other

        """)
  }

  @Test(arguments: [
    (["mock"], "error: 'tidegate mock' needs a FILE\n  help: write: tidegate mock FILE [options]\n"),
    (
      ["mock", "f.json", "--port", "65536"],
      "error: '--port 65536' is no number from 0 to 65535\n  help: 0, or no --port at all, takes one that is free\n"
    ),
    (
      ["mock", "f.json", "--port", "+1"],
      "error: '--port +1' is no number from 0 to 65535\n  help: 0, or no --port at all, takes one that is free\n"
    ),
  ])
  func `what can't be served is a mistake of usage`(words: [String], errors: String) async throws {
    let ended = try await CommandLine().adding(words).with(files: ["f.json": Self.fixtures]).run()
    #expect(ended == CommandLine.Ended(exit: 1, output: "", errors: errors))
  }

  @Test func `fixtures that are broken are told with their place`() async throws {
    let ended = try await CommandLine("mock", "f.json").with(files: ["f.json": "[\n  7 ]"]).run()
    #expect(ended.exit == 1)
    #expect(ended.errors.contains("f.json:2:3"))
  }
}
