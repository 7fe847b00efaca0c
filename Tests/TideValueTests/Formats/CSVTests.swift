import Testing

@testable import TideValue

@Suite struct CSVTests {
  private func parse(_ text: String, separator: UInt8 = UInt8(ascii: ",")) throws(JSONError) -> String {
    try Value.parseCSV(Buffer(copying: text.utf8), separator: separator).description
  }

  private func written(_ value: Value, separator: UInt8 = UInt8(ascii: ",")) throws(DataError) -> String {
    var writer = ByteWriter()
    try value.writeCSV(to: &writer, separator: separator)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func `rows are objects of texts, an empty field is null`() throws {
    #expect(try parse("a,b\r\n1,x y\r\n,\"\"\r\n") == #"[{"a":"1","b":"x y"},{"a":null,"b":""}]"#)
    #expect(try parse("\u{FEFF}a\n1\n\n\"2\"") == #"[{"a":"1"},{"a":null},{"a":"2"}]"#)
    #expect(try parse("a,b\r1,2\r\r\n\n3,4") == #"[{"a":"1","b":"2"},{"a":"3","b":"4"}]"#)
    #expect(try parse("a;b\n1,5;\"x;y\"", separator: UInt8(ascii: ";")) == #"[{"a":"1,5","b":"x;y"}]"#)
    #expect(try parse("a,b,\n1,2,3") == #"[{"a":"1","b":"2","":"3"}]"#)
    #expect(try parse("") == "[]")
    #expect(try parse("a,b\n") == "[]")
  }

  @Test func `quoted fields hold separators, line ends and quotes`() throws {
    #expect(
      try parse("\"a\"\"b\",c\n\"1,\r\n2\",\"\"\"\"\n\"é\"\"\",\"\"\"x\"\"\"\n")
        == #"[{"a\"b":"1,\r\n2","c":"\""},{"a\"b":"é\"","c":"\"x\""}]"#)
  }

  @Test(arguments: [
    ("a,b\n1\n", 2, 1, "a row of 1 field, where the first has 2 fields"),
    ("a\n\"x\n\"\n1,2\n", 4, 1, "a row of 2 fields, where the first has 1 field"),
    ("a\nx\"y\n", 2, 2, "a quote inside of a field that does not start with one"),
    ("a\n\"x\"y\n", 2, 4, "expected the end of the field after its closing quote"),
    ("a\nb\n\"x\n\n", 3, 1, "a quote that is never closed"),
    ("a,b,a\n", 1, 1, "two columns are named 'a'"),
    ("\"a\"\"\",b,\"a\"\"\"\n", 1, 1, "two columns are named 'a\"'"),
  ])
  func `what is no CSV is named with its line`(text: String, line: Int, column: Int, message: String) throws {
    let error = try #require(throws: JSONError.self) { try parse(text) }
    #expect(error.line == line)
    #expect(error.column == column)
    #expect(error.message == message)
  }

  @Test func `what is not UTF-8 is refused`() throws {
    let error = try #require(throws: JSONError.self) { try Value.parseCSV(Buffer(copying: [0x61, 0x0A, 0x62, 0xFF])) }
    #expect(error.description == "line 2, column 2: not valid UTF-8")
  }

  @Test func `columns are all names in the order of first appearance`() throws {
    let list = json(##"[{"a":1.10,"b":"x"},{"c":null,"b":"","\u0061":true},{"b":[1, "\""],"a":{"x":"y"}},{}]"##)
    #expect(try written(list) == "a,b,c\n1.10,x,\ntrue,\"\",\n\"{\"\"x\"\":\"\"y\"\"}\",\"[1,\"\"\\\"\"\"\"]\",\n,,\n")
    #expect(try written(.null) == "")
    #expect(try written(json("[{}]")) == "")
    #expect(try written(json(#"[{"a;":"1,5"}]"#), separator: UInt8(ascii: ";")) == "\"a;\"\n1,5\n")
    #expect(try written(.array([.object([("b", Value(bytes: Buffer(copying: [1, 2])))])])) == "b\nAQI=\n")
  }

  @Test func `a field that begins with a byte order mark keeps it`() throws {
    let rows = json("[{\"\u{FEFF}a\":\"\u{FEFF}\"}]")
    let text = try written(rows)
    #expect(text == "\"\u{FEFF}a\"\n\"\u{FEFF}\"\n")
    #expect(try Value.parseCSV(Buffer(copying: text.utf8)) == rows)
  }

  @Test func `what is no list of objects is refused`() {
    #expect(throws: DataError(.type, "an object, where a list is expected")) { try written(json("{}")) }
    #expect(throws: DataError(.type, item: 1, "a number, where an object is expected")) { try written(json("[{},1]")) }
  }

  @Test(arguments: 0..<40)
  func `what is written is read again`(seed: Int) throws {
    var generator = Seeded(UInt64(seed + 80_000))
    let names = ["a", "b\"", "c,d", "é\r\n", ""].prefix(1 + generator.below(5))
    let rows = (0..<generator.below(20)).map { _ in
      Value.object(
        names.map { name in
          let text = (0..<generator.below(4)).map { _ in generator.pick(["x", ",", "\"", "\n", "\r\n", "é", " "]) }
            .joined()
          return (name, generator.below(4) == 0 ? Value.null : Value(text))
        })
    }
    let list = Value.array(rows)
    #expect(try parse(try written(list)) == list.description)
  }
}
