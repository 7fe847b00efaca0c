import Testing

/// What a run is given: from the command line, from files, from stdin, from the environment.
@Suite struct InputTests {
  typealias Ended = CommandLine.Ended

  private static let script = """
    local tide = require "tidegate"
    local uid = tide.input "uid" { type = "integer" }
    local name = tide.input "name" { default = "nobody" }
    return { uid = uid, name = name }

    """

  private func run(_ words: String..., files: [String: String] = [:], stdin: String? = nil) async throws -> Ended {
    try await CommandLine("run").adding(words).with(script: Self.script, files: files, stdin: stdin).run()
  }

  @Test func `inputs come from the command line, converted to their type`() async throws {
    let ended = try await run("--input", "uid=7", "--input=name=a=b")
    #expect(ended == Ended(exit: 0, output: #"{"name":"a=b","uid":7}"# + "\n", errors: ""))
  }

  @Test func `the last of a name counts`() async throws {
    #expect(try await run("--input", "uid=7", "--input", "uid=8").output == #"{"name":"nobody","uid":8}"# + "\n")
  }

  @Test func `inputs come from a file, and the command line counts more`() async throws {
    let ended = try await run("--input", "uid=8", "--inputs", "i.json", files: ["i.json": #"{"uid":7,"name":"file"}"#])
    #expect(ended == Ended(exit: 0, output: #"{"name":"file","uid":8}"# + "\n", errors: ""))
  }

  @Test func `inputs come from stdin`() async throws {
    let ended = try await run("--inputs", "-", stdin: "\u{FEFF}{\"uid\": 9}\n")
    #expect(ended == Ended(exit: 0, output: #"{"name":"nobody","uid":9}"# + "\n", errors: ""))
  }

  @Test func `a missing input is named`() async throws {
    #expect(
      try await run()
        == Ended(
          exit: 1, output: "",
          errors: """
            error[T0402]: the input 'uid' is missing
             --> w.lua:2
            2 | local uid = tide.input "uid" { type = "integer" }
              help: give it with --input uid=... or in --inputs FILE

            """))
  }

  @Test func `an input that the script does not declare is met with the nearest one`() async throws {
    #expect(
      try await run("--input", "uid=7", "--input", "nmae=x")
        == Ended(
          exit: 1, output: "",
          errors: """
            error[T0401]: the script declares no input 'nmae'
              help: did you mean 'name'?

            """))
  }

  @Test func `an input of the wrong type says what it is and what it should be`() async throws {
    func refusal(of text: String) -> Ended {
      Ended(
        exit: 1, output: "",
        errors: """
          error[T0403]: the input 'uid' is "\(text)", where a whole number is expected
           --> w.lua:2
          2 | local uid = tide.input "uid" { type = "integer" }

          """)
    }
    #expect(try await run("--input", "uid=seven") == refusal(of: "seven"))
    // Only a command line's texts are converted.
    #expect(try await run("--inputs", "-", stdin: #"{"uid":"7"}"#) == refusal(of: "7"))
  }

  @Test func `all that is wrong with the inputs is said at once`() async throws {
    let ended = try await run("--inputs", "i.json", files: ["i.json": #"{"uid":1.5,"b":1,"a":2}"#])
    #expect(
      ended
        == Ended(
          exit: 1, output: "",
          errors: """
            error[T0403]: the input 'uid' is 1.5, where a whole number is expected
             --> w.lua:2
            2 | local uid = tide.input "uid" { type = "integer" }

            error[T0401]: the script declares no input 'a'
              help: the inputs are: uid, name

            error[T0401]: the script declares no input 'b'
              help: the inputs are: uid, name

            """))
  }

  @Test func `broken JSON shows file, line and column`() async throws {
    let ended = try await run("--inputs", "i.json", files: ["i.json": "{\"uid\": 7,\n  \"naïve\": tru }\n"])
    #expect(
      ended
        == Ended(
          exit: 1, output: "",
          errors: """
            error[T0406]: the inputs are no valid JSON: expected 'true', found a space in it
             --> i.json:2:16
            2 |   "naïve": tru }
              |               ^

            """))
  }

  @Test func `broken JSON on stdin shows line and column`() async throws {
    let ended = try await run("--inputs", "-", stdin: "")
    #expect(
      ended
        == Ended(
          exit: 1, output: "",
          errors: """
            error[T0406]: the inputs are no valid JSON: expected a value, found the end of the text
             --> stdin:1:1
            1 |
              | ^

            """))
  }

  @Test func `inputs must be an object`() async throws {
    let ended = try await run("--inputs", "-", stdin: "[1]")
    #expect(
      ended
        == Ended(
          exit: 1, output: "",
          errors: """
            error[T0406]: the inputs are a list, where an object is expected
             --> stdin:1
            1 | [1]
              help: write { "name": value, ... }

            """))
  }

  @Test func `a file of inputs that is not there is named`() async throws {
    let ended = try await run("--inputs", "no.json")
    #expect(
      ended
        == Ended(
          exit: 1, output: "", errors: "error[T0404]: can't read the inputs 'no.json': No such file or directory\n"))
    #expect(
      try await run("--inputs", ".")
        == Ended(exit: 1, output: "", errors: "error[T0404]: can't read the inputs '.': it is a directory\n"))
  }

  @Test func `inputs and secrets can't both come from stdin`() async throws {
    let ended = try await run("--inputs", "-", "--secrets", "-", stdin: "{}")
    #expect(
      ended
        == Ended(
          exit: 1, output: "",
          errors: """
            error: inputs and secrets can't both come from stdin
              help: put one of them into a file

            """))
  }

  @Test func `fixtures that are not there are named`() async throws {
    let ended = try await run("--input", "uid=7", "--fixtures", "no.json")
    #expect(
      ended
        == Ended(
          exit: 1, output: "", errors: "error[T0404]: can't read the fixtures 'no.json': No such file or directory\n"))
  }

  @Test func `fixtures that are broken show their place`() async throws {
    let ended = try await CommandLine("run").with(
      script: Scripts.one, fixtures: "[ { \"request\": { \"url\": \"/a\", \"metod\": \"GET\" }, \"response\": {} } ]"
    ).run()
    #expect(
      ended
        == Ended(
          exit: 1, output: "",
          errors: """
            error[T0405]: exchange 1, request: unknown key 'metod'
             --> fixtures.json:1:31
            1 | [ { "request": { "url": "/a", "metod": "GET" }, "response": {} } ]
              |                               ^^^^^^^
              help: did you mean 'method'?

            """))
  }
}
