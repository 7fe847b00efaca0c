import Testing

@testable import TideValue

@Suite struct TableTests {
  private func table(_ value: Value, cellWidth: Int = 40) -> String {
    var writer = ByteWriter()
    value.writeTable(to: &writer, cellWidth: cellWidth)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func raw(_ value: Value) -> String {
    var writer = ByteWriter()
    value.writeRaw(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func `columns are aligned, numbers to the right`() {
    let list = json(
      #"[{"id":1,"name":"Ann","tags":["x"]},{"id":20,"name":"漢字","more":true},{"id":null,"name":"e\u0301é"}]"#)
    #expect(
      table(list) == """
        id  name  tags   more
        --  ----  -----  ----
         1  Ann   ["x"]
        20  漢字         true
            e\u{301}é

        """)
  }

  @Test func `long cells are cut and control characters shown`() {
    let list = json(#"[{"a":"0123456789abc","b":"\u001b[31m\n"},{"a":"漢字漢字漢字","b":"\u202e"}]"#)
    #expect(
      table(list, cellWidth: 10) == """
        a           b
        ----------  ----------
        012345678…  \\u{1b}[31…
        漢字漢字…   \\u{202e}

        """)
  }

  @Test func `what is no list of objects has one column, an object a row a field`() {
    #expect(table(json(#"[1,{"a":2}]"#)) == "value\n-------\n1\n{\"a\":2}\n")
    #expect(table(json(#"[1,20]"#)) == "value\n-----\n    1\n   20\n")
    #expect(table(json(#"{"a":"x","b":[]}"#)) == "field  value\n-----  -----\na      x\nb      []\n")
    #expect(table(Value("x")) == "x")
    #expect(table(json("[]")) == "")
  }

  @Test func `raw texts are written as they are`() {
    #expect(raw(json(#""a\nb""#)) == "a\nb")
    #expect(raw(json(#"["a\t","\u0062"]"#)) == "a\t\nb\n")
    #expect(raw(json(#"["a", 1]"#)) == "[\"a\",1]\n")
    #expect(raw(json("[]")) == "")
    #expect(raw(.null) == "null\n")
    #expect(raw(Value(bytes: Buffer(copying: [0x41, 0x42]))) == "AB")
  }
}
