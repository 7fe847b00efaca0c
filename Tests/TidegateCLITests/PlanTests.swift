import Testing

/// What is shown of a script without running it.
@Suite struct PlanTests {
  typealias Ended = CommandLine.Ended

  @Test func `check says that all is well`() async throws {
    let ended = try await CommandLine("check").with(script: Scripts.gather).run()
    #expect(ended == Ended(exit: 0, output: "w.lua: ok\n", errors: ""))
  }

  @Test func `check finds what Lua can't catch`() async throws {
    let script = """
      local tide = require "tidegate"
      local a = tide.input "a"
      if a then local b = 1 end
      return a

      """
    let ended = try await CommandLine("check").with(script: script).run()
    #expect(
      ended
        == Ended(
          exit: 2, output: "",
          errors: """
            error[T0206]: the handle 'a' is used in 'if', but its value is not known while the script declares
             --> w.lua:3:4
            3 | if a then local b = 1 end
              |    ^
              help: decide with a node's 'when' option, tide.ok(h), or inside a step, which gets the value

            """))
  }

  @Test func `plan shows what runs in which wave, and needs no input`() async throws {
    let script = """
      local tide = require "tidegate"
      local uid = tide.input "uid"
      local a = tide.request "a" { GET = "http://a.test/" .. uid }
      local b = tide.request "b" { GET = "http://b.test/" }
      return tide.merge "both" { a, b, wait = "settled" }

      """
    let ended = try await CommandLine("plan").with(script: script).run()
    #expect(
      ended
        == Ended(
          exit: 0,
          output: """
            w.lua: 3 nodes in 2 waves

            inputs
              uid           any type, required

            hosts
              http://a.test
              http://b.test

            wave 0
              request "a"   GET http://a.test/{uid}
                            needs: uid
              request "b"   GET http://b.test/

            wave 1
              merge "both"  opens when all have ended, one of them well: a, b

            result  both

            """, errors: ""))
  }

  @Test(arguments: [[], ["--format", "dot"], ["--format=mermaid"]])
  func `graph draws the plan`(_ words: [String]) async throws {
    let script = """
      local tide = require "tidegate"
      local a = tide.input "a"
      return tide.step "b" { a, run = function(a) return a end }

      """
    let ended = try await CommandLine("graph").with(script: script).adding(words).run()
    #expect(
      ended
        == Ended(
          exit: 0,
          output: words.last == "--format=mermaid"
            ? """
            flowchart LR
              n0(["input<br>a"])
              n1["step<br>b"]
              n0 --> n1
              classDef result stroke-width:3px
              class n1 result

            """
            : """
            digraph plan {
              rankdir=LR;
              n0 [label="input\\na", shape=ellipse];
              n1 [label="step\\nb", shape=box, penwidth=3];
              n0 -> n1;
            }

            """, errors: ""))
  }
}
