import Foundation
import Testing

@testable import TideValue

@Suite struct ValueTests {
  @Test func `a value takes 24 bytes and a slice 16`() {
    #expect(MemoryLayout<Value>.stride == 24)
    #expect(MemoryLayout<Composition.Slice>.stride == 16)
  }

  @Test func `constants print as JSON and tell their kind`() throws {
    let samples: [(Value, String, Value.Kind)] = [
      (.null, "null", .null), (Value(true), "true", .boolean), (Value(false), "false", .boolean),
      (Value(0), "0", .number), (Value(-1), "-1", .number), (Value(Int64.max), "9223372036854775807", .number),
      (Value(Int64.min), "-9223372036854775808", .number), (Value("a\"b\\c\n\u{1}é"), #""a\"b\\c\n\u0001é""#, .string),
      (Value(""), "\"\"", .string), (.array([]), "[]", .array), (.object([]), "{}", .object),
      (Value(bytes: Buffer(copying: [0xFF, 0x00])), #""/wA=""#, .bytes),
    ]
    for (value, json, kind) in samples {
      #expect(value.description == json)
      #expect(value.kind == kind)
    }
  }

  @Test func `kinds have the names that messages use`() {
    let kinds: [Value.Kind] = [.null, .boolean, .number, .string, .array, .object, .bytes]
    #expect(kinds.map { $0.name } == ["null", "a boolean", "a number", "a text", "a list", "an object", "bytes"])
  }

  @Test func `a Double keeps its point and refuses what JSON can't say`() {
    #expect(Value(3.0)?.description == "3.0")
    #expect(Value(0.1)?.description == "0.1")
    #expect(Value(-0.0)?.description == "-0.0")
    #expect(Value(1e300)?.description == "1e+300")
    #expect(Value(Double.leastNonzeroMagnitude)?.description == "5e-324")
    #expect(Value(Double.nan) == nil)
    #expect(Value(Double.infinity) == nil)
    #expect(Value(-Double.infinity) == nil)
  }

  @Test(arguments: ["0", "-0", "1.10", "1e400", "1E+5", "-12.50e-3", "123456789012345678901234567890"])
  func `a number keeps its text`(text: String) {
    #expect(Value(numberText: text)?.description == text)
    #expect(Value(numberText: text)?.numberText == text)
  }

  @Test(arguments: ["", "-", "01", "1.", ".5", "+1", "1e", "1e+", "0x1", "NaN", "1 ", " 1", "--1", "1.5.2", "Infinity"])
  func `what is no JSON number makes none`(text: String) {
    #expect(Value(numberText: text) == nil)
  }

  @Test func `a buffer becomes a text only if it is UTF-8`() {
    #expect(Value(text: Buffer(copying: Array("né".utf8)))?.string == "né")
    #expect(Value(text: Buffer(copying: [] as [UInt8]))?.string == "")
    let broken: [[UInt8]] = [
      [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0xF8, 0x88, 0x80, 0x80, 0x80],
      [0xE0, 0x80, 0x80], [0xF0, 0x80, 0x80, 0x80], [0x80], [0x41, 0xC3],
    ]
    for bytes in broken { #expect(Value(text: Buffer(copying: bytes)) == nil) }
  }

  @Test func `bytes print as padded base64`() {
    let samples: [(String, String)] = [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ]
    for (plain, encoded) in samples {
      let value = Value(bytes: Buffer(copying: plain.utf8))
      #expect(value.description == "\"\(encoded)\"")
      #expect(value.rawBytes == Array(plain.utf8))
      #expect(value.byteCount == plain.utf8.count)
      #expect(value.string == nil)
    }
  }

  @Test func `a buffer copies from any collection and adopts memory`() throws {
    func contents(_ buffer: Buffer) -> [UInt8] { withExtendedLifetime(buffer) { Array(buffer.bytes) } }
    #expect(contents(Buffer(copying: [1, 2, 3])) == [1, 2, 3])
    #expect(contents(Buffer(copying: (0..<4).lazy.map { UInt8($0) })) == [0, 1, 2, 3])
    #expect(Buffer(copying: [] as [UInt8]).count == 0)
    let memory = try #require(malloc(3))
    memory.copyMemory(from: [7, 8, 9] as [UInt8], byteCount: 3)
    #expect(contents(Buffer(adopting: memory, count: 3)) == [7, 8, 9])
  }
}
