import Testing

@testable import TideValue

@Suite struct MembersTests {
  @Test func `items are found by index`() throws {
    let list = try Value.parse(#"[1, "two", [3], {"four":4}, null ]"#)
    #expect(list.count == 5)
    #expect(list.items.map { $0.description } == ["1", "\"two\"", "[3]", "{\"four\":4}", "null"])
    #expect(list[1]?.string == "two")
    #expect(list[4]?.isNull == true)
    #expect(list[5] == nil)
    #expect(list[-1] == nil)
    #expect(list["0"] == nil)
    #expect(try Value.parse("\"text\"")[0] == nil)
    #expect(try Value.parse("{}")[0] == nil)
  }

  @Test func `fields are found by name, the last of equal ones`() throws {
    let object = try Value.parse(#"{"a":1,"b":{"a":2},"":3,"a":4,"ab":5}"#)
    #expect(object.count == 5)
    #expect(object["a"]?.int64 == 4)
    #expect(object["b"]?["a"]?.int64 == 2)
    #expect(object[""]?.int64 == 3)
    #expect(object["ab"]?.int64 == 5)
    #expect(object["c"] == nil)
    #expect(object["abc"] == nil)
    #expect(object.fields.map { $0.key } == ["a", "b", "", "ab"])
    #expect(object.fields.map { $0.value.description } == ["4", "{\"a\":2}", "3", "5"])
    var keys: [String] = []
    object.forEachField { key, _ in keys.append(key) }
    #expect(keys == ["a", "b", "", "a", "ab"])
  }

  @Test func `escaped names are decoded before they are compared`() throws {
    let object = try Value.parse(#"{"caf\u00e9":1,"a\/b":2,"\ud83d\ude00":3,"q\"q":4,"\u0000":5,"x\\":6}"#)
    #expect(object["café"]?.int64 == 1)
    #expect(object["a/b"]?.int64 == 2)
    #expect(object["😀"]?.int64 == 3)
    #expect(object["q\"q"]?.int64 == 4)
    #expect(object["\0"]?.int64 == 5)
    #expect(object["x\\"]?.int64 == 6)
    #expect(object["caf\\u00e9"] == nil)
    #expect(try Value.parse(#"{"a":1,"\u0061":2}"#)["a"]?.int64 == 2)
    #expect(try Value.parse(#"{"\u0061":2,"a":1}"#).fields.map { $0.value.int64 } == [1])
  }

  @Test func `composed lists and objects answer as parsed ones do`() throws {
    let parsed = try Value.parse(#"{"x":[1,2]}"#)
    let list = Value.array([Value(7), parsed, Value("plain"), .null, Value(true), .array([]), .object([])])
    #expect(list.description == #"[7,{"x":[1,2]},"plain",null,true,[],{}]"#)
    #expect(list.count == 7)
    #expect(list[1]?["x"]?[1]?.int64 == 2)
    #expect(list[7] == nil)
    #expect(list.items == (try Value.parse(list.description)).items)
    let object = Value.object([("b", list), ("a", Value(1)), ("b", Value("last")), ("é\"", .null)])
    #expect(object.count == 4)
    #expect(object["b"]?.string == "last")
    #expect(object["é\""]?.isNull == true)
    #expect(object["nothing"] == nil)
    #expect(object.fields.map { $0.key } == ["b", "a", "é\""])
    #expect(object.description == #"{"b":[7,{"x":[1,2]},"plain",null,true,[],{}],"a":1,"b":"last","é\"":null}"#)
  }

  @Test func `what is no container has no members`() throws {
    for value in [Value.null, Value(1), Value(true), Value("x"), Value(bytes: Buffer(copying: [1]))] {
      #expect(value.count == 0)
      #expect(value.items.isEmpty)
      #expect(value.fields.isEmpty)
      #expect(value[0] == nil)
      #expect(value["x"] == nil)
    }
  }

  @Test func `an error thrown while walking ends the walk`() throws {
    struct Enough: Error, Equatable { let seen: Int }
    var seen = 0
    #expect(throws: Enough(seen: 2)) {
      try Value.parse("[1,2,3]").forEachItem { _ in
        seen += 1
        if seen == 2 { throw Enough(seen: seen) }
      }
    }
  }

  @Test(arguments: 0..<40)
  func `members of random documents put together again are the document`(seed: Int) throws {
    var generator = Seeded(UInt64(seed))
    for _ in 0..<40 {
      let value = try Value.parse(generator.json(5))
      #expect(rebuilt(value) == value)
      #expect(rebuilt(value).json() == value.json())
    }
  }

  private func rebuilt(_ value: Value) -> Value {
    switch value.kind {
    case .array: return .array(value.items.map { rebuilt($0) })
    case .object:
      // Lone surrogates don't survive a String, so such names are left to the text.
      if value.json().contains(UInt8(ascii: "\\")) { return value }
      var fields: [(key: String, value: Value)] = []
      value.forEachField { fields.append(($0, rebuilt($1))) }
      return .object(fields)
    default: return value
    }
  }

  @Test func `a long list is opened right at every length of its items`() throws {
    // Items of all lengths around the 64 bytes of a block, with brackets and quotes inside of texts.
    for inner in ["x", "]", "[", "\\\"", "\\\\", "}", "é"] {
      let texts = (0..<200).map { "[\"" + String(repeating: inner, count: $0) + "\",{\"k\":[]}]" }
      let list = try Value.parse("[" + texts.joined(separator: ",") + "]")
      #expect(list.items.map { $0.description } == texts)
    }
  }

  @Test func `deeply nested compositions are released without recursion`() {
    var value = Value.array([])
    for _ in 0..<300_000 { value = .array([value]) }
    #expect(value.count == 1)
    #expect(value.json().count == 600_002)
  }
}
