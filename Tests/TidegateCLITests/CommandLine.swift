import Foundation
import Testing

/// A command line of the built `tidegate`, run in a folder of its own that holds nothing but the files it is given.
struct CommandLine {
  private var words: [String]
  private var files: [String: String] = [:]
  private var stdin: String?
  private var environment: [String: String] = [:]

  init(_ words: String...) {
    self.words = words
  }

  func adding(_ more: String...) -> CommandLine { adding(more) }

  /// Adds files: the script is `w.lua` and goes behind the command's name, the fixtures are `fixtures.json` and go behind
  /// `--fixtures`.
  func with(
    script: String? = nil, fixtures: String? = nil, files: [String: String] = [:], stdin: String? = nil,
    environment: [String: String] = [:]
  ) -> CommandLine {
    var copy = self
    if let script {
      copy.files["w.lua"] = script
      copy.words.insert("w.lua", at: 1)
    }
    if let fixtures {
      copy.files["fixtures.json"] = fixtures
      copy.words += ["--fixtures", "fixtures.json"]
    }
    copy.files.merge(files) { $1 }
    copy.stdin = stdin ?? copy.stdin
    copy.environment.merge(environment) { $1 }
    return copy
  }

  func adding(_ more: [String]) -> CommandLine {
    var copy = self
    copy.words += more
    return copy
  }

  struct Ended: Equatable {
    var exit: Int32
    var output: String
    var errors: String
  }

  /// Runs it to its end.
  ///
  /// - Parameter reading: files that it leaves behind, looked at before they are gone.
  func run(leaving look: (URL) throws -> Void = { _ in }) async throws -> Ended {
    try await start { running in
      let ended = try await running.end()
      try look(running.folder)
      return ended
    }
  }

  /// Starts it, and hands it over while it runs.
  ///
  /// - Parameters:
  ///   - output: in place of a file that is read afterwards.
  ///   - program: what starts the binary, which becomes its last words.
  func start<Result>(
    output: FileHandle? = nil, through program: [String] = [], _ body: (RunningCommand) async throws -> Result
  ) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tidegate-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in files {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }
    let line = program + [Self.binary.path] + words
    let running = try RunningCommand(line, in: folder, stdin: stdin, environment: environment, output: output)
    defer { running.kill() }
    return try await body(running)
  }

  /// It stands beside the test bundle.
  static let binary = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    .appending(path: "tidegate")
}
