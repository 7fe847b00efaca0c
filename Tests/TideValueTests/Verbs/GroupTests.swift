import Testing

@testable import TideValue

@Suite struct GroupTests {
  private let list = json(#"[{"k":"b","n":1},{"k":1},{"n":2},{"k":"\u0062","n":3},{"k":1.0},{"k":null,"n":4}]"#)

  @Test func `groups come in the order of first appearance, their items in theirs`() throws {
    #expect(
      try grouped(list, by: [path("k")]).description
        == #"[{"key":"b","items":[{"k":"b","n":1},{"k":"\u0062","n":3}]},{"key":1,"items":[{"k":1},{"k":1.0}]},"#
        + #"{"key":null,"items":[{"n":2},{"k":null,"n":4}]}]"#)
    #expect(try grouped(.null, by: [path("k")]).description == "[]")
    #expect(try grouped(json("[]"), by: []).description == "[]")
  }

  @Test func `several paths make a list of the key, none the item itself`() throws {
    let list = json(#"[{"a":1,"b":2},{"a":1},{"b":2.0,"a":1}]"#)
    #expect(
      try grouped(list, by: [path("a"), path("b")]).description
        == #"[{"key":[1,2],"items":[{"a":1,"b":2},{"b":2.0,"a":1}]},{"key":[1,null],"items":[{"a":1}]}]"#)
    #expect(try grouped(json("[1,2,1]"), by: []).description == #"[{"key":1,"items":[1,1]},{"key":2,"items":[2]}]"#)
  }

  @Test func `distinct keeps the first of equal ones`() throws {
    #expect(try distinct(list, by: [path("k")]).description == #"[{"k":"b","n":1},{"k":1},{"n":2}]"#)
    #expect(
      try distinct(json(#"[1,"1",1.0,[1],[1e0],null,null,{"a":1},{"a":1.0}]"#)).description
        == #"[1,"1",[1],null,{"a":1}]"#)
    #expect(try distinct(.null).description == "[]")
  }

  @Test func `what is no list is refused`() {
    #expect(refusal { try grouped(json("{}"), by: []) } == "an object, where a list is expected")
    #expect(refusal { try distinct(Value(1)) } == "a number, where a list is expected")
  }

  @Test func `a path that may find many is a key of its list`() throws {
    let list = json(#"[{"t":[{"x":1},{"x":2}]},{"t":[{"x":1.0},{"x":2}]},{"t":[]},{}]"#)
    #expect(
      try grouped(list, by: [path("$.t[*].x")]).items.map { $0["key"]?.description } == ["[1,2]", "[]"])
  }

  private func plain(_ list: Value, _ keys: [Path]) -> [(key: [Value], items: [Value])] {
    var groups: [(key: [Value], items: [Value])] = []
    for item in list.items {
      let key = keys.isEmpty ? [item] : keys.nullableKey(of: item)
      let place = groups.firstIndex { $0.key == key } ?? groups.count
      if place == groups.count { groups.append((key, [])) }
      groups[place].items.append(item)
    }
    return groups
  }

  @Test(arguments: 0..<40)
  func `random lists`(seed: Int) throws {
    var generator = Seeded(UInt64(seed + 30_000))
    let list = try generator.records(["a", "b"], count: generator.pick([0, 1, 31, 32, 33, 200]))
    for keys in [[], [path("a")], [path("b"), path("a")]] {
      let groups = plain(list, keys)
      let expected = groups.map { group in
        Value.object([("key", keys.count > 1 ? .array(group.key) : group.key[0]), ("items", .array(group.items))])
      }
      #expect(try grouped(list, by: keys).description == Value.array(expected).description)
      #expect(try distinct(list, by: keys).description == Value.array(groups.map { $0.items[0] }).description)
    }
  }

  @Test func `many keys of every length`() throws {
    let texts = (0..<30_000).map { "\"\(String(repeating: "x", count: $0 % 40))\($0 / 3)\"" }
    let list = try Value.parse("[" + texts.joined(separator: ",") + "]")
    var seen = Set<String>()
    let expected = texts.filter { seen.insert($0).inserted }
    #expect(try distinct(list).description == "[" + expected.joined(separator: ",") + "]")
    #expect(try grouped(list, by: []).count == expected.count)
  }
}
