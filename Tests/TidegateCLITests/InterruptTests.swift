import Foundation
import Testing

/// Ctrl-C and its like.
@Suite struct InterruptTests {
  /// Whatever the tests were started with, the signals do what they do by default.
  private static let byDefault = ["/usr/bin/env", "--default-signal=INT", "--default-signal=TERM"]

  private static let stopping = "warning: interrupted: stopping what is in flight (once more ends at once)\n"

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal cancels the run`(_ signal: Int32) async throws {
    try await CommandLine("run", "--summary", "s.json")
      .with(script: Scripts.waits, fixtures: Scripts.neverAnswers)
      .start(through: Self.byDefault) { running in
        try await running.waitForError("[mark] at work")
        running.send(signal)
        let ended = try await running.end()
        #expect(
          ended
            == CommandLine.Ended(exit: 130, output: "", errors: "[mark] at work\n\(Self.stopping)"))
        let summary = try Summary(in: running.folder.appending(path: "s.json"))
        #expect(summary.status == "cancelled")
        #expect(summary.exit == 130)
        #expect(summary.nodes["slow"]?.outcome == "cancelled")
        #expect(summary.nodes["mark"]?.outcome == "ok")
      }
  }

  @Test func `two signals in a row end it all the same`() async throws {
    try await CommandLine("run").with(script: Scripts.waits, fixtures: Scripts.neverAnswers)
      .start(through: Self.byDefault) { running in
        try await running.waitForError("[mark] at work")
        running.send(SIGINT)
        running.send(SIGTERM)
        #expect(try await running.end().exit == 130)
      }
  }

  /// Nobody reads what it prints, so that it is still printing when the first signal comes.
  @Test func `a signal while the result is written ends the process at once`() async throws {
    let script = """
      local tide = require "tidegate"
      return tide.step "large" { run = function() tide.log("at work") return ("x"):rep(1000000) end }

      """
    let pipe = Pipe()
    try await CommandLine("run").with(script: script)
      .start(output: pipe.fileHandleForWriting, through: Self.byDefault) { running in
        try await running.waitForError("[large] at work")
        // The first bytes are there: the run is over.
        #expect(try pipe.fileHandleForReading.read(upToCount: 1) == Data("\"".utf8))
        running.send(SIGINT)
        let ended = try await running.end()
        #expect(ended.exit == 130)
      }
  }

  @Test func `a signal that is ignored from the start stays ignored`() async throws {
    let slow = #"[ { "request": { "url": "/slow" }, "response": { "json": "done", "delay": "300ms" } } ]"#
    try await CommandLine("run").with(script: Scripts.waits, fixtures: slow)
      .start(through: ["/usr/bin/env", "--ignore-signal=INT"]) { running in
        try await running.waitForError("[mark] at work")
        running.send(SIGINT)
        let ended = try await running.end()
        #expect(ended == CommandLine.Ended(exit: 0, output: "\"done\"\n", errors: "[mark] at work\n"))
      }
  }
}
