import Foundation
import Testing

/// `--summary` says how everything ended, whatever happened.
@Suite struct SummaryTests {
  private func summary(
    of line: CommandLine, exit: Int32, _ check: (Summary) throws -> Void
  ) async throws {
    let ended = try await line.adding("--summary", "s.json").run { folder in
      try check(try Summary(in: folder.appending(path: "s.json")))
      // What it was written into on its way is gone.
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(Set(left).subtracting(["w.lua", "fixtures.json"]) == ["s.json"])
    }
    #expect(ended.exit == exit)
  }

  @Test func `of a run that is ok`() async throws {
    let line = CommandLine("run").with(script: Scripts.gather, fixtures: Scripts.bothAnswer)
    try await summary(of: line, exit: 0) { summary in
      #expect(summary.status == "ok")
      #expect(summary.exit == 0)
      #expect(summary.missing == [])
      #expect(Set(summary.nodes.keys) == ["detail", "reward", "shares", "page"])
      for (name, node) in summary.nodes {
        #expect(node.outcome == "ok", "\(name)")
        #expect(node.attempts == 1, "\(name)")
        #expect(node.error == nil, "\(name)")
        #expect(node.blamed == nil, "\(name)")
        let started = try #require(node.started_ms)
        let ended = try #require(node.ended_ms)
        #expect(started <= ended, "\(name)")
        #expect(ended <= summary.elapsed_ms, "\(name)")
      }
    }
  }

  @Test func `of a partial run`() async throws {
    let line = CommandLine("run").with(script: Scripts.gather, fixtures: Scripts.oneIsDown)
    try await summary(of: line, exit: 0) { summary in
      #expect(summary.status == "partial")
      #expect(summary.exit == 0)
      #expect(summary.missing == ["reward"])
      #expect(summary.nodes["reward"]?.outcome == "failed")
      #expect(summary.nodes["reward"]?.error == Summary.Failure(kind: "status", message: "answered 502", status: 502))
      #expect(summary.nodes["page"]?.outcome == "ok")
    }
  }

  @Test func `of a partial run that strict makes a failure`() async throws {
    let line = CommandLine("run", "--strict").with(script: Scripts.gather, fixtures: Scripts.oneIsDown)
    try await summary(of: line, exit: 3) { summary in
      #expect(summary.status == "partial")
      #expect(summary.exit == 3)
    }
  }

  @Test func `of a run that failed, with who is to blame`() async throws {
    let script = """
      local tide = require "tidegate"
      local a = tide.step "a" { run = function() tide.fail("broken") end }
      return tide.step "b" { a, run = function(a) return a end }

      """
    try await summary(of: CommandLine("run").with(script: script), exit: 3) { summary in
      #expect(summary.status == "failed")
      #expect(summary.exit == 3)
      #expect(summary.nodes["a"]?.outcome == "failed")
      #expect(summary.nodes["a"]?.error == Summary.Failure(kind: "step", message: "broken"))
      #expect(summary.nodes["b"]?.outcome == "blocked")
      #expect(summary.nodes["b"]?.blamed == "a")
      #expect(summary.nodes["b"]?.started_ms == nil)
      #expect(summary.nodes["b"]?.attempts == 0)
    }
  }

  @Test func `of a run that ran out of time`() async throws {
    let line = CommandLine("run", "--timeout", "100ms").with(script: Scripts.waits, fixtures: Scripts.neverAnswers)
    try await summary(of: line, exit: 3) { summary in
      #expect(summary.status == "failed")
      #expect(summary.nodes["slow"]?.outcome == "cancelled")
    }
  }

  @Test func `it replaces what was there, and follows a link`() async throws {
    let line = CommandLine("run", "--summary", "link.json").with(script: Scripts.one, files: ["real.json": "old"])
    try await line.start(through: ["/bin/sh", "-c", "ln -s real.json link.json; exec \"$0\" \"$@\""]) { running in
      let ended = try await running.end()
      #expect(ended == CommandLine.Ended(exit: 0, output: "1\n", errors: ""))
      #expect(try Summary(in: running.folder.appending(path: "real.json")).status == "ok")
      let link = running.folder.appending(path: "link.json").path
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "real.json")
    }
  }

  @Test func `a device is written into, not replaced`() async throws {
    let ended = try await CommandLine("run", "--summary", "/dev/stderr").with(script: Scripts.one).run()
    #expect(ended.exit == 0)
    #expect(ended.output == "1\n")
    #expect(ended.errors.hasPrefix("{\n  \"status\": \"ok\""))
  }

  @Test func `it is not written where there was no run`() async throws {
    let ended = try await CommandLine("run", "--summary", "s.json").with(script: "return").run { folder in
      #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "s.json").path))
    }
    #expect(ended.exit == 2)
  }
}
