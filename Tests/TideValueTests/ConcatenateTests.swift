import Testing

@testable import TideValue

@Suite struct ConcatenateTests {
  @Test func `lists are joined in the order given and a null is empty`() throws {
    let lists = [
      try Value.parse("[1, [2]]"), .null, .array([Value("a"), .null]), try Value.parse("[ ]"), .array([]),
      try Value.parse("[{\"x\":1.10}]"),
    ]
    #expect(try concatenate(lists).description == #"[1,[2],"a",null,{"x":1.10}]"#)
    #expect(try concatenate([]).description == "[]")
    #expect(try concatenate([.null, .null]).description == "[]")
    #expect(try concatenate([lists[0]]).json(.verbatim) == Array("[1, [2]]".utf8))
  }

  @Test func `what is no list is named with its place`() throws {
    #expect(throws: DataError(.type, input: 1, "an object, where a list is expected")) {
      try concatenate([.array([]), .object([]), Value(1)])
    }
    let error = try #require(throws: DataError.self) { try concatenate([Value("x")]) }
    #expect(error.description == "the input at index 0: a text, where a list is expected")
    #expect(error.description { "'\($0)'" } == "'0': a text, where a list is expected")
  }

  @Test func `items are slices of the inputs, and each input is kept once`() throws {
    let first = try Value.parse("[\"a\",\"b\"]")
    let second = try Value.parse("[\"c\"]")
    let list = try concatenate([first, second, first, try concatenate([second, first])])
    #expect(list.description == #"["a","b","c","a","b","c","a","b"]"#)
    #expect(list.composition?.sources.count == 2)
    #expect(list[2]?.buffer === second.buffer)
    #expect(list[7]?.buffer === first.buffer)
  }

  @Test func `many buffers in one list keep their items apart`() throws {
    let lists = try (0..<1_000).map { try Value.parse("[\"item \($0)\",\($0)]") }
    let list = try concatenate(lists)
    #expect(list.count == 2_000)
    #expect(list[1_998]?.string == "item 999")
    #expect(list[1]?.int64 == 0)
    #expect(try concatenate([list, list]).items == list.items + list.items)
  }
}
