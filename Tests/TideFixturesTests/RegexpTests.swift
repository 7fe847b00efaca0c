import Testing

@testable import TideFixtures

struct RegexpTests {
  @Test(arguments: [
    (#"/users/\d+"#, "/users/17", true),
    (#"/users/\d+"#, "/users/17/", false),
    (#"\w+@\w+\.\w{2,3}"#, "a_1@b.com", true),
    (#"[\w-]+"#, "a-b", true),
    (#"[\w-.]+"#, "a-b.c", true),
    (#"\s\S\D\W"#, " xx-", true),
    (#"(?:a|b)+?c*?"#, "abbc", true),
    (#"(?<id>[0-9]+)"#, "12", true),
    (#"^/a$"#, "/a", true),
    (#"a\$b\/c\-d\"e"#, "a$b/c-d\"e", true),
    (#"[\$]x]"#, "$x]", true),
    (#"\p{Lu}+"#, "ÄB", true),
    (#".*"#, "", true),
    ("", "", true),
    ("(a+)+b", String(repeating: "a", count: 2_000), false),
  ])
  func `an expression matches as Java's does, and in linear time`(pattern: String, text: String, isMatch: Bool) throws {
    #expect(try Regexp(java: pattern).matches(text) == isMatch)
  }

  @Test(arguments: [
    ("(?i)a", "has a group '(?i', which is not supported"),
    ("(?<!a)b", "has a group '(?<', which is not supported"),
    (#"(a)\1"#, #"has '\1', which is not supported"#),
    (#"\bword"#, #"has '\b', which is not supported"#),
    ("a++", "has a possessive quantifier, which is not supported"),
    ("[a&&b]", "has '&&' in a class, which is not supported"),
    ("[a[b]]", "has a class within a class, which is not supported"),
    (#"[\D]"#, #"has '\D' in a class, which is not supported"#),
    ("[a", "has a class that is not closed"),
    (#"a\"#, "ends with a backslash"),
    ("(a", "is no regular expression, or too large a one"),
    ("a{1000}{1000}", "is no regular expression, or too large a one"),
  ])
  func `what is not supported is named`(pattern: String, reason: String) {
    let error = #expect(throws: Regexp.Unsupported.self) { try Regexp(java: pattern) }
    #expect(error?.reason == reason)
  }
}
