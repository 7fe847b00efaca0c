import Foundation
import Testing

/// Help is golden, byte for byte: `Help/NAME.txt`.
@Suite struct HelpTests {
  static let commands = ["run", "check", "plan", "graph", "test", "mock", "help"]

  private func golden(_ name: String) throws -> String {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Help")
    return try String(contentsOf: folder.appending(path: "\(name).txt"), encoding: .utf8)
  }

  @Test(arguments: commands)
  func `every command has its help, whichever way it is asked for`(_ command: String) async throws {
    let expected = CommandLine.Ended(exit: 0, output: try golden(command), errors: "")
    #expect(try await CommandLine(command, "--help").run() == expected)
    #expect(try await CommandLine(command, "-h").run() == expected)
    #expect(try await CommandLine("help", command).run() == expected)
  }

  @Test func `help needs no script, and does not mind what follows`() async throws {
    let ended = try await CommandLine("run", "--strict", "--help", "--nonsense").run()
    #expect(ended == CommandLine.Ended(exit: 0, output: try golden("run"), errors: ""))
  }

  @Test func `the overall help is shown on demand`() async throws {
    let expected = CommandLine.Ended(exit: 0, output: try golden("tidegate"), errors: "")
    #expect(try await CommandLine("--help").run() == expected)
    #expect(try await CommandLine("-h").run() == expected)
    #expect(try await CommandLine("help").run() == expected)
  }

  @Test func `without a command the help goes to stderr`() async throws {
    #expect(try await CommandLine().run() == CommandLine.Ended(exit: 1, output: "", errors: try golden("tidegate")))
  }

  @Test func `the overall help names every command and nothing else`() throws {
    let lines = try golden("tidegate").split(separator: "\n", omittingEmptySubsequences: false)
    let first = try #require(lines.firstIndex(of: "Commands:"))
    let listed = lines[(first + 1)...].prefix { !$0.isEmpty }.map { $0.split(separator: " ")[0] }
    #expect(listed.map(String.init) == Self.commands)
  }

  @Test func `the version is a line`() async throws {
    #expect(
      try await CommandLine("--version").run() == CommandLine.Ended(exit: 0, output: "tidegate 0.1.0\n", errors: ""))
  }
}
