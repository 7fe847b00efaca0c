import Foundation
import Testing

/// Signals from outside, and what runs however the rest went.
@Suite struct SignalTests {
  private static let script = """
    local tide = require "tidegate"
    local build = tide.step "build" { run = function() return { id = 7 } end }
    local approved = tide.signal "approved" { after = { build }, deadline = "1h" }
    tide.step "tidy" { build, always = true, run = function(b) tide.log("tidying " .. b.id) end }
    return tide.step "deploy" { build, approved, run = function(b, by) return { id = b.id, by = by } end }

    """

  @Test func `a signal on the command line is there from the start`() async throws {
    let ended = try await CommandLine("run", "--signal", "approved").with(script: Self.script).run()
    #expect(ended == CommandLine.Ended(exit: 0, output: "{\"by\":null,\"id\":7}\n", errors: "[tidy] tidying 7\n"))
  }

  @Test func `signals come as lines, with a value if they carry one`() async throws {
    let ended = try await CommandLine("run", "--signals", "-")
      .with(script: Self.script, stdin: "\nother\napproved  {\"by\": \"ann\"} \n").run()
    #expect(ended.exit == 0)
    #expect(ended.output == "{\"by\":{\"by\":\"ann\"},\"id\":7}\n")
    #expect(
      ended.errors
        == "warning: a signal that nobody waits for: 'other' (the workflow's signals are: approved)\n[tidy] tidying 7\n"
    )
  }

  @Test func `a signal that can't come is said before anything starts`() async throws {
    let ended = try await CommandLine("run").with(script: Self.script).run()
    #expect(
      ended
        == CommandLine.Ended(
          exit: 1, output: "",
          errors: """
            error: the workflow waits for the signal 'approved', and none can come
              help: give it at the start with --signal approved, or say where signals come from with --signals FILE

            """))
    let misspelt = try await CommandLine("run", "--signal", "aproved").with(script: Self.script).run()
    #expect(misspelt.exit == 1)
    #expect(misspelt.errors.contains("did you mean 'approved'?"))
  }

  @Test func `when the lines end without it the node fails, and cleanup runs`() async throws {
    let ended = try await CommandLine("run", "--signals", "/dev/null").with(script: Self.script).run()
    #expect(ended.exit == 3)
    #expect(
      ended.errors.hasPrefix(
        "[tidy] tidying 7\nerror[T0302]: was signalled 0 of 1 times, and no signal can come any more\n"))
  }

  @Test func `an interrupted run cleans up, and a second signal does not wait for it`() async throws {
    let script = """
      local tide = require "tidegate"
      local mark = tide.step "mark" { run = function() tide.log("at work") return 1 end }
      local slow = tide.request "slow" { GET = "http://a.test/slow", needs = { mark } }
      local begun = tide.step "begun" { always = true, run = function() tide.log("tidying") end }
      tide.request "tidy" { DELETE = "http://a.test/slow", always = true, needs = { begun } }
      return slow

      """
    let fixtures = """
      [ { "request": { "url": "/slow" }, "failure": "never" },
        { "request": { "method": "DELETE", "url": "/slow" }, "failure": "never" } ]
      """
    let byDefault = ["/usr/bin/env", "--default-signal=INT", "--default-signal=TERM"]
    try await CommandLine("run").with(script: script, fixtures: fixtures).start(through: byDefault) { running in
      try await running.waitForError("[mark] at work")
      running.send(SIGINT)
      try await running.waitForError("[begun] tidying")
      running.send(SIGINT)
      #expect(try await running.end().exit == 130)
    }
  }

  @Test func `cleanup that fails is told, and makes the run partial`() async throws {
    let script = """
      local tide = require "tidegate"
      tide.step "tidy" { always = true, run = function() error("the broom broke", 0) end }
      return tide.step "one" { run = function() return 1 end }

      """
    let ended = try await CommandLine("run").with(script: script).run()
    #expect(
      ended
        == CommandLine.Ended(exit: 0, output: "1\n", errors: "warning: cleanup failed: 'tidy' (the broom broke)\n"))
    #expect(try await CommandLine("run", "--strict").with(script: script).run().exit == 3)
  }
}
