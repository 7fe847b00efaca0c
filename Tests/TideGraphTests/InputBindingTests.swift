import Testing
import TideValue

@testable import TideGraph

struct InputBindingTests {
  private func bind(
    _ options: KeyValuePairs<String, Argument>, _ given: GivenInputs.Given?
  ) throws -> String {
    var script = Script("one\n")
    let node = script.node("input", "count", [], options)
    let plan = try script.plan(node)
    do {
      let values = try plan.bind(GivenInputs(inputs: given.map { ["count": $0] } ?? [:]))
      return values[node]?.description ?? "nothing"
    } catch {
      return error.all.map { "\($0.code) \($0.location?.line ?? 0): \($0.message)" }.joined(separator: "; ")
    }
  }

  @Test(
    arguments: [
      ([:], .text("7"), "\"7\""), (["type": .text("string")], .text("7"), "\"7\""),
      (["type": .text("integer")], .text("7"), "7"),
      (["type": .text("number")], .text("1.10"), "1.10"), (["type": .text("boolean")], .text("true"), "true"),
      (["type": .text("list")], .text("[1]"), "[1]"), (["type": .text("object")], .text("{}"), "{}"),
      (
        ["type": .text("integer")], .text("7.5"),
        "T0403 1: the input 'count' is \"7.5\", where a whole number is expected"
      ),
      (["type": .text("integer")], .text(""), "T0403 1: the input 'count' is \"\", where a whole number is expected"),
      (
        ["type": .text("boolean")], .text("yes"),
        "T0403 1: the input 'count' is \"yes\", where true or false is expected"
      ),
      (["type": .text("string")], .value(Value(7)), "T0403 1: the input 'count' is 7, where a text is expected"),
      (
        ["enum": .json("[\"a\",\"b\"]")], .text("c"),
        "T0403 1: the input 'count' is \"c\", where one of \"a\", \"b\" is expected"
      ),
      (["default": .number(3)], nil, "3"), (["default": .number(3)], .text("4"), "\"4\""),
      ([:], nil, "T0402 1: the input 'count' is missing"),
    ] as [(KeyValuePairs<String, Argument>, GivenInputs.Given?, String)])
  func `an input is converted and checked`(
    options: KeyValuePairs<String, Argument>, given: GivenInputs.Given?, expected: String
  ) throws {
    #expect(try bind(options, given) == expected)
  }

  @Test func `everything wrong with what is given is told at once`() throws {
    var script = Script("one\ntwo\nthree\n")
    script.node("input", "uid")
    script.node("input", "count", [], ["type": .text("integer")])
    let key = script.node("secret", "key", [], ["env": .text("KEY_OF")])
    let plan = try script.plan(key)
    let given = GivenInputs(
      inputs: ["count": .text("x"), "uidd": .text("1"), "zzz": .text("1")], secrets: ["kez": "1"])
    let error = #expect(throws: Diagnostics.self) { try plan.bind(given) }
    #expect(
      error?.all.map { "\($0.code) \($0.message) (\($0.help ?? ""))" } == [
        "T0402 the input 'uid' is missing (give it with --input uid=... or in --inputs FILE)",
        "T0403 the input 'count' is \"x\", where a whole number is expected ()",
        "T0402 the secret 'key' is missing (give it with --secret key=... or in the environment variable KEY_OF)",
        "T0401 the script declares no input 'uidd' (did you mean 'uid'?)",
        "T0401 the script declares no input 'zzz' (the inputs are: uid, count)",
        "T0401 the script declares no secret 'kez' (did you mean 'key'?)",
      ])
  }

  @Test func `a secret comes from who gives it, else from the environment`() throws {
    var script = Script()
    let key = script.node("secret", "key")
    let plan = try script.plan(key)
    #expect(try plan.bind(GivenInputs()) { $0 == "KEY" ? "env" : nil }[key]?.string == "env")
    #expect(try plan.bind(GivenInputs(secrets: ["key": "given"])) { _ in "env" }[key]?.string == "given")
  }
}
