import Testing

@testable import TideValue

@Suite struct WriteTests {
  private let spaced = "{ \"a\" : [ 1 , 2.50,{ } ] ,\n\t\"b c\": \" x \\\" y \" , \"e\": [ ] }"

  private func text(_ value: Value, _ style: JSONStyle) -> String { String(decoding: value.json(style), as: UTF8.self) }

  @Test func `compact leaves out white space, but never within texts`() throws {
    let value = try Value.parse(spaced)
    #expect(text(value, .compact) == #"{"a":[1,2.50,{}],"b c":" x \" y ","e":[]}"#)
    #expect(text(value["a"] ?? .null, .compact) == "[1,2.50,{}]")
  }

  @Test func `verbatim keeps what was parsed as it was`() throws {
    let value = try Value.parse(spaced)
    #expect(text(value, .verbatim) == spaced)
    #expect(text(.array([value, Value(1)]), .verbatim) == "[\(spaced),1]")
  }

  @Test func `pretty indents by two and leaves empty brackets on their line`() throws {
    let pretty = """
      {
        "a": [
          1,
          2.50,
          {}
        ],
        "b c": " x \\" y ",
        "e": []
      }
      """
    #expect(text(try Value.parse(spaced), .pretty) == pretty)
    #expect(text(try Value.parse(pretty), .compact) == text(try Value.parse(spaced), .compact))
    for (json, expected) in [("1", "1"), ("\"a\"", "\"a\""), ("[]", "[]"), ("{ }", "{}"), ("null", "null")] {
      #expect(text(try Value.parse(json), .pretty) == expected)
    }
  }

  @Test func `composed values are as pretty as parsed ones`() throws {
    let inner = Value.object([("k", try Value.parse("[1,{\"x\":null}]")), ("e", .array([])), ("t", Value("p"))])
    let list = Value.array([inner, Value(2), .object([]), .array([.array([Value(true)])])])
    #expect(text(list, .pretty) == text(try Value.parse(text(list, .compact)), .pretty))
  }

  @Test func `plain text is escaped where JSON asks for it, and nowhere else`() {
    let all = String(String.UnicodeScalarView((0..<0x20).compactMap { Unicode.Scalar($0) })) + "\"\\/\u{7F}\u{2028}é😀"
    let expected =
      #""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f\u0010\u0011\u0012\u0013\u0014"#
      + #"\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f\"\\/"# + "\u{7F}\u{2028}é😀\""
    #expect(text(Value(all), .compact) == expected)
  }

  @Test func `plain text of any length reads back`() throws {
    for count in 0..<40 {
      for stop in ["\"", "\\", "\n", "é", "x"] {
        let plain = String(repeating: "a", count: count) + stop + String(repeating: "b", count: 40 - count)
        #expect(try Value.parse(Value(plain).description).string == plain)
      }
    }
  }

  @Test func `a sink gets everything in order, in pieces of at least 64 KB`() throws {
    let big = Value(String(repeating: "x", count: 200_000))
    let small = Value.array((0..<50_000).map { Value($0) })
    let value = Value.array([small, big, small, Value("end")])
    var got: [UInt8] = []
    var pieces: [Int] = []
    var writer = ByteWriter { piece in
      got.append(contentsOf: piece)
      pieces.append(piece.count)
      return true
    }
    value.write(to: &writer)
    writer.flush()
    #expect(got == value.json())
    #expect(pieces.count > 5)
    #expect(pieces.dropLast().filter { $0 < 32_768 }.count <= 2)
    #expect(writer.bytes.isEmpty)
  }

  @Test func `a sink that has enough is not called again`() {
    var calls = 0
    var writer = ByteWriter { _ in
      calls += 1
      return false
    }
    Value.array((0..<200_000).map { Value($0) }).write(to: &writer)
    writer.flush()
    #expect(calls == 1)
    #expect(writer.isStopped)
  }

  @Test func `a detached slice has a buffer of its own`() throws {
    let list = try Value.parse("[" + String(repeating: "\"padding\",", count: 1_000) + "{\"a\":1}]")
    let item = try #require(list[1_000])
    let copy = item.detached()
    #expect(copy == item)
    #expect(copy.buffer !== item.buffer)
    #expect(copy.buffer.count == 7)
    #expect(list.detached().buffer === list.buffer)
    let composed = Value.array([item, Value(1), .object([("k", item)]), Value(bytes: Buffer(copying: [1]))])
    let small = composed.detached()
    #expect(small == composed)
    #expect(small[0]?.buffer !== item.buffer)
    #expect(small[2]?["k"]?.buffer !== item.buffer)
    #expect(small[3]?.kind == .bytes)
    #expect(Value(1).detached() == Value(1))
    #expect(Value.array([]).detached() == Value.array([]))
  }

  @Test(arguments: 0..<20)
  func `random documents read the same in every style`(seed: Int) throws {
    var generator = Seeded(UInt64(seed + 1_000))
    for _ in 0..<40 {
      let value = try Value.parse(generator.json(5))
      let compact = value.json()
      #expect(try Value.parse(Buffer(copying: compact)).json() == compact)
      let pretty = try Value.parse(Buffer(copying: value.json(.pretty)))
      #expect(pretty.json() == compact)
      #expect(pretty.json(.pretty) == value.json(.pretty))
    }
  }
}

@Suite struct WriteRunsTests {
  @Test func `what lies side by side in a text is written with the separators of what it is in`() throws {
    let object = try Value.parse(#"{"a":1,"b":[2,3], "c" : 4}"#)
    var parts: [Value] = []
    object.forEachMember { key, value in parts += [object.part(key), value] }
    #expect(Value.array(parts).description == #"["a",1,"b",[2,3],"c",4]"#)
    let list = try Value.parse(#"["a",1,"b",[2,3],"k",{"x": 5}]"#)
    var composer = Composer()
    for item in list.items { composer.append(item) }
    let record = composer.record()
    #expect(record.description == #"{"a":1,"b":[2,3],"k":{"x":5}}"#)
    #expect(
      String(decoding: Value.array(list.items).json(.verbatim), as: UTF8.self) == #"["a",1,"b",[2,3],"k",{"x": 5}]"#)
    let numbers = try Value.parse("[1,2,3,4,5]").items
    #expect(Value.array([numbers[0], numbers[1], numbers[3], numbers[4], numbers[2]]).description == "[1,2,4,5,3]")
    #expect(
      Value.array([numbers[4], numbers[4], Value("x"), numbers[0], Value(7), numbers[1]]).description
        == #"[5,5,"x",1,7,2]"#)
  }
}
