import Testing

/// A script that is invalid: `check` and `run` say the same, and exit with 2.
@Suite struct ScriptErrorTests {
  private func expect(_ script: String, says errors: String, _ place: SourceLocation = #_sourceLocation) async throws {
    let whole = "local tide = require \"tidegate\"\n\(script)\n"
    for command in ["check", "run", "plan", "graph"] {
      let ended = try await CommandLine(command).with(script: whole).run()
      #expect(ended == CommandLine.Ended(exit: 2, output: "", errors: errors), "\(command)", sourceLocation: place)
    }
  }

  @Test func `a syntax error shows its place`() async throws {
    try await expect(
      "return tide.request = 1",
      says: """
        error[T0101]: <eof> expected near '='
         --> w.lua:2:21
        2 | return tide.request = 1
          |                     ^

        """)
  }

  @Test func `a misspelt option is met with the right one`() async throws {
    try await expect(
      #"return tide.request "a" { GET = "http://a.test/", tiemout = "5s" }"#,
      says: """
        error[T0202]: request "a": unknown option 'tiemout'
         --> w.lua:2:51
        2 | return tide.request "a" { GET = "http://a.test/", tiemout = "5s" }
          |                                                   ^^^^^^^
          help: did you mean 'timeout'?

        """)
  }

  @Test func `a misspelt variable among the inputs can't vanish`() async throws {
    try await expect(
      """
      local login = tide.step "login" { run = function() return 1 end }
      return tide.step "b" { lgoin, run = function(x) return x end }
      """,
      says: """
        error[T0102]: undefined variable 'lgoin'
         --> w.lua:3:24
        3 | return tide.step "b" { lgoin, run = function(x) return x end }
          |                        ^^^^^
          help: did you mean 'login'?

        """)
  }

  @Test func `a script must return something`() async throws {
    try await expect(
      #"tide.step "a" { run = function() return 1 end }"#,
      says: """
        error[T0207]: the script returns nothing
         --> w.lua:2
        2 | tide.step "a" { run = function() return 1 end }
          help: end it with 'return' and the handle of the node whose value is the result, or a table of handles

        """)
  }

  @Test func `a second node of a name shows both lines`() async throws {
    try await expect(
      """
      local a = tide.input "a"
      return tide.step "a" { run = function() return 1 end }
      """,
      says: """
        error[T0201]: a second node named 'a': the first is at w.lua:2
         --> w.lua:3
        3 | return tide.step "a" { run = function() return 1 end }
         --> w.lua:2  the first 'a'
        2 | local a = tide.input "a"
          help: every node of a script has a name of its own

        """)
  }

  @Test(arguments: [
    ("local n = #a", "#", "return #v"),
    ("local n = a + 1", "+", "return v + 1"),
    ("local n = a()", "call", "return v"),
  ])
  func `a handle has no value while the script declares`(
    _ line: String, _ operation: String, _ advice: String
  ) async throws {
    try await expect(
      """
      local a = tide.step "a" { run = function() return 1 end }
      \(line)
      return a
      """,
      says: """
        error[T0206]: '\(operation)' of the handle 'a': its value is not known while the script declares
         --> w.lua:3
        3 | \(line)
          help: use it inside a step: tide.step "name" { a, run = function(v) \(advice) end }

        """)
  }

  @Test func `all that is wrong is said at once, in the order of the lines`() async throws {
    try await expect(
      """
      local a = tide.request "a" { GTE = "http://a.test/" }
      return tide.merge "m" { a, how = "concta" }
      """,
      says: """
        error[T0203]: request "a": the method with its URL is missing
         --> w.lua:2
        2 | local a = tide.request "a" { GTE = "http://a.test/" }
          help: write GET = url, POST = url, PUT = url, ...

        error[T0202]: request "a": unknown option 'GTE'
         --> w.lua:2:30
        2 | local a = tide.request "a" { GTE = "http://a.test/" }
          |                              ^^^
          help: did you mean 'GET'?

        error[T0205]: merge "m": 'how' is "concta"
         --> w.lua:3:28
        3 | return tide.merge "m" { a, how = "concta" }
          |                            ^^^
          help: did you mean 'concat'?

        """)
  }

  @Test func `a file that can't be found is a matter of the command line`() async throws {
    for command in ["check", "run", "plan", "graph"] {
      let ended = try await CommandLine(command, "no.lua").run()
      #expect(
        ended
          == CommandLine.Ended(exit: 1, output: "", errors: "error[T0404]: no.lua: No such file or directory\n"))
    }
    let ended = try await CommandLine("run", ".").run()
    #expect(ended == CommandLine.Ended(exit: 1, output: "", errors: "error[T0404]: .: is a folder\n"))
  }

  @Test func `a file that the script requires and that is not there is a matter of the script`() async throws {
    try await expect(
      #"return require "nowhere""#,
      says: """
        error[T0105]: require "nowhere": there is no nowhere.lua
         --> w.lua:2
        2 | return require "nowhere"

        """)
  }
}
