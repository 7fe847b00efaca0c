import Foundation
import Testing

/// What the README shows is what happens.
@Suite(.enabled(if: Readme.exists, "there is a README"))
struct ReadmeTests {
  @Test func `the README shows scripts and commands`() throws {
    #expect(!Readme.scripts.isEmpty)
    #expect(!Readme.commands.isEmpty)
    #expect(!Readme.tests.isEmpty)
  }

  @Test(arguments: Readme.scripts)
  func `a script in the README passes check`(_ block: Readme.Block) async throws {
    try await withTemporaryFolder { folder in
      let script = folder.appending(path: "readme.lua")
      try block.text.write(to: script, atomically: true, encoding: .utf8)
      let ended = try await Tidegate.run(["check", script.path])
      #expect(ended.exit == 0, "\(ended.errors)")
    }
  }

  @Test(arguments: Readme.tests)
  func `a test in the README passes beside the example that it is about`(_ block: Readme.Block) async throws {
    try await withTemporaryFolder { folder in
      for name in ["shares.lua", "fixtures.json"] {
        try FileManager.default.copyItem(
          at: Tidegate.root.appending(path: "examples/shares/\(name)"), to: folder.appending(path: name))
      }
      let file = folder.appending(path: "shares_test.lua")
      try block.text.write(to: file, atomically: true, encoding: .utf8)
      let ended = try await Tidegate.run(["test", file.path, "--report", "jsonl"])
      #expect(ended.exit == 0, "\(ended.output)")
    }
  }

  @Test(arguments: Readme.commands)
  func `a command in the README prints what the README says`(_ command: Readme.Command) async throws {
    let ended = try await Tidegate.shell(command.line)
    #expect(ended.output == command.printed)
  }
}

/// The code blocks of README.md.
enum Readme {
  struct Block: Sendable, CustomTestStringConvertible {
    var language: String
    /// Of its first line in the README.
    var line: Int
    var text: String

    var testDescription: String { "README.md:\(line)" }
  }

  /// `$ tidegate run examples/...`, and the lines below it.
  struct Command: Sendable, CustomTestStringConvertible {
    var line: String
    var printed: String

    var testDescription: String { line }
  }

  static let file = Tidegate.root.appending(path: "README.md")
  static var exists: Bool { FileManager.default.fileExists(atPath: file.path) }

  /// Whole scripts; what only shows a few lines of one does not say `require`.
  static var scripts: [Block] {
    blocks.filter { $0.language == "lua" && $0.text.contains("require \"tidegate\"") }
  }

  /// Whole test files.
  static var tests: [Block] {
    blocks.filter { $0.language == "lua" && $0.text.contains("require \"tidegate.test\"") }
  }

  /// Commands that run an example; others need what this machine may not have.
  static var commands: [Command] {
    blocks.filter { ["sh", "console"].contains($0.language) }.flatMap(commands(in:))
      .filter { $0.line.hasPrefix("tidegate run examples/") }
  }

  static let blocks: [Block] = {
    guard let readme = try? String(contentsOf: file, encoding: .utf8) else { return [] }
    var blocks: [Block] = []
    var open: Block?
    for (index, line) in readme.components(separatedBy: "\n").enumerated() {
      if !line.hasPrefix("```") {
        open?.text += "\(line)\n"
      } else if let block = open {
        blocks.append(block)
        open = nil
      } else {
        open = Block(language: String(line.dropFirst(3)), line: index + 2, text: "")
      }
    }
    return blocks
  }()

  /// A command may go on behind a backslash; the lines up to the next `$ ` are what it prints.
  private static func commands(in block: Block) -> [Command] {
    var commands: [Command] = []
    var goesOn = false
    for line in block.text.components(separatedBy: "\n").dropLast() {
      if goesOn, let last = commands.indices.last {
        commands[last].line += "\n\(line)"
      } else if line.hasPrefix("$ ") {
        commands.append(Command(line: String(line.dropFirst(2)), printed: ""))
      } else if let last = commands.indices.last {
        commands[last].printed += "\(line)\n"
        continue
      }
      goesOn = line.hasSuffix("\\")
    }
    return commands
  }
}
