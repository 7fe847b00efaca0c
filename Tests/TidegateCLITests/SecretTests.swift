import Testing

/// Secrets are used and never shown.
@Suite struct SecretTests {
  typealias Ended = CommandLine.Ended

  private static let script = """
    local tide = require "tidegate"
    local token = tide.secret "token"
    local signed = tide.step "signed" { token, run = function(token)
      tide.log("signing with " .. token)
      return "signed:" .. token:upper()
    end }
    local shown = tide.step "shown" { signed, run = function(signed)
      tide.log("it is " .. signed)
      error("refused " .. signed)
    end }
    return shown

    """

  @Test(arguments: ["option", "file", "environment"])
  func `a secret is masked in logs and failures, wherever it came from`(_ source: String) async throws {
    var line = CommandLine("run").with(script: Self.script)
    switch source {
    case "option": line = line.adding("--secret", "token=hunter2")
    case "file": line = line.adding("--secrets", "s.json").with(files: ["s.json": #"{"token":"hunter2"}"#])
    default: line = line.with(environment: ["TOKEN": "hunter2"])
    }
    let ended = try await line.run()
    #expect(!(ended.output + ended.errors).contains("hunter2"))
    #expect(!(ended.output + ended.errors).contains("HUNTER2"))
    #expect(
      ended
        == Ended(
          exit: 3, output: "",
          errors: """
            [signed] signing with ***
            [shown] it is ***
            error[T0301]: refused ***
             --> w.lua:9  in step "shown", declared at :7
            9 |   error("refused " .. signed)
              waited for: signed -> shown (failed)

            """))
  }

  @Test func `a missing secret says where it can come from`() async throws {
    let ended = try await CommandLine("run").with(script: Self.script).run()
    #expect(
      ended
        == Ended(
          exit: 1, output: "",
          errors: """
            error[T0402]: the secret 'token' is missing
             --> w.lua:2
            2 | local token = tide.secret "token"
              help: give it with --secret token=... or in the environment variable TOKEN

            """))
  }

  @Test func `a secret in a URL is masked where the failure shows the URL`() async throws {
    let script = """
      local tide = require "tidegate"
      local token = tide.secret "token"
      return tide.request "page" { GET = "http://a.test/x", query = { key = token } }

      """
    let ended = try await CommandLine("run", "--secret", "token=a b/c").with(
      script: script, fixtures: Scripts.bothAnswer
    ).run()
    #expect(!ended.errors.contains("b%2Fc"))
    #expect(!ended.errors.contains("b/c"))
    #expect(
      ended
        == Ended(
          exit: 3, output: "",
          errors: """
            error[T0302]: no exchange matches GET http://a.test/x; the nearest is exchange 1 (GET /detail), which \
            differs in url: wanted /detail, got /x; query.key: not expected, got "***"
             --> w.lua:3  in request "page"
            3 | return tide.request "page" { GET = "http://a.test/x", query = { key = token } }

            """))
  }

  @Test func `a result that holds a secret is printed as it is, with a warning`() async throws {
    let script = """
      local tide = require "tidegate"
      return tide.secret "token"

      """
    let ended = try await CommandLine("run", "--secret", "token=hunter2").with(script: script).run()
    #expect(
      ended
        == Ended(
          exit: 0, output: "\"hunter2\"\n", errors: "warning: the result holds what is secret: 'token'\n"))
  }

  @Test func `a broken file of secrets is not shown`() async throws {
    let ended = try await CommandLine("run", "--secrets", "s.json").with(
      script: Self.script, files: ["s.json": "{\"token\":\n \"hunter2\" ]"]
    ).run()
    #expect(
      ended
        == Ended(
          exit: 1, output: "",
          errors: """
            error[T0406]: the secrets are no valid JSON
             --> s.json:2:12

            """))
  }

  @Test func `a secret is a text`() async throws {
    let ended = try await CommandLine("run", "--secrets", "s.json").with(
      script: Self.script, files: ["s.json": #"{"token": 12345}"#]
    ).run()
    #expect(
      ended
        == Ended(
          exit: 1, output: "",
          errors: "error[T0406]: the secret 'token' in 's.json' is a number, where a text is expected\n"))
  }
}
