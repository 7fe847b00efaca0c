import Testing

@testable import TideValue

@Suite struct JoinTests {
  private let users = json(#"[{"id":1,"name":"Ann"},{"id":2,"name":"Ben"},{"id":null,"name":"Nil"},{"name":"Non"}]"#)
  private let orders = json(
    #"[{"id":2.0,"total":5},{"id":1,"total":7},{"id":2,"total":9},{"id":3,"total":1},{"id":null}]"#)

  private func joined(_ keep: Keep, _ lists: [Value]? = nil) throws -> String {
    try join(lists ?? [users, orders], keys: [[path("id")]], keep: keep).description
  }

  @Test func `rows are in the left one's order, and repeated keys multiply`() throws {
    #expect(
      try joined(.inner)
        == #"[{"id":1,"name":"Ann","total":7},{"id":2,"name":"Ben","total":5},{"id":2,"name":"Ben","total":9}]"#)
    let twice = json(#"[{"id":1,"a":1},{"id":1,"a":2}]"#)
    let thrice = json(#"[{"id":1,"b":1},{"id":1,"b":2},{"id":1,"b":3}]"#)
    #expect(
      try join([twice, thrice], keys: [[path("id")]]).items.map { "\($0["a"] ?? .null)\($0["b"] ?? .null)" }
        == ["11", "12", "13", "21", "22", "23"])
  }

  @Test func `what has no partner lacks the other's fields`() throws {
    let inner = try joined(.inner).dropLast()
    #expect(try joined(.left) == inner + #",{"id":null,"name":"Nil"},{"name":"Non"}]"#)
    #expect(
      try joined(.full) == inner + #",{"id":null,"name":"Nil"},{"name":"Non"},{"id":3,"total":1},{"id":null}]"#)
    #expect(try joined(.left, [users, .null]) == users.description)
    #expect(try joined(.inner, [users, .null]) == "[]")
    #expect(try joined(.full, [.null, orders]) == orders.description)
    #expect(try joined(.inner, [users]) == #"[{"id":1,"name":"Ann"},{"id":2,"name":"Ben"}]"#)
    #expect(try joined(.inner, []) == "[]")
  }

  @Test func `several inputs are joined from left to right`() throws {
    let a = json(#"[{"id":1,"a":1},{"id":2,"a":2}]"#)
    let b = json(#"[{"id":2,"b":2},{"id":3,"b":3}]"#)
    let c = json(#"[{"id":3,"c":3},{"id":1,"c":1},{"id":4,"c":4}]"#)
    #expect(try joined(.inner, [a, b, c]) == "[]")
    #expect(try joined(.left, [a, b, c]) == #"[{"id":1,"a":1,"c":1},{"id":2,"a":2,"b":2}]"#)
    #expect(
      try joined(.full, [a, b, c])
        == #"[{"id":1,"a":1,"c":1},{"id":2,"a":2,"b":2},{"id":3,"b":3,"c":3},{"id":4,"c":4}]"#)
  }

  @Test func `keys of different names stand both, keys of one name once`() throws {
    let users = json(#"[{"id":1,"org":"x","name":"Ann"}]"#)
    let orders = json(#"[{"user":1,"org":"x","total":5},{"user":1,"org":"y","total":6}]"#)
    #expect(
      try join([users, orders], keys: [[path("id"), path("org")], [path("user"), path("org")]]).description
        == #"[{"id":1,"org":"x","name":"Ann","user":1,"total":5}]"#)
  }

  @Test func `other fields that share a name are a collision`() throws {
    let lists = [json(#"[{"id":1,"v":"a"}]"#), json(#"[{"v":"b","id":1}]"#), json(#"[{"id":1,"v":"c"}]"#)]
    let keys = [[path("id")]]
    #expect(
      refusal { try join(lists, keys: keys) }
        == "'v' of the item at index 0 of the input at index 1: stands in the input at index 0 too")
    #expect(try join(lists, keys: keys, collision: .first).description == #"[{"id":1,"v":"a"}]"#)
    #expect(try join(lists, keys: keys, collision: .last).description == #"[{"id":1,"v":"c"}]"#)
    #expect(try join(lists, keys: keys, collision: .list).description == #"[{"id":1,"v":["a","b","c"]}]"#)
    #expect(
      refusal { try join(lists, keys: keys, collision: .concat) }
        == "'v' of the item at index 0 of the input at index 1: stands in the input at index 0 too, and not all of its "
        + "values are lists")
    let parts = [
      json(#"[{"id":1,"v":[1, 2]}]"#), Value.array([.object([("id", Value(1)), ("v", .array([Value(3)]))])]),
    ]
    #expect(try join(parts, keys: keys, collision: .concat).description == #"[{"id":1,"v":[1,2,3]}]"#)
  }

  @Test func `of equal names in one item the last counts`() throws {
    let list = json(#"[{"id":9,"id":1,"a":1,"\u0061":2}]"#)
    #expect(
      try join([list, json(#"[{"id":1,"b":1}]"#)], keys: [[path("id")]]).description == #"[{"id":1,"a":2,"b":1}]"#)
  }

  @Test func `what can't be joined is named`() {
    let keys = [[path("id")]]
    #expect(
      refusal { try join([users, json("{}")], keys: keys) }
        == "the input at index 1: an object, where a list is expected")
    #expect(
      refusal { try join([users, json(#"[{"id":1},[]]"#)], keys: keys) }
        == "the item at index 1 of the input at index 1: a list, where an object is expected")
    #expect(refusal { try join([users], keys: []) } == "a join needs a key")
    #expect(refusal { try join([users], keys: [[]]) } == "the keys have different numbers of paths, or none")
  }

  @Test func `a join that would never end is refused`() throws {
    let many = try Value.parse("[" + Array(repeating: #"{"id":1}"#, count: 70_000).joined(separator: ",") + "]")
    // A row takes the numbers of two items and of its key, itself, and a name and a value for each of two fields.
    #expect(
      refusal { try join([many, many], keys: [[path("id")]]) }
        == "the join has more than 46684427 rows, which take more than 4095 MB")
  }

  @Test func `a join whose rows are larger than its first items say is refused on the way`() throws {
    let wide = "{\"id\":1," + (0..<40).map { "\"a\($0)\":0" }.joined(separator: ",") + "}"
    let many = json("[{\"id\":0}," + Array(repeating: wide, count: 100).joined(separator: ",") + "]")
    let keys = [[path("id")]]
    #expect(
      refusal { try join([many, many], keys: keys, keep: .inner, collision: .first, limit: 2 << 20) }
        == "the join's first 1581 rows of 10001 take more than 2 MB")
    #expect(try join([many, many], keys: keys, keep: .inner, collision: .first, limit: 32 << 20).count == 10_001)
  }

  /// Nested loops over all inputs, rows as lists of items.
  private func plain(_ lists: [Value], _ keys: [[Path]], _ keep: Keep) -> [[Value?]] {
    var rows: [[Value?]] = []
    func key(_ row: [Value?]) -> [Value]? {
      for (input, item) in row.enumerated() {
        if let item, let key = keys[input].key(of: item) { return key }
      }
      return nil
    }
    for (input, list) in lists.enumerated() {
      if input == 0 {
        rows = list.items.filter { keep != .inner || keys[0].key(of: $0) != nil }.map { [$0] }
        continue
      }
      var next: [[Value?]] = []
      var used = Set<Int>()
      for row in rows {
        let matches = list.items.enumerated().filter { key(row) != nil && keys[input].key(of: $0.element) == key(row) }
        for match in matches {
          next.append(row + [match.element])
          used.insert(match.offset)
        }
        if matches.isEmpty, keep != .inner { next.append(row + [nil]) }
      }
      if keep == .full {
        for (index, item) in list.items.enumerated() where !used.contains(index) {
          next.append(Array(repeating: nil, count: input) + [item])
        }
      }
      rows = next
    }
    return rows
  }

  private func object(_ row: [Value?], _ collision: Collision) -> Value {
    var fields: [(key: String, value: [Value])] = []
    for item in row {
      for field in item?.fields ?? [] {
        guard let place = fields.firstIndex(where: { $0.key == field.key }) else {
          fields.append((field.key, [field.value]))
          continue
        }
        if field.key != "id" { fields[place].value.append(field.value) }
      }
    }
    return .object(
      fields.map { field in
        switch collision {
        case .last: (field.key, field.value[field.value.count - 1])
        case .list where field.value.count > 1: (field.key, .array(field.value))
        default: (field.key, field.value[0])
        }
      })
  }

  @Test(arguments: 0..<60)
  func `random lists`(seed: Int) throws {
    var generator = Seeded(UInt64(seed + 20_000))
    let lists = try (0..<1 + generator.below(3)).map { input in
      try generator.records(["id", "v\(input)", "w"], count: generator.pick([0, 1, 4, 15]))
    }
    for keep in Keep.allCases {
      for collision in [Collision.first, .last, .list] {
        let expected = plain(lists, lists.map { _ in [path("id")] }, keep).map { object($0, collision) }
        let result = try join(lists, keys: [[path("id")]], keep: keep, collision: collision)
        #expect(result.description == Value.array(expected).description)
      }
    }
  }
}
