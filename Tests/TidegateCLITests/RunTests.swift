import Foundation
import Testing

/// What a run prints, and its exit code.
@Suite struct RunTests {
  typealias Ended = CommandLine.Ended

  @Test func `the result is one line of JSON, and stderr is empty`() async throws {
    let ended = try await CommandLine("run").with(script: Scripts.gather, fixtures: Scripts.bothAnswer).run()
    #expect(ended == Ended(exit: 0, output: #"[{"id":"r","at":1.10},{"id":"d","at":2}]"# + "\n", errors: ""))
  }

  @Test func `a pretty result is indented`() async throws {
    let script = """
      local tide = require "tidegate"
      return { a = tide.input "one" { default = 1 }, b = {} }

      """
    let ended = try await CommandLine("run", "-o", "pretty").with(script: script).run()
    #expect(
      ended
        == Ended(
          exit: 0,
          output: """
            {
              "a": 1,
              "b": []
            }

            """, errors: ""))
  }

  @Test func `a partial result is printed, with a warning that names what is missing`() async throws {
    let ended = try await CommandLine("run").with(script: Scripts.gather, fixtures: Scripts.oneIsDown).run()
    #expect(
      ended
        == Ended(
          exit: 0, output: #"[{"id":"d","at":2}]"# + "\n",
          errors: "warning: the result lacks 'reward' (answered 502): it is partial\n"))
  }

  @Test func `under strict a partial result is printed, and has failed`() async throws {
    let ended = try await CommandLine("run", "--strict")
      .with(script: Scripts.gather, fixtures: Scripts.oneIsDown).run()
    #expect(
      ended
        == Ended(
          exit: 3, output: #"[{"id":"d","at":2}]"# + "\n",
          errors: "error: the result lacks 'reward' (answered 502): it is partial\n"))
  }

  @Test func `under strict a whole result is a whole result`() async throws {
    let ended = try await CommandLine("run", "--strict")
      .with(script: Scripts.gather, fixtures: Scripts.bothAnswer).run()
    #expect(ended.exit == 0)
    #expect(ended.errors == "")
  }

  @Test func `a failure that nobody handles fails the run, and prints nothing on stdout`() async throws {
    let script = """
      local tide = require "tidegate"
      local login = tide.request "login" { POST = "http://a.test/reward" }
      return tide.request "page" { GET = "http://a.test/" .. login.id }

      """
    let ended = try await CommandLine("run").with(
      script: script,
      fixtures: #"[{"request":{"method":"POST","url":"/reward"},"response":{"status":503,"json":{"a":1}}}]"#
    ).run()
    #expect(
      ended
        == Ended(
          exit: 3, output: "",
          errors: """
            error[T0302]: answered 503
             --> w.lua:2  in request "login"
            2 | local login = tide.request "login" { POST = "http://a.test/reward" }
              status: 503
              waited for: login (failed) -> page (blocked)

            """))
  }

  @Test func `what a failure does not touch is still printed`() async throws {
    let script = """
      local tide = require "tidegate"
      local good = tide.step "good" { run = function() return 1 end }
      tide.step "bad" { run = function() error("no luck") end }
      return good

      """
    let ended = try await CommandLine("run").with(script: script).run()
    #expect(
      ended
        == Ended(
          exit: 3, output: "1\n",
          errors: """
            error[T0301]: no luck
             --> w.lua:3  in step "bad"
            3 | tide.step "bad" { run = function() error("no luck") end }

            """))
  }

  @Test(arguments: [
    (#"error("no luck")"#, "no luck"),
    (#"error({ code = 7 })"#, #"an error: {"code":7}"#),
    (#"error()"#, "error(nil): an error without a message"),
    (#"tide.fail("no luck", { code = 7 })"#, "no luck"),
  ])
  func `an error in a step shows its place`(_ body: String, _ message: String) async throws {
    let script = """
      local tide = require "tidegate"
      return tide.step "bad" { run = function()
        \(body)
      end }

      """
    let ended = try await CommandLine("run").with(script: script).run()
    #expect(
      ended
        == Ended(
          exit: 3, output: "",
          errors: """
            error[T0301]: \(message)
             --> w.lua:3  in step "bad", declared at :2
            3 |   \(body)

            """))
  }

  @Test func `a runtime error in a step shows its column`() async throws {
    let script =
      "local tide = require 'tidegate'\nreturn tide.step 'bad' { run = function() local t; return t.items end }\n"
    let ended = try await CommandLine("run").with(script: script).run()
    #expect(
      ended
        == Ended(
          exit: 3, output: "",
          errors: """
            error[T0301]: attempt to index a nil value (local 't')
             --> w.lua:2:59  in step "bad", declared at :2
            2 | return tide.step 'bad' { run = function() local t; return t.items end }
              |                                                           ^

            """))
  }

  @Test func `an error that a step returns shows the step`() async throws {
    let script = """
      local tide = require "tidegate"
      return tide.step "bad" { run = function() return nil, "no luck" end }

      """
    let ended = try await CommandLine("run").with(script: script).run()
    #expect(
      ended
        == Ended(
          exit: 3, output: "",
          errors: """
            error[T0301]: no luck
             --> w.lua:2  in step "bad"
            2 | return tide.step "bad" { run = function() return nil, "no luck" end }

            """))
  }

  @Test func `a handle in a step is an error that names it`() async throws {
    let script = """
      local tide = require "tidegate"
      local a = tide.step "a" { run = function() return 1 end }
      return tide.step "b" { run = function() return a.x end }

      """
    let ended = try await CommandLine("run").with(script: script).run()
    #expect(
      ended
        == Ended(
          exit: 3, output: "",
          errors: """
            error[T0301]: '.x' of the handle 'a' in a step: a handle has no value here
             --> w.lua:3  in step "b"
            3 | return tide.step "b" { run = function() return a.x end }
              help: give it to the step as an input: { a, run = function(v) ... end }

            """))
  }

  @Test func `a blocked chain is told as one failure`() async throws {
    let script = """
      local tide = require "tidegate"
      local a = tide.step "a" { run = function() error("broken") end }
      local b = tide.step "b" { a, run = function(a) return a end }
      local c = tide.step "c" { b, run = function(b) return b end }
      return c

      """
    let ended = try await CommandLine("run").with(script: script).run()
    #expect(
      ended
        == Ended(
          exit: 3, output: "",
          errors: """
            error[T0301]: broken
             --> w.lua:2  in step "a"
            2 | local a = tide.step "a" { run = function() error("broken") end }
              waited for: a (failed) -> b (blocked) -> c (blocked)

            """))
  }

  @Test func `what the script logs goes to stderr, line by line with who says it`() async throws {
    let script = """
      local tide = require "tidegate"
      print("declaring")
      return tide.step "talk" { run = function()
        tide.log("one\\ntwo")
        print("three", 4)
        return "done"
      end }

      """
    let ended = try await CommandLine("run").with(script: script).run()
    #expect(
      ended
        == Ended(
          exit: 0, output: "\"done\"\n",
          errors: """
            declaring
            [talk] one
            [talk] two
            [talk] three\t4

            """))
  }

  @Test func `a request that no fixture matches fails, and says which came nearest`() async throws {
    let script = """
      local tide = require "tidegate"
      return tide.request "detail" { GET = "http://a.test/detial" }

      """
    let ended = try await CommandLine("run").with(script: script, fixtures: Scripts.bothAnswer).run()
    #expect(
      ended
        == Ended(
          exit: 3, output: "",
          errors: """
            error[T0302]: no exchange matches GET http://a.test/detial; the nearest is exchange 1 (GET /detail), which \
            differs in url: wanted /detail, got /detial
             --> w.lua:2  in request "detail"
            2 | return tide.request "detail" { GET = "http://a.test/detial" }

            """))
  }

  @Test func `a step that loops for ever is stopped by the time limit`() async throws {
    let script = """
      local tide = require "tidegate"
      return tide.step "spin" { run = function() while true do end end }

      """
    let ended = try await CommandLine("run", "--timeout", "100ms").with(script: script).run()
    #expect(
      ended
        == Ended(
          exit: 3, output: "",
          errors: """
            error[T0302]: the run was stopped after 100ms, its time limit
              was at work: 'spin'

            """))
  }

  @Test func `a request without an answer is stopped by the time limit`() async throws {
    let ended = try await CommandLine("run", "--timeout", "0.1")
      .with(script: Scripts.waits, fixtures: Scripts.neverAnswers).run()
    #expect(
      ended
        == Ended(
          exit: 3, output: "",
          errors: """
            [mark] at work
            error[T0302]: the run was stopped after 100ms, its time limit
              was at work: 'slow'

            """))
  }

  @Test func `jobs of one give the same bytes`() async throws {
    let script = """
      local tide = require "tidegate"
      local parts = {}
      for i = 1, 20 do
        parts[i] = tide.step("part" .. i) { run = function() return { { i = i } } end }
      end
      return tide.sort "all" { tide.merge("m")(parts), by = "-i" }

      """
    let all = try await CommandLine("run").with(script: script).run()
    let one = try await CommandLine("run", "--jobs", "1").with(script: script).run()
    #expect(all.exit == 0)
    #expect(all.output.hasPrefix(#"[{"i":20},{"i":19},"#))
    #expect(one == all)
  }
}
