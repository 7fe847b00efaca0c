import Testing

@testable import TideValue

/// The verbs that look at one item after the other.
@Suite struct ItemVerbsTests {
  private let list = json(
    #"[{"id":1,"s":"open","n":5},{"id":2,"s":"\u006fpen","n":50},{"id":3,"n":"5"},{"id":4,"s":null}, 7]"#)

  private func ids(_ requirements: (String, Requirement.Test)...) throws -> [Int64] {
    try filtered(list, where: requirements.map { Requirement(path: path($0.0), test: $0.1) }).items.map {
      $0["id"]?.int64 ?? 0
    }
  }

  @Test func `a filter keeps the items for which all tests hold`() throws {
    #expect(try ids(("s", .equals(Value("open")))) == [1, 2])
    #expect(try ids(("s", .equals(json(#""op\u0065n""#)))) == [1, 2])
    #expect(try ids(("s", .equals(.null))) == [4])
    #expect(try ids(("n", .equals(json("5.0")))) == [1])
    #expect(try ids(("n", .equals(Value(5)))) == [1])
    #expect(try ids(("n", .equals(Value("5")))) == [3])
    #expect(try ids(("n", .oneOf([Value("5"), Value(50)]))) == [2, 3])
    #expect(try ids(("n", .range(minimum: Value(5), maximum: nil))) == [1, 2])
    #expect(try ids(("n", .range(minimum: json("5.01"), maximum: Value(50)))) == [2])
    #expect(try ids(("n", .range(minimum: Value("5"), maximum: nil))) == [3])
    #expect(try ids(("s", .range(minimum: nil, maximum: Value("p")))) == [1, 2])
    #expect(try ids(("s", .exists(true))) == [1, 2, 4])
    #expect(try ids(("s", .exists(false))) == [3, 0])
    #expect(try ids(("s", .equals(Value("open"))), ("n", .range(minimum: nil, maximum: Value(9)))) == [1])
    #expect(try ids(("s", .satisfies { $0.string?.hasPrefix("op") == true })) == [1, 2])
    #expect(try ids(("$", .equals(Value(7)))) == [0])
    #expect(try ids() == [1, 2, 3, 4, 0])
    #expect(try filtered(.null, where: []).description == "[]")
    #expect(try filtered(list) { $0["id"]?.int64 == 3 }.description == #"[{"id":3,"n":"5"}]"#)
  }

  @Test func `what a test throws ends the filter`() {
    struct Broken: Error {}
    #expect(throws: Broken.self) { try filtered(list) { _ in throw Broken() } }
    #expect(throws: Broken.self) {
      try filtered(list, where: [Requirement(path: path("id"), test: .satisfies { _ in throw Broken() })])
    }
    #expect(throws: DataError(.type, "a number, where a list is expected")) { try filtered(Value(1), where: []) }
  }

  @Test(arguments: 0..<40)
  func `random filters`(seed: Int) throws {
    var generator = Seeded(UInt64(seed + 60_000))
    let list = try generator.records(["a", "b"], count: 100)
    let wanted = json(generator.key())
    let tests: [(Requirement.Test, (Value) -> Bool)] = [
      (.equals(wanted), { $0.kind == wanted.kind && $0 == wanted }),
      (.oneOf([wanted, Value(true)]), { $0 == wanted || $0.bool == true }),
      (.range(minimum: wanted, maximum: nil), { $0.kind == wanted.kind && Value.compare($0, wanted) >= 0 }),
      (.range(minimum: nil, maximum: wanted), { $0.kind == wanted.kind && Value.compare($0, wanted) <= 0 }),
    ]
    for (test, holds) in tests {
      let expected = list.items.filter { item in item["a"].map(holds) ?? false }
      let result = try filtered(list, where: [Requirement(path: path("a"), test: test)])
      #expect(result.description == Value.array(expected).description)
    }
  }

  @Test func `a map makes an object of each item`() throws {
    let list = json(#"[{"a":{"b":1.10},"c":[1, 2]},{"a":{"b":null}}]"#)
    #expect(
      try mapped(
        list,
        fields: [
          MapField(name: "x", path: path("a.b")), MapField(name: "y", path: path("$.c[1]"), fallback: Value("none")),
          MapField(name: "z", path: path("$.c[*]")), MapField(name: "é\"", path: path("a")),
        ]
      ).description
        == #"[{"x":1.10,"y":2,"z":[1,2],"é\"":{"b":1.10}},{"x":null,"y":"none","z":[],"é\"":{"b":null}}]"#)
    #expect(try mapped(.null, fields: []).description == "[]")
    #expect(try mapped(list, fields: []).description == "[{},{}]")
  }

  @Test func `a path that leads to nothing is named with its item`() {
    let list = json(#"[{"a":1},{"b":2}]"#)
    #expect(
      refusal { try mapped(list, fields: [MapField(name: "x", path: path("a"))]) }
        == "'a' of the item at index 1: 'a' is missing in an object with the field b")
    #expect(
      refusal { try mapped(json("[1]"), fields: [MapField(name: "x", path: path("a"))]) }
        == "'a' of the item at index 0: 'a' is missing in a number")
    let twice = MapField(name: "x", path: path("a"))
    #expect(refusal { try mapped(list, fields: [twice, twice]) } == "'x': two fields of this name")
  }

  @Test func `pick keeps some fields of objects`() throws {
    let list = json(#"[{"a":1,"b":{"c":2},"d":3},{"d":4,"a":5,"b":{"c":6}}]"#)
    #expect(try picked(list, [path("d"), path("b.c")]).description == #"[{"d":3,"c":2},{"d":4,"c":6}]"#)
    #expect(try picked(list.items[0], [path("a")]).description == #"{"a":1}"#)
    #expect(try picked(json("{}"), [path("a")], missing: .leaveOut).description == "{}")
    #expect(try picked(json("[{}]"), [path("a")], missing: .null).description == #"[{"a":null}]"#)
    #expect(refusal { try picked(json("{}"), [path("a")]) } == "'a': 'a' is missing in an empty object")
    #expect(
      refusal { try picked(json("[3]"), [path("a")]) } == "the item at index 0: a number, where an object is expected")
    #expect(refusal { try picked(Value(3), [path("a")]) } == "a number, where a list is expected")
    #expect(refusal { try picked(list, [path("a"), path("b.a")]) } == "'a': two fields of this name")
  }

  @Test func `a tag is a field more in each item`() throws {
    let list = Value.array([json(#"{"a": 1}"#), json("{}"), .object([("b", .array([Value(2)]))])])
    #expect(
      try tagged(list, field: "from", value: Value("x")).description
        == #"[{"a":1,"from":"x"},{"from":"x"},{"b":[2],"from":"x"}]"#)
    #expect(try tagged(.null, field: "from", value: .null).description == "[]")
    #expect(
      refusal { try tagged(list, field: "b", value: .null) }
        == "'b' of the item at index 2: the item has this field already")
    #expect(
      refusal { try tagged(json("[[]]"), field: "b", value: .null) }
        == "the item at index 0: a list, where an object is expected")
  }

  @Test func `a slice counts from the end if its offset is negative`() throws {
    for list in [json("[0,1, 2,3,4]"), .array((0..<5).map { Value($0) })] {
      #expect(try sliced(list).description == "[0,1,2,3,4]")
      #expect(try sliced(list, offset: 3).description == "[3,4]")
      #expect(try sliced(list, offset: 1, limit: 2).description == "[1,2]")
      #expect(try sliced(list, offset: -2).description == "[3,4]")
      #expect(try sliced(list, offset: -2, limit: 1).description == "[3]")
      #expect(try sliced(list, offset: -9, limit: 1).description == "[0]")
      #expect(try sliced(list, offset: 9).description == "[]")
      #expect(try sliced(list, offset: .max, limit: .max).description == "[]")
      #expect(try sliced(list, offset: .min, limit: 1).description == "[0]")
      #expect(try sliced(list, limit: -1).description == "[]")
    }
    #expect(try sliced(.null, offset: 1).description == "[]")
    #expect(refusal { try sliced(json("{}")) } == "an object, where a list is expected")
    #expect(
      try sliced(sliced(.array((0..<5).map { Value($0) }), offset: 1), offset: 1, limit: 2).description == "[2,3]")
  }

  @Test func `zip pairs what has the same index`() throws {
    let lists = [json(#"[1,{"a":2}]"#), .array([Value("x"), .array([.null])])]
    #expect(try zipped(lists).description == #"[[1,"x"],[{"a":2},[null]]]"#)
    #expect(try zipped([]).description == "[]")
    #expect(try zipped([.null, json("[]")]).description == "[]")
    let uneven = lists + [json("[true]")]
    #expect(refusal { try zipped(uneven) } == "the lists have different lengths: 2, 2, 1")
    #expect(try zipped(uneven, lengths: .shortest).description == #"[[1,"x",true]]"#)
    #expect(try zipped(uneven, lengths: .longest).description == #"[[1,"x",true],[{"a":2},[null],null]]"#)
    #expect(
      refusal { try zipped([json("[]"), Value("x")]) } == "the input at index 1: a text, where a list is expected")
  }
}
