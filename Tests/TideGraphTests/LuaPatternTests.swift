import Testing

@testable import TideGraph

struct LuaPatternTests {
  /// What `string.find` of Lua 5.4.4 said.
  @Test(arguments: [
    ("", "", true), ("a", "", false), ("^a", "ba", false), ("a$", "ab", false), ("a$", "ba", true), ("$", "a", true),
    ("^$", "", true), ("a^b", "a^b", true), ("a$b", "a$b", true), (".", "\n", true), ("%a+", "12x", true),
    ("^%d+$", "123", true), ("^%d+$", "12a", false), ("^%u%l*$", "Hello", true), ("^%x+$", "fF09", true),
    ("^%x+$", "g", false), ("%p", "a!", true), ("%g", " ", false), ("%c", "a\tb", true), ("%S", " ", false),
    ("%W", "a_", true), ("[abc]", "xxc", true), ("[^abc]", "abc", false), ("[a-c]+$", "xabc", true),
    ("[]]", "]", true), ("[^]]", "]", false), ("[a-]", "-", true), ("[%a-z]", "-", true), ("[%]]", "]", true),
    ("[a-%]]", "%", false), ("[a-%]]", "]", true), ("[]-a]", "^", true), ("a-b", "aaab", true), ("^a-$", "aaa", true),
    ("a?b", "b", true), ("^a?b$", "aab", false), ("x*", "", true), ("%b()", "f(a(b)c)", true), ("%b()", "((", false),
    ("^%b()$", "(())", true), ("%b()*", "()*", true), ("(a)(b)", "ab", true), ("()a", "a", true), ("(a)*", "a*", true),
    ("%f[%w]the%f[%W]", "in the end", true), ("%f[%w]the%f[%W]", "other", false), ("%.", "a", false), ("%%", "%", true),
    ("é", "é", true), ("^..$", "é", true),
  ])
  func `a pattern matches as Lua's do`(pattern: String, text: String, expected: Bool) throws {
    #expect(try LuaPattern(pattern).matches(text) == expected)
  }

  @Test(arguments: [
    ("%", "the pattern \"%\" ends with %"), ("[", "the pattern \"[\" leaves a set open"),
    ("[a", "the pattern \"[a\" leaves a set open"), ("[]", "the pattern \"[]\" leaves a set open"),
    ("[^]", "the pattern \"[^]\" leaves a set open"), ("[%", "the pattern \"[%\" leaves a set open"),
    ("[%]", "the pattern \"[%]\" leaves a set open"), ("(", "the pattern \"(\" leaves a capture open"),
    (")", "the pattern \")\" closes a capture it never opened"), ("%f", "the pattern \"%f\" has %f without a set"),
    ("%b", "the pattern \"%b\" has %b without two characters"),
    ("%bx", "the pattern \"%bx\" has %b without two characters"),
    ("(a)%1", "the pattern \"(a)%1\" refers to a capture, which a condition can't"),
  ])
  func `a malformed pattern says why`(pattern: String, message: String) {
    let error = #expect(throws: LuaPattern.Malformed.self) { try LuaPattern(pattern) }
    #expect(error?.description == message)
  }

  @Test func `a hostile pattern ends`() throws {
    let text = String(repeating: "a", count: 10_000)
    let error = #expect(throws: LuaPattern.Malformed.self) { try LuaPattern(".-.-.-.-b").matches(text) }
    #expect(error?.description == "the pattern \".-.-.-.-b\" takes too long on a text of 10000 bytes")
    #expect(throws: LuaPattern.Malformed.self) {
      try LuaPattern("%b()x").matches(String(repeating: "(", count: 1 << 16))
    }
  }

  @Test func `a long text is no hostile one`() throws {
    let text = String(repeating: "ab", count: 1_000_000)
    #expect(try LuaPattern("b+c").matches(text) == false)
    #expect(try LuaPattern("ba$").matches(text + "a"))
  }

  @Test func `a long pattern is no deep one`() throws {
    let long = String(repeating: "a", count: 100_000)
    #expect(try LuaPattern(long).matches("b" + long))
    #expect(try LuaPattern(String(repeating: "a*", count: 200)).matches("b"))
    let error = #expect(throws: LuaPattern.Malformed.self) { try LuaPattern(String(repeating: "a*", count: 201)) }
    #expect(error?.description == "the pattern has more than 200 repetitions")
  }
}
