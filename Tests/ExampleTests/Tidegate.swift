import Foundation
import Testing

/// The built binary, run in a process of its own from the top of the checkout.
enum Tidegate {
  struct Ended: Equatable {
    var exit: Int32
    var output: String
    var errors: String
  }

  /// The top of the checkout.
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The binary stands beside the test bundle.
  static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

  /// Runs `tidegate` to its end.
  static func run(_ arguments: [String]) async throws -> Ended {
    try await start(folder.appending(path: "tidegate"), arguments)
  }

  /// Runs a line of a shell in which `tidegate` is the built binary; what it says on both outputs is `output`, in order.
  static func shell(_ line: String) async throws -> Ended {
    try await start(URL(filePath: "/bin/bash"), ["-c", "exec 2>&1; \(line)"])
  }

  private static func start(_ program: URL, _ arguments: [String]) async throws -> Ended {
    try await withTemporaryFolder { folder in
      // Files, not pipes: nobody has to read while it runs.
      let output = folder.appending(path: "output")
      let errors = folder.appending(path: "errors")
      let process = Process()
      process.executableURL = program
      process.arguments = arguments
      process.currentDirectoryURL = root
      process.environment = ProcessInfo.processInfo.environment
      process.environment?["PATH"] = "\(Self.folder.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
      process.standardInput = FileHandle.nullDevice
      for (file, stream) in [(output, \Process.standardOutput), (errors, \Process.standardError)] {
        try Data().write(to: file)
        process[keyPath: stream] = try FileHandle(forWritingTo: file)
      }
      try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
        process.terminationHandler = { _ in ended.resume() }
        do { try process.run() } catch { ended.resume(throwing: error) }
      }
      return Ended(
        exit: process.terminationStatus, output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
        errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }
  }
}

/// A folder of the test's own, gone afterwards.
func withTemporaryFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appending(path: "tidegate-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder)
}
