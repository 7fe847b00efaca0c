import Foundation
import TideGraph
import TideTest

/// Files in a folder of their own, which is gone afterwards; the tests are in `a_test.lua`.
struct TestFolder {
  var files: [String: String]

  init(_ test: String, _ files: [String: String] = [:]) {
    self.files = files
    self.files["a_test.lua"] = "local test = require \"tidegate.test\"\n" + test
  }

  /// - Parameter look: at the folder before it is gone.
  @discardableResult
  func run(
    _ configure: (inout TestOptions) -> Void = { _ in }, leaving look: (URL) throws -> Void = { _ in }
  ) throws -> TestFileResult {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tidegate-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in files {
      let file = folder.appending(path: name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    var options = TestOptions()
    options.seed = 1
    configure(&options)
    let result = TestSession(options).run(file: folder.appending(path: "a_test.lua").path)
    try look(folder)
    return result
  }

  /// What one test comes to: "passed", "pending: why", or its messages without the folder.
  func says(_ configure: (inout TestOptions) -> Void = { _ in }) throws -> String {
    let result = try run(configure)
    let failures = result.failures.map(\.message)
    let folder = result.file.dropLast("a_test.lua".count)
    return (failures + result.results.map { $0.outcome.saying }).joined(separator: "; ")
      .replacingOccurrences(of: folder, with: "")
  }
}

extension TestOutcome {
  var saying: String {
    switch self {
    case .passed: "passed"
    case .pending(let why): "pending: \(why ?? "")"
    case .failed(let failures): failures.map(\.message).joined(separator: "; ")
    }
  }
}

extension TestFileResult {
  /// The test of this name.
  subscript(name: String) -> TestResult? { results.first { $0.name == name } }
}
