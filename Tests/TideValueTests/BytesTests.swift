import Testing
import TideValue

@Suite struct BytesTests {
  @Test func `bytes are found wherever they lie`() throws {
    let bytes = Value(bytes: Buffer(copying: [0xFF]))
    let parsed = try Value.parse(#"[{"a":[1,"x"]}]"#)
    #expect(bytes.holdsBytes)
    #expect(!parsed.holdsBytes)
    #expect(!Value.array([parsed, Value("x"), .array([])]).holdsBytes)
    #expect(Value.array([parsed, bytes]).holdsBytes)
    #expect(Value.object([("a", .array([.object([("b", bytes)])]))]).holdsBytes)
    #expect(!Value.object([("a", .array([.object([("b", .null)])]))]).holdsBytes)
  }
}
