import Testing

@testable import TideGraph

@Suite struct EarlyUseCheckTests {
  private func uses(_ text: String) -> [String] {
    var sources = Sources()
    _ = sources.add(name: "s.lua", text: text)
    return earlyUses(in: sources).map { diagnostic in
      "\(diagnostic.location?.line ?? 0):\(diagnostic.location?.columns?.lowerBound ?? 0) \(diagnostic.message.prefix { $0 != ":" })"
    }
  }

  @Test(arguments: [
    ("local a\na = tide.request \"a\" { GET = u, when = a }", ["2:40 'a' has no value yet"]),
    (
      "local a, b\na = tide.step \"a\" { always = true, after = { b } }\nb = tide.step(\"b\", { always = true, after = { a } })",
      ["2:46 'b' has no value yet"]
    ),
    (
      "local a\nlocal c = tide.step \"c\" { a, run = f }\na = tide.step \"a\" { run = f }",
      ["2:27 'a' has no value yet"]
    ),
    ("do local a\nlocal c = tide.barrier \"c\" { { a } } end", ["2:32 'a' has no value yet"]),
  ])
  func `a local without a value is found in a node's table`(code: String, expected: [String]) {
    #expect(uses(code) == expected)
  }

  @Test(arguments: [
    "local a\na = tide.step \"a\" { run = f }\nreturn tide.sort \"b\" { a, by = \"x\" }",
    "local last\nfor i = 1, 3 do last = tide.step(\"s\" .. i, { after = { last } }) end",
    "local last\nfor i = 1, 3 do\n  local s = tide.step \"s\" { after = { last }, run = f }\n  last = s\nend",
    "local a\nif x then a = tide.step \"a\" { run = f } end\nreturn tide.step \"b\" { a, run = f }",
    "local a\nlocal function f() return tide.step \"b\" { a, run = g } end\na = tide.step \"a\" { run = g }",
    "local a, b = tide.input \"a\", tide.input \"b\"\nreturn tide.step \"c\" { a, b, run = f }",
    "local a\nlocal t = { a = 1, x.a }\na = tide.step \"s\" { a = 1, run = f }",
    "while x do local a a = 1 end\nreturn tide.step \"c\" { a.b, run = f }",
    "local a\na, b = 1, 2\nreturn tide.step \"c\" { a, run = f }",
  ])
  func `what may have its value by then is left alone`(code: String) {
    #expect(uses(code) == [])
  }
}
