import Testing

@testable import TideValue

@Suite struct NDJSONTests {
  private func parse(_ text: String) throws(JSONError) -> String {
    try Value.parseNDJSON(Buffer(copying: text.utf8)).description
  }

  private func written(_ value: Value) -> String {
    var writer = ByteWriter()
    value.writeNDJSON(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func `each line is a value`() throws {
    #expect(try parse("{\"a\": 1}\n[1, 2]\r\n\n \t\n\"x\\n\"\nnull\n1.10") == #"[{"a":1},[1,2],"x\n",null,1.10]"#)
    #expect(try parse("\u{FEFF}1\n") == "[1]")
    #expect(try parse("") == "[]")
    #expect(try parse("\n\n") == "[]")
  }

  @Test(arguments: [
    ("1\n{\"a\":\n1}", 2, 6, "expected a value, found the end of the line"),
    ("1\n\n[1,2\n]", 3, 5, "expected ',' or ']' in a list, found the end of the line"),
    ("1 2", 1, 3, "expected nothing after the value, found '2'"),
    ("[1]\n\"a", 2, 3, "expected '\"' at the end of a text, found the end of the line"),
  ])
  func `what is no JSON is named with its line`(text: String, line: Int, column: Int, message: String) throws {
    let error = try #require(throws: JSONError.self) { try parse(text) }
    #expect(error.line == line)
    #expect(error.column == column)
    #expect(error.message == message)
  }

  @Test func `each item is written in a line`() throws {
    let list = Value.array([json("{\"a\" : [1,\n2]}"), Value("x\ny"), .null])
    #expect(written(list) == "{\"a\":[1,2]}\n\"x\\ny\"\nnull\n")
    #expect(written(.array([])) == "")
    #expect(written(json("{ }")) == "{}\n")
    #expect(try parse(written(list)) == list.description)
  }
}
