import Foundation
import Testing

/// A process of the built `tidegate`.
final class RunningCommand {
  /// Its current folder.
  let folder: URL
  private let process = Process()
  private let hasEnded = AsyncStream<Void>.makeStream()
  private let output: URL
  private let errors: URL

  init(
    _ line: [String], in folder: URL, stdin: String?, environment: [String: String], output stdout: FileHandle?
  ) throws {
    self.folder = folder
    // Files, not pipes: nobody has to read while it runs. Beside its folder, so that it does not see them.
    output = folder.appendingPathExtension("stdout")
    errors = folder.appendingPathExtension("stderr")
    process.executableURL = URL(filePath: line[0])
    process.arguments = Array(line.dropFirst())
    process.currentDirectoryURL = folder
    process.environment = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
    for file in [output, errors] { try Data().write(to: file) }
    process.standardOutput = try stdout ?? FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    if let stdin {
      let file = folder.appendingPathExtension("stdin")
      try Data(stdin.utf8).write(to: file)
      process.standardInput = try FileHandle(forReadingFrom: file)
    } else {
      process.standardInput = FileHandle.nullDevice
    }
    process.terminationHandler = { [hasEnded] _ in hasEnded.continuation.finish() }
    try process.run()
  }

  deinit {
    for file in ["stdout", "stderr", "stdin"] {
      try? FileManager.default.removeItem(at: folder.appendingPathExtension(file))
    }
  }

  /// Returns when stderr holds `text`, or the process has ended.
  func waitForError(_ text: String) async throws {
    while process.isRunning, try !String(contentsOf: errors, encoding: .utf8).contains(text) {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(try String(contentsOf: errors, encoding: .utf8).contains(text))
  }

  func send(_ signal: Int32) {
    Foundation.kill(process.processIdentifier, signal)
  }

  /// Waits for its end, and says how it ended; the exit of a process that a signal ended is the negative number of the
  /// signal.
  func end() async throws -> CommandLine.Ended {
    for await _ in hasEnded.stream {}
    return CommandLine.Ended(
      exit: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
      output: try String(contentsOf: output, encoding: .utf8), errors: try String(contentsOf: errors, encoding: .utf8))
  }

  func kill() {
    if process.isRunning { send(SIGKILL) }
  }
}
