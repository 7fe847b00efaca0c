import Foundation
import Testing

@Suite struct ExampleTests {
  /// A script of `examples/`, and what it prints with the fixtures beside it.
  struct Example: CustomTestStringConvertible {
    var script: String
    var expected: String
    var inputs: [String: String] = [:]
    var options: [String] = []
    /// Whether it sends requests, which the fixtures beside it answer.
    var sends = true

    var testDescription: String { script }
    var fixtures: String { "\((script as NSString).deletingLastPathComponent)/fixtures.json" }

    func run(_ options: String...) async throws -> Tidegate.Ended {
      let given = inputs.sorted { $0.key < $1.key }.flatMap { ["--input", "\($0.key)=\($0.value)"] }
      let answers = sends ? ["--fixtures", fixtures] : []
      return try await Tidegate.run(["run", script] + answers + given + self.options + options)
    }
  }

  static let follow = ["queue", "after", "needs"].map { name in
    Example(script: "examples/follow/\(name).lua", expected: "examples/follow/\(name).expected.json")
  }

  static let shares = Example(
    script: "examples/shares/shares.lua", expected: "examples/shares/expected.json",
    inputs: ["uid": "7", "session_id": "s1"])

  static let data = Example(
    script: "examples/data/verbs.lua", expected: "examples/data/expected.ndjson", options: ["-o", "ndjson"],
    sends: false)

  static let all = [shares, data] + follow

  @Test(arguments: all)
  func `an example prints exactly what lies beside it`(_ example: Example) async throws {
    let expected = try String(contentsOf: Tidegate.root.appending(path: example.expected), encoding: .utf8)
    let ended = try await example.run()
    #expect(ended == Tidegate.Ended(exit: 0, output: expected, errors: ""))
  }

  @Test(arguments: all)
  func `an example passes check without a word of complaint`(_ example: Example) async throws {
    let ended = try await Tidegate.run(["check", example.script])
    #expect(ended.exit == 0)
    #expect(ended.errors == "")
  }

  @Test func `every example passes its tests, with every fault and in every order`() async throws {
    let ended = try await Tidegate.run([
      "test", "examples", "--faults", "--orders", "--seed", "1", "--limit", "5m", "--report", "jsonl",
    ])
    #expect(ended.exit == 0, "\(ended.output)")
    #expect(ended.errors == "")
    let lines = ended.output.split(separator: "\n").map(String.init)
    #expect(lines.last?.contains(#""failed":0,"pending":0,"not_run":0"#) == true)
    // Nothing is explored where nothing is asked for: the requests of each example have their faults tried.
    for script in ["shares.lua", "queue.lua", "after.lua", "needs.lua"] {
      #expect(lines.contains { $0.contains(#""faults":[{"script":"\#(script)""#) }, "\(script)")
    }
    #expect(lines.dropLast().allSatisfy { $0.contains(#""orders":"#) })
  }

  @Test(arguments: all)
  func `every example has a test beside it`(_ example: Example) throws {
    let script = Tidegate.root.appending(path: example.script)
    let folder = script.deletingLastPathComponent()
    let tests = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix("_test.lua") }
    let texts = try tests.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    #expect(texts.contains { $0.contains("\"\(script.lastPathComponent)\"") })
  }

  @Test func `every script under examples is one of these`() throws {
    let folder = Tidegate.root.appending(path: "examples")
    let found = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".lua") && !$0.hasSuffix("_test.lua") }.map { "examples/\($0)" }
    #expect(Set(found) == Set(Self.all.map(\.script)))
  }

  @Test(arguments: follow)
  func `the second request starts only when the first has ended`(_ example: Example) async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "summary.json")
      #expect(try await example.run("--summary", file.path).exit == 0)
      let summary = try JSONDecoder().decode(Summary.self, from: Data(contentsOf: file))
      let upload = try #require(summary.nodes["upload"])
      let publish = try #require(summary.nodes["publish"])
      #expect(upload.outcome == "ok")
      #expect(publish.outcome == "ok")
      // The order of two readings of one clock, not a length of time: the fixtures hold the first answer back.
      #expect(upload.started_ms < upload.ended_ms)
      #expect(publish.started_ms >= upload.ended_ms)
    }
  }

  /// The part of a run's summary that is looked at here.
  private struct Summary: Decodable {
    struct Node: Decodable {
      var outcome: String
      // The summary's own spelling.
      var started_ms: Double  // swift-format-ignore: AlwaysUseLowerCamelCase
      var ended_ms: Double  // swift-format-ignore: AlwaysUseLowerCamelCase
    }
    var nodes: [String: Node]
  }
}
