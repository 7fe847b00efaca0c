import Testing

@testable import TideValue

@Suite struct ParseTests {
  @Test(arguments: [
    "null", "true", "false", "0", "-0", "1.10", "1e400", "\"\"", "\"a\"", "[]", "{}", "[[],{}]", #"{"a":{"a":1}}"#,
    #"["\ud800","\uDFFF\uD800"]"#, #"{"":1,"":2}"#, "\"\u{7F}\"", "[1,\n 2]", #"{ "b" : [ ] , "a" : 1 }"#,
  ])
  func `what is valid is kept byte for byte`(text: String) throws {
    let value = try Value.parse(text)
    #expect(value.json(.verbatim) == Array(text.utf8))
  }

  @Test func `white space and a byte order mark around a value are dropped`() throws {
    #expect(try Value.parse(" \t\r\n [1] \n").json(.verbatim) == Array("[1]".utf8))
    #expect(try Value.parse("\u{FEFF}\"x\"").string == "x")
    #expect(failure("\u{FEFF}\u{FEFF}1")?.message == "expected a value, found '\u{FEFF}'")
    #expect(failure("\u{FEFF}\nx") == JSONError(message: "expected a value, found 'x'", offset: 4, line: 2, column: 1))
  }

  @Test(arguments: [
    ("", "expected a value, found the end of the text", 0, 1, 1),
    ("  \n ", "expected a value, found the end of the text", 4, 2, 2),
    ("[1 x", "expected ',' or ']' in a list, found 'x'", 3, 1, 4),
    ("[1,]", "expected a value, found ']'", 3, 1, 4),
    ("[1", "expected ',' or ']' in a list, found the end of the text", 2, 1, 3),
    ("[", "expected a value, found the end of the text", 1, 1, 2),
    ("{", "expected a key or '}' in an object, found the end of the text", 1, 1, 2),
    (#"{"a":1,}"#, "expected a key in an object, found '}'", 7, 1, 8),
    (#"{"a" 1}"#, "expected ':' after a key, found '1'", 5, 1, 6),
    (#"{"a":1]"#, "expected ',' or '}' in an object, found ']'", 6, 1, 7),
    ("{1:2}", "expected a key or '}' in an object, found '1'", 1, 1, 2),
    ("1 2", "expected nothing after the value, found '2'", 2, 1, 3),
    ("01", "a number may not start with '0' and another digit", 0, 1, 1),
    ("-", "expected a digit in a number, found the end of the text", 1, 1, 2),
    ("1.x", "expected a digit in a number, found 'x'", 2, 1, 3),
    ("1.5e+", "expected a digit in a number, found the end of the text", 5, 1, 6),
    ("tru", "expected 'true', found the end of the text in it", 3, 1, 4),
    ("[nul0]", "expected 'null', found '0' in it", 4, 1, 5),
    ("\"a", "expected '\"' at the end of a text, found the end of the text", 2, 1, 3),
    ("\"a\nb\"", "a text may not contain the byte 0x0A unescaped", 2, 1, 3),
    ("\"é\\x\"", "no escape starts with 'x' after '\\'", 4, 1, 4),
    ("\"\\u12g4\"", "expected four hexadecimal digits after '\\u', found 'g'", 5, 1, 6),
    ("\"\\", "expected an escaped character, found the end of the text", 2, 1, 3),
    ("[\n  1,\n  é]", "expected a value, found 'é'", 9, 3, 3),
    ("NaN", "expected a value, found 'N'", 0, 1, 1),
    ("[1\u{0}]", "expected ',' or ']' in a list, found the byte 0x00", 2, 1, 3),
  ])
  func `what is wrong is said with its place`(text: String, message: String, offset: Int, line: Int, column: Int) {
    #expect(failure(text) == JSONError(message: message, offset: offset, line: line, column: column))
  }

  @Test func `an error reads like a compiler's`() {
    #expect(failure("[1 x")?.description == "line 1, column 4: expected ',' or ']' in a list, found 'x'")
  }

  @Test(
    arguments: [
      [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80], [0xFF], [0xE2, 0x82], [0xF0, 0x9F, 0x98],
      [0xC3], [0xE2, 0x28, 0xA1],
    ] as [[UInt8]])
  func `what is not UTF-8 is refused wherever it stands in a text`(sequence: [UInt8]) {
    for before in 0..<18 {
      let text = [0x22] + [UInt8](repeating: 0x61, count: before) + sequence + Array("bcdefghijkl\"".utf8)
      #expect(failure(text)?.offset == before + 1)
      #expect(failure(Array(text.dropLast(12)))?.offset == before + 1)
    }
  }

  @Test func `every well-formed code point is accepted`() throws {
    let edges: [Unicode.Scalar] = [
      "\u{80}", "\u{7FF}", "\u{800}", "\u{FFF}", "\u{1000}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}",
      "\u{3FFFF}", "\u{100000}", "\u{10FFFF}",
    ]
    for scalar in edges { #expect(try Value.parse("\"\(scalar)\"").string == String(scalar)) }
  }

  @Test func `a document cut short anywhere is refused`() throws {
    let text = #"{"a":[1,-2.5e+3,"x\u00e9\n é",true,false,null],"b":{"c":{}}}"#
    _ = try Value.parse(text)
    let bytes = Array(text.utf8)
    for count in 0..<bytes.count {
      let error = try #require(failure(Array(bytes[..<count])), "\(count) bytes")
      #expect(error.offset <= count)
    }
  }

  @Test func `a document with any byte replaced is refused or read, never more`() {
    let bytes = Array(#"{"a":[1,-2.5e+3,"x\u00e9\n é",true,false,null],"b":{"c":{}}}"#.utf8)
    var refused = 0
    for place in bytes.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = bytes
        changed[place] = byte
        if let error = failure(changed) {
          refused += 1
          #expect(error.offset <= bytes.count)
        } else if let value = try? Value.parse(Buffer(copying: changed)) {
          #expect(value.json(.verbatim) == changed)
        }
      }
    }
    #expect(refused > bytes.count * 100)
  }

  @Test func `depth is limited and the limit named`() throws {
    let deep = String(repeating: "[", count: 1_000) + String(repeating: "]", count: 1_000)
    #expect(try Value.parse(deep).count == 1)
    let error = try #require(failure("[" + deep + "]"))
    #expect(error.message == "lists and objects are nested deeper than the limit of 1000")
    #expect(error.offset == 1_000)
    #expect(failure("[[1]]", maximumDepth: 1)?.offset == 1)
    #expect(failure("[]", maximumDepth: 0)?.offset == 0)
    #expect(failure("1", maximumDepth: 0) == nil)
  }

  @Test func `a hundred thousand brackets neither crash nor hang`() throws {
    let open = String(repeating: "[", count: 100_000)
    #expect(failure(open)?.offset == 1_000)
    #expect(failure(open, maximumDepth: .max)?.offset == 100_000)
    #expect(failure(String(repeating: "{\"a\":", count: 100_000), maximumDepth: .max)?.offset == 500_000)
    let whole = Buffer(copying: (open + String(repeating: "]", count: 100_000)).utf8)
    let value = try Value.parse(whole, maximumDepth: 100_000)
    #expect(value.json().count == 200_000)
    #expect(value.json(.verbatim).count == 200_000)
  }

  @Test func `deep documents compare without recursion`() throws {
    let deep = String(repeating: "[", count: 1_000) + String(repeating: "]", count: 1_000)
    let value = try Value.parse(deep)
    #expect(value == value[0].map { Value.array([$0]) })
    #expect(value != value[0])
    // Nested compositions have no text that each level would scan.
    var composed = Value.array([])
    for _ in 0..<50_000 { composed = .array([composed]) }
    #expect(composed == .array(composed.items))
    #expect(composed != composed[0])
  }

  @Test func `brackets of both kinds must match at every depth`() {
    for depth in [1, 63, 64, 65, 128, 129, 200] {
      var generator = Seeded(UInt64(depth))
      let kinds = (0..<depth).map { _ in generator.below(2) == 0 }
      let open = kinds.map { $0 ? "[" : "{\"k\":" }.joined()
      let close = kinds.reversed().map { $0 ? "]" : "}" }
      #expect(failure(open + "1" + close.joined()) == nil)
      for place in close.indices {
        var wrong = close
        wrong[place] = close[place] == "]" ? "}" : "]"
        #expect(failure(open + "1" + wrong.joined())?.offset == open.utf8.count + 1 + place)
      }
    }
  }
}
