import Testing

/// What is wrong with a command line is said before anything is read or sent: exit 1.
@Suite struct UsageTests {
  private func expect(
    _ line: CommandLine, says errors: String, exit: Int32 = 1, _ place: SourceLocation = #_sourceLocation
  ) async throws {
    let ended = try await line.run()
    #expect(ended == CommandLine.Ended(exit: exit, output: "", errors: errors), sourceLocation: place)
  }

  @Test func `an unknown command is met with the nearest one`() async throws {
    try await expect(
      CommandLine("rnu", "w.lua"),
      says: """
        error: there is no command 'rnu'
          help: did you mean 'run'?

        """)
  }

  @Test func `a command that is like no other is met with the way to the list`() async throws {
    try await expect(
      CommandLine("frobnicate"),
      says: """
        error: there is no command 'frobnicate'
          help: 'tidegate help' shows what there is

        """)
  }

  @Test func `an unknown option is met with the nearest one`() async throws {
    try await expect(
      CommandLine("run", "w.lua", "--fixture=x"),
      says: """
        error: 'tidegate run' has no option '--fixture'
          help: did you mean '--fixtures'?

        """)
  }

  @Test func `an option of another command is unknown`() async throws {
    try await expect(
      CommandLine("check", "w.lua", "--strict"),
      says: """
        error: 'tidegate check' has no option '--strict'
          help: 'tidegate check --help' shows what there is

        """)
  }

  @Test func `an option before the command is unknown`() async throws {
    try await expect(
      CommandLine("--strict", "run", "w.lua"),
      says: """
        error: tidegate has no option '--strict'
          help: 'tidegate help' shows what there is

        """)
  }

  @Test func `a single dash makes no long option`() async throws {
    try await expect(
      CommandLine("run", "w.lua", "-strict"),
      says: """
        error: 'tidegate run' has no option '-strict'
          help: did you mean '--strict'?

        """)
  }

  @Test(arguments: [["--jobs"], ["--jobs", "--strict"]])
  func `an option that needs a value says so`(_ words: [String]) async throws {
    try await expect(
      CommandLine("run", "w.lua").adding(words),
      says: """
        error: '--jobs' needs a value
          help: write --jobs N

        """)
  }

  @Test func `an option that takes no value says so`() async throws {
    try await expect(
      CommandLine("run", "w.lua", "--strict=yes"),
      says: """
        error: '--strict' takes no value
          help: write --strict

        """)
  }

  @Test func `a script must be named`() async throws {
    try await expect(
      CommandLine("run", "--strict"),
      says: """
        error: 'tidegate run' needs a SCRIPT
          help: write: tidegate run SCRIPT [options]

        """)
  }

  @Test func `one script is run, not two`() async throws {
    try await expect(
      CommandLine("run", "a.lua", "b.lua"),
      says: """
        error: unexpected argument 'b.lua'
          help: write: tidegate run SCRIPT [options]

        """)
  }

  @Test func `after two dashes everything is an operand`() async throws {
    try await expect(
      CommandLine("check", "--", "--help"),
      says: "error[T0404]: --help: No such file or directory\n")
  }

  @Test(arguments: ["0", "-1", "1025", "two", "", "99999999999999999999", "1.5"])
  func `jobs are a number`(_ text: String) async throws {
    try await expect(
      CommandLine("run", "w.lua", "--jobs=\(text)"),
      says: """
        error: '--jobs \(text)' is no number from 1 to 1024
          help: without it one works on each core

        """)
  }

  @Test(arguments: ["0", "0s", "-1s", "soon", "", "1e9", "5 s", "101y", "99999999999d", "nan"])
  func `a time limit is a length of time above zero`(_ text: String) async throws {
    try await expect(
      CommandLine("run", "w.lua", "--timeout=\(text)"),
      says: """
        error: '--timeout \(text)' is no length of time above zero
          help: write 500ms, 5s, 2m, 1h, or a number of seconds

        """)
  }

  @Test(arguments: ["uid", "=7", ""])
  func `an input has a name and a value`(_ text: String) async throws {
    try await expect(
      CommandLine("run", "--input", text).with(script: Scripts.one),
      says: """
        error: '--input \(text)' is no NAME=VALUE
          help: write --input NAME=VALUE

        """)
  }

  @Test func `a secret that was given without its name is not repeated`() async throws {
    try await expect(
      CommandLine("run", "--secret", "hunter2").with(script: Scripts.one),
      says: """
        error: '--secret' is no NAME=VALUE
          help: write --secret NAME=VALUE

        """)
  }

  @Test func `a format that does not exist is met with the nearest one`() async throws {
    try await expect(
      CommandLine("graph", "w.lua", "--format", "dott"),
      says: """
        error: there is no format 'dott'
          help: did you mean 'dot'?

        """)
  }

  @Test func `the summary can't go where the result goes`() async throws {
    try await expect(
      CommandLine("run", "w.lua", "--summary", "-"),
      says: """
        error: the summary can't go to stdout, where the result goes
          help: name a file

        """)
  }

  @Test func `a summary that can't be written is refused before anything runs`() async throws {
    try await expect(
      CommandLine("run", "w.lua", "--summary", "no/such/folder/s.json"),
      says: """
        error[T0404]: can't write the summary 'no/such/folder/s.json': no/such/folder: No such file or directory

        """)
    try await expect(
      CommandLine("run", "w.lua", "--summary", "."),
      says: "error[T0404]: can't write the summary '.': it is a directory\n")
  }
}
