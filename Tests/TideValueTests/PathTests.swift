import Testing

@testable import TideValue

@Suite struct PathTests {
  private let document = #"""
    {"data":{"relation":[{"id":1},{"id":2}],"a b":true,"":0,"$":"money","0":"zero","it's":"quoted","漢":1},"code":"200"}
    """#

  private func find(_ path: String) throws -> String? {
    try Path(path).find(in: try Value.parse(document))?.description
  }

  @Test func `a dotted path names fields, never items`() throws {
    #expect(try find("code") == "\"200\"")
    #expect(try find("data.relation") == #"[{"id":1},{"id":2}]"#)
    #expect(try find("data.a b") == "true")
    #expect(try find("data.$") == "\"money\"")
    #expect(try find("data.0") == "\"zero\"")
    #expect(try find("data.漢") == "1")
    #expect(try find("data.relation.0") == nil)
    #expect(try find("data.nothing") == nil)
    #expect(try find("code.length") == nil)
  }

  @Test func `a singular JSONPath reaches fields and items`() throws {
    #expect(try find("$") == document)
    #expect(try find("$.data.relation[0].id") == "1")
    #expect(try find("$['data'][\"relation\"][-1]['id']") == "2")
    #expect(try find("$ .data [ 'relation' ] [ 1 ].id") == "2")
    #expect(try find("$.data['']") == "0")
    #expect(try find("$.data['it\\'s']") == "\"quoted\"")
    #expect(try find("$.data['\\u6f22']") == "1")
    #expect(try find("$.data.漢") == "1")
    #expect(try find("$.data.relation[2]") == nil)
    #expect(try find("$.data.relation[-3]") == nil)
    #expect(try find("$.data[0]") == nil)
  }

  @Test func `an index from the end works on composed lists too`() throws {
    let list = Value.array([Value(1), Value(2)])
    #expect(try Path("$[-1]").find(in: list)?.int64 == 2)
    #expect(try Path("$[-2]").find(in: list)?.int64 == 1)
    #expect(try Path("$[-3]").find(in: list) == nil)
    #expect(try Path("$[-9007199254740991]").find(in: list) == nil)
  }

  @Test(arguments: [
    ("", 1, "an empty path"), ("a..b", 3, "an empty name between dots"), (".a", 1, "an empty name between dots"),
    ("é.", 3, "an empty name between dots"), ("$.", 3, "expected a name or '*', found the end"),
    ("$a", 2, "expected '.', '[' or the end, found 'a'"),
    ("$.1a", 3, "expected a name or '*', found '1'"), ("$[", 3, "expected a selector, found the end"),
    ("$[01]", 3, "an index has no leading zero, and no minus before 0"),
    ("$[-0]", 3, "an index has no leading zero, and no minus before 0"), ("$[-]", 4, "expected a digit behind '-'"),
    ("$[9007199254740992]", 3, "an index beyond 2^53 - 1"), ("$[0", 4, "expected ']', found the end"),
    ("$['a", 5, "the text that begins here never ends"), ("$['\\x']", 5, "unknown escape '\\x'"),
    ("$['\\ud800']", 10, "half of a surrogate pair"), ("$.a ", 4, "expected '.', '[' or the end, found ' '"),
    ("$[?@.a", 7, "expected ']', found the end"), ("$[?@.*==1]", 4, "a query that can find several is no value"),
    ("$[?1]", 4, "a value by itself is no condition: compare it with something"),
    ("$[?nope(@)]", 4, "'nope' is no value and no function: length, count, value, match, search are"),
  ])
  func `a broken path says where`(text: String, column: Int, message: String) {
    #expect(throws: PathError(path: text, column: column, message: message)) { try Path(text) }
  }

  @Test func `a miss is explained by what was there`() throws {
    func missing(_ path: String, _ json: String) throws -> String? {
      try Path(path).missing(in: try Value.parse(json))
    }
    #expect(
      try missing("data.relation", #"{"data":{"code":1,"message":2}}"#)
        == "'relation' is missing in an object with the fields code, message")
    #expect(try missing("a", #"{"b":1,"b":2}"#) == "'a' is missing in an object with the field b")
    #expect(try missing("a", "{}") == "'a' is missing in an empty object")
    #expect(try missing("a.b", #"{"a":"x"}"#) == "'b' is missing in a text")
    #expect(try missing("a", "null") == "'a' is missing in null")
    #expect(try missing("a", "[1,2]") == "'a' is missing in a list of 2 items")
    #expect(try missing("$[1]", "[1]") == "item 1 is missing in a list of 1 item")
    #expect(try missing("$[0]", "[]") == "item 0 is missing in an empty list")
    #expect(try missing("a", #"{"a":null}"#) == nil)
    let many = "{" + (0..<20).map { "\"f\($0)\":0" }.joined(separator: ",") + "}"
    #expect(
      try missing("a", many)
        == "'a' is missing in an object with the fields f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, and 8 more")
  }

  @Test func `a path prints as it was written`() throws {
    #expect(try Path("data.relation").description == "data.relation")
    #expect(try Path("$['a']").description == "$['a']")
    #expect(try Path("a.b") == Path("a.b"))
  }
}
