import Foundation
import Testing

@Suite struct MockTests {
  private static let fixtures = """
    [ { "request": { "url": "https://api/users/{id}" }, "response": { "text": "Ada" } },
      { "request": { "url": "/other" }, "response": {} } ]
    """

  private func get(_ url: String) async throws -> (status: Int, body: String) {
    let curl = Process()
    let output = Pipe()
    curl.executableURL = URL(filePath: "/usr/bin/curl")
    curl.arguments = ["-s", "--noproxy", "*", "-w", "\n%{http_code}", url]
    curl.standardOutput = output
    try curl.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    curl.waitUntilExit()
    let end = try #require(text.lastIndex(of: "\n"))
    return (try #require(Int(text[text.index(after: end)...])), String(text[..<end]))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `fixtures are served until a signal, which ends it with what was not used`(signal: Int32) async throws {
    let line = CommandLine("mock", "f.json").with(files: ["f.json": Self.fixtures])
    let (ended, url) = try await line.start { command in
      try await command.waitForError("\n")
      let url = try #require(try String(contentsOf: command.folder.appendingPathExtension("stderr"), encoding: .utf8).split(separator: "\n").first.map(String.init))
      #expect(url.hasPrefix("http://127.0.0.1:"))
      let user = try await get(url + "/users/7")
      #expect(user.status == 200)
      #expect(user.body == "Ada")
      let nothing = try await get(url + "/user?secret=1")
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
        wanted /other, got /user
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
