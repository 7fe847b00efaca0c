import Testing

@testable import TideValue

@Suite struct UnionTests {
  private let lists = [
    json(#"[{"id":1,"v":"a"},{"id":2,"v":"b"},{"v":"none"}]"#),
    .null,
    json(#"[{"id":2.0,"v":"c"},{"v":"none"},{"id":1,"v":"a"},{"id":null}]"#),
  ]

  @Test func `without a key equal items stand there once`() throws {
    let list = try union([json(#"[1,"1",{"a":1,"b":2},null]"#), json(#"[1.0,{"b":2,"a":1},null,[1]]"#)])
    #expect(list.description == #"[1,"1",{"a":1,"b":2},null,[1]]"#)
    #expect(try union([]).description == "[]")
    #expect(try union([.null, json("[]")]).description == "[]")
  }

  @Test func `with a key the first place counts, and items without it are kept`() throws {
    let none = #"{"v":"none"}"#
    #expect(
      try union(lists, keys: [[path("id")]], collision: .first).description
        == #"[{"id":1,"v":"a"},{"id":2,"v":"b"},\#(none),\#(none),{"id":null}]"#)
    #expect(
      try union(lists, keys: [[path("id")]], collision: .last).description
        == #"[{"id":1,"v":"a"},{"id":2.0,"v":"c"},\#(none),\#(none),{"id":null}]"#)
    #expect(
      try union(lists, keys: [[path("id")]], collision: .list).description
        == #"[{"id":1,"v":"a"},[{"id":2,"v":"b"},{"id":2.0,"v":"c"}],\#(none),\#(none),{"id":null}]"#)
  }

  @Test func `different items with one key are an error unless said`() {
    #expect(
      refusal { try union(lists, keys: [[path("id")]]) }
        == "'id' of the item at index 0 of the input at index 2: differs from the item at index 1 of the input at "
        + "index 0 with the same key")
    #expect(
      refusal { try union([json(#"[{"id":1},{"id":1,"x":2}]"#)], keys: [[path("id")]]) }
        == "'id' of the item at index 1 of the input at index 0: differs from the item at index 0 with the same key")
    #expect(
      refusal { try union([json(#"[{"id":1},{"id":1,"x":2}]"#)], keys: [[path("id")]], collision: .concat) }
        == "the item at index 0 of the input at index 0: items with the same key differ and are not all lists, so they "
        + "can't be concatenated")
  }

  @Test func `lists of one key are concatenated if that is wanted`() throws {
    let lists = [json("[[1,2],[5]]"), Value.array([json("[1,3]"), .array([Value(5), Value(6)])])]
    #expect(
      try union(lists, keys: [[path("$[0]")]], collision: .concat).description == "[[1,2,1,3],[5,5,6]]")
  }

  @Test func `each input may have a key of its own, of several paths`() throws {
    let list = try union(
      [json(#"[{"a":1,"b":"x"},{"a":1,"b":"y"}]"#), json(#"[{"c":"y","d":1},{"c":"z","d":1}]"#)],
      keys: [[path("a"), path("b")], [path("d"), path("c")]], collision: .first)
    #expect(list.description == #"[{"a":1,"b":"x"},{"a":1,"b":"y"},{"c":"z","d":1}]"#)
  }

  @Test func `what can't be united is named`() {
    #expect(
      refusal { try union([.null, json("{}")]) } == "the input at index 1: an object, where a list is expected")
    #expect(
      refusal { try union([.null], keys: [[path("a")], [path("b")]]) }
        == "2 keys for 1 inputs: one for each is expected, or one for all")
    #expect(
      refusal { try union([.null, .null], keys: [[path("a")], []]) }
        == "the keys have different numbers of paths, or none")
  }

  private func plain(_ lists: [Value], _ keys: [Path], _ collision: Collision) -> Value? {
    var output: [(key: [Value]?, items: [Value])] = []
    for item in lists.flatMap(\.items) {
      let key = keys.isEmpty ? [item] : keys.key(of: item)
      guard key != nil, let place = output.firstIndex(where: { $0.key == key }) else {
        output.append((key, [item]))
        continue
      }
      if !output[place].items.contains(item) { output[place].items.append(item) }
    }
    if collision == .error, output.contains(where: { $0.items.count > 1 }) { return nil }
    return .array(
      output.map { entry in
        switch collision {
        case .last: entry.items[entry.items.count - 1]
        case .list where entry.items.count > 1: .array(entry.items)
        default: entry.items[0]
        }
      })
  }

  @Test(arguments: 0..<60)
  func `random lists`(seed: Int) throws {
    var generator = Seeded(UInt64(seed + 10_000))
    let lists = try (0..<generator.below(4)).map { _ in
      try generator.records(["id", "k"], count: generator.pick([0, 1, 5, 40]))
    }
    for keys in [[], [path("id")], [path("id"), path("k")]] {
      // Of equal items that follow a different one, the last is not the one that the plain version keeps.
      for collision in [Collision.error, .first, .list] {
        let expected = plain(lists, keys, collision)
        let result = try? union(lists, keys: keys.isEmpty ? [] : [keys], collision: collision)
        #expect(result?.description == expected?.description)
      }
    }
  }
}
