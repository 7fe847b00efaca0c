import Testing

@testable import TideValue

@Suite struct IRegexpTests {
  @Test(arguments: [
    ("a.c", "abc", true), ("a.c", "a\nc", false), ("ab|cd", "cd", true), ("(ab)+", "ababab", true),
    ("a{2,3}", "a", false), ("a{2,3}", "aaa", true), ("a{2,3}", "aaaa", false), ("a{2,}", "aaaaa", true),
    ("[a-c]+", "abcabc", true), ("[^a-c]+", "xyz", true), ("[a-c-]+", "a-b", true), ("[-a]+", "-a-", true),
    ("\\p{Lu}\\p{Ll}+", "Maré", true), ("\\P{Nd}+", "a1", false), ("\\p{L}*", "漢字", true), ("", "", true),
    ("a?b", "b", true), ("\\.", ".", true), ("\\.", "x", false), ("x*", "", true), ("^ab$", "ab", true),
  ])
  func `a whole text matches or does not`(pattern: String, text: String, expected: Bool) {
    #expect(IRegexp(pattern)?.matches(text) == expected)
  }

  @Test func `a part of a text is found`() {
    #expect(IRegexp("b+c")?.isFound(in: "abbbcd") == true)
    #expect(IRegexp("^b")?.isFound(in: "abb") == false)
    #expect(IRegexp("d$")?.isFound(in: "abd") == true)
    #expect(IRegexp("bd")?.isFound(in: "abbbcd") == false)
  }

  @Test(arguments: ["(", "a)", "[", "[]", "[b-a]", "*a", "a{", "a{3,2}", "\\d", "\\p{Xx}", "\\p{Lq}", "a**", "[a-c-e]"])
  func `what is no I-Regexp is refused`(pattern: String) {
    #expect(IRegexp(pattern) == nil)
  }

  @Test func `an expression that would backtrack for ever takes linear time`() {
    let text = String(repeating: "a", count: 20_000)
    #expect(IRegexp("(a*)*(a*)*b")?.matches(text) == false)
    #expect(IRegexp("(a|aa)+$")?.isFound(in: text + "!") == false)
  }

  @Test func `an expression that unrolls without bounds is refused`() {
    #expect(IRegexp("((a{999}){999}){999}") == nil)
    #expect(IRegexp(String(repeating: "(", count: 50_000)) == nil)
  }
}
