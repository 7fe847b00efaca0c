import Testing

@testable import TideValue

@Suite struct SortTests {
  private func key(
    _ text: String, _ kind: SortKind = .any, nulls: SortKey.Nulls = .last
  ) throws -> SortKey {
    var key = try SortKey(text)
    key.kind = kind
    key.nulls = nulls
    return key
  }

  private func sort(_ json: String, _ keys: [SortKey], limit: Int? = nil) throws -> String {
    try sorted(try Value.parse(json), by: keys, limit: limit).description
  }

  @Test func `items are sorted by a key and stay in order where it ties`() throws {
    let json = #"[{"k":2,"n":0},{"k":1,"n":1},{"k":2.0,"n":2},{"k":1e0,"n":3}]"#
    #expect(try sort(json, [key("k")]) == #"[{"k":1,"n":1},{"k":1e0,"n":3},{"k":2,"n":0},{"k":2.0,"n":2}]"#)
    #expect(try sort(json, [key("-k")]) == #"[{"k":2,"n":0},{"k":2.0,"n":2},{"k":1,"n":1},{"k":1e0,"n":3}]"#)
  }

  @Test func `several keys count one after the other, each in its direction`() throws {
    let json = #"[{"a":1,"b":"x"},{"a":2,"b":"x"},{"a":1,"b":"y"},{"a":2,"b":"y"}]"#
    #expect(
      try sort(json, [key("a"), key("-b")])
        == #"[{"a":1,"b":"y"},{"a":1,"b":"x"},{"a":2,"b":"y"},{"a":2,"b":"x"}]"#)
    #expect(
      try sort(json, [key("b"), key("-a")])
        == #"[{"a":2,"b":"x"},{"a":1,"b":"x"},{"a":2,"b":"y"},{"a":1,"b":"y"}]"#)
  }

  @Test func `nulls and absent keys are last unless said, in both directions`() throws {
    let json = #"[{"n":0},{"k":1},7,{"k":null},{"k":2}]"#
    let missing = #"{"n":0},7,{"k":null}"#
    #expect(try sort(json, [key("k")]) == #"[{"k":1},{"k":2},\#(missing)]"#)
    #expect(try sort(json, [key("-k")]) == #"[{"k":2},{"k":1},\#(missing)]"#)
    #expect(try sort(json, [key("k", nulls: .first)]) == #"[\#(missing),{"k":1},{"k":2}]"#)
    #expect(try sort(json, [key("-k", nulls: .first)]) == #"[\#(missing),{"k":2},{"k":1}]"#)
  }

  @Test func `mixed kinds follow the order of all values`() throws {
    let json = #"[{"k":{}},{"k":"a"},{"k":[2]},{"k":true},{"k":3},{"k":[1]},{"k":false},{"k":"A"},{"k":-1e400}]"#
    #expect(
      try sort(json, [key("k")])
        == #"[{"k":false},{"k":true},{"k":-1e400},{"k":3},{"k":"A"},{"k":"a"},{"k":[1]},{"k":[2]},{"k":{}}]"#)
  }

  @Test func `without keys items are sorted by themselves`() throws {
    #expect(try sort(#"["b",3,null,"a",[0],1]"#, []) == #"[1,3,"a","b",[0],null]"#)
    #expect(try sort("[3,1,2]", [key("$")]) == "[1,2,3]")
    #expect(
      try sorted(.array([Value(3), Value(-1), Value("x"), Value(true)]), by: []).description == #"[true,-1,3,"x"]"#)
  }

  @Test func `a limit keeps the first of the order`() throws {
    #expect(try sort("[3,1,2]", [], limit: 2) == "[1,2]")
    #expect(try sort("[3,1,2]", [], limit: 9) == "[1,2,3]")
    #expect(try sort("[3,1,2]", [], limit: 0) == "[]")
    #expect(try sort("[3,1,2]", [], limit: -1) == "[]")
  }

  @Test func `nothing sorts to nothing`() throws {
    #expect(try sorted(.null, by: [key("k")]).description == "[]")
    #expect(try sort("[]", [key("k")]) == "[]")
    #expect(try sort("[{}]", [key("k")]) == "[{}]")
  }

  @Test func `as text compares numbers by their text`() throws {
    let json = #"[{"k":"9"},{"k":10},{"k":true},{"k":"1\u0030"},{"k":9.0}]"#
    #expect(try sort(json, [key("k", .text)]) == #"[{"k":10},{"k":"1\u0030"},{"k":"9"},{"k":9.0},{"k":true}]"#)
  }

  @Test func `as number compares texts by their number`() throws {
    let json = #"[{"k":"10"},{"k":9},{"k":"1e1"},{"k":"-0.5"}]"#
    #expect(try sort(json, [key("k", .number)]) == #"[{"k":"-0.5"},{"k":9},{"k":"10"},{"k":"1e1"}]"#)
  }

  @Test func `natural compares runs of digits by value, then by text`() throws {
    let names = [
      "a10", "a9", "a", "a09", "a9b", "b1", "a100", "a1x2", "a1x10", "A1", "10", "9", "007", "7", "x\u{0}", "x",
    ]
    let list = Value.array(names.map { Value.object([("k", Value($0))]) })
    let order = try sorted(list, by: [key("k", .natural)]).items.compactMap { $0["k"]?.string }
    #expect(
      order == [
        "007", "7", "9", "10", "A1", "a", "a1x2", "a1x10", "a09", "a9", "a9b", "a10", "a100", "b1", "x", "x\u{0}",
      ])
    let long = ["v" + String(repeating: "9", count: 300), "v1" + String(repeating: "0", count: 300), "v8"]
    let longest = try sorted(.array(long.map { Value($0) }), by: [key("$", .natural)]).items.compactMap { $0.string }
    #expect(longest == [long[2], long[0], long[1]])
  }

  @Test(arguments: [
    (
      SortKind.time, #"[{"k":1},{"k":"soon"}]"#, 1,
      "'k' of the item at index 1: the text 'soon' can't be read as a time"
    ),
    (.number, #"[{"k":"01"}]"#, 0, "'k' of the item at index 0: the text '01' can't be read as a number"),
    (.text, #"[{"k":[1]}]"#, 0, "'k' of the item at index 0: a list can't be read as a text"),
    (.natural, #"[{},{"k":{}}]"#, 1, "'k' of the item at index 1: an object can't be read as a text"),
    (.number, #"[{"k":true}]"#, 0, "'k' of the item at index 0: a boolean can't be read as a number"),
    (.time, #"[{"k":1e17}]"#, 0, "'k' of the item at index 0: the number 1e17 can't be read as a time"),
  ])
  func `what a key can't be read as is an error with its item`(
    kind: SortKind, json: String, item: Int, description: String
  ) throws {
    var strict = try key("k", kind)
    strict.invalid = .error
    let error = try #require(throws: DataError.self) { try sort(json, [strict]) }
    #expect(error.item == item)
    #expect(error.path == "k")
    #expect(error.kind == .unreadable)
    #expect(error.description == description)
  }

  @Test func `what a key can't be read as counts as null unless it is to be an error`() throws {
    let json = #"[{"k":"soon"},{"k":2,"n":0},{"k":null},{"k":[]},{"k":"2000-01-01T00:00:00Z"}]"#
    let none = #"{"k":"soon"},{"k":null},{"k":[]}"#
    #expect(try sort(json, [key("k", .time)]) == #"[{"k":2,"n":0},{"k":"2000-01-01T00:00:00Z"},\#(none)]"#)
    #expect(
      try sort(json, [key("-k", .time, nulls: .first)])
        == #"[\#(none),{"k":"2000-01-01T00:00:00Z"},{"k":2,"n":0}]"#)
    #expect(try sort(#"["x",10,"9",true]"#, [key("$", .number)]) == #"["9",10,"x",true]"#)
  }

  @Test func `what is no list can't be sorted`() throws {
    let error = try #require(throws: DataError.self) { try sorted(.object([]), by: []) }
    #expect(error.description == "an object can't be sorted, only a list")
  }

  @Test func `a key's text may start with a minus`() throws {
    #expect(try SortKey("-a.b").descending)
    #expect(try SortKey("-a.b").path == Path("a.b"))
    #expect(try !SortKey("a").descending)
    #expect(try !SortKey(path: Path("-a")).descending)
    #expect(throws: PathError.self) { try SortKey("-") }
  }

  @Test func `texts that share long beginnings are told apart`() throws {
    let start = String(repeating: "long ", count: 2_000)
    let ends = ["c", "a", "", "b", "a\u{0}", "a"]
    let order = try sorted(.array(ends.map { Value(start + $0) }), by: []).items.compactMap { $0.string }
    #expect(order.map { String($0.dropFirst(start.count)) } == ["", "a", "a", "a\u{0}", "b", "c"])
  }

  @Test func `one text that starts like no other is still in its place`() throws {
    for odd in ["a", "common", "common start 0", "zebra", ""] {
      for place in [0, 1, 77, 499] {
        var names = (0..<500).map { "common start \($0 * 7 % 500 + 1_000)" }
        names[place] = odd
        let list = try Value.parse("[" + names.map { "{\"k\":\"\($0)\"}" }.joined(separator: ",") + "]")
        #expect(try sorted(list, by: [key("k")]).items.compactMap { $0["k"]?.string } == names.sorted())
        #expect(try sorted(list, by: [key("-k")]).items.compactMap { $0["k"]?.string } == names.sorted().reversed())
      }
    }
  }

  @Test func `parts of a sorted list keep the place where they start`() throws {
    let list = try sorted(try Value.parse("[5,4,3,2,1]"), by: [])
    let part = Value(storage: list.storage, offset: 1, length: 3, form: .list)
    #expect(part.description == "[2,3,4]")
    #expect(try sorted(part, by: [key("-$")]).description == "[4,3,2]")
    #expect(try concatenate([part, part]).description == "[2,3,4,2,3,4]")
  }
}
