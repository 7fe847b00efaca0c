import Testing

@testable import TideValue

/// The sort against a plain stable sort that compares decoded values.
@Suite struct SortPropertyTests {
  private func plain(_ items: [Value], _ keys: [SortKey]) -> [Value] {
    items.enumerated().sorted { left, right in
      for key in keys {
        let a = (try? key.path.find(in: left.element)) ?? .null
        let b = (try? key.path.find(in: right.element)) ?? .null
        if a.isNull != b.isNull { return a.isNull == (key.nulls == .first) }
        let order = Value.compare(a, b)
        if order != 0 { return key.descending ? order > 0 : order < 0 }
      }
      return left.offset < right.offset
    }.map { $0.element }
  }

  private func key(_ path: String, _ generator: inout Seeded) throws -> SortKey {
    SortKey(
      path: try Path(path), descending: generator.below(2) == 0, nulls: generator.pick([.first, .last]))
  }

  @Test(arguments: 0..<30)
  func `random items by random keys`(seed: Int) throws {
    var generator = Seeded(UInt64(seed + 3_000))
    let count = generator.pick([0, 1, 2, 10, 47, 48, 49, 300])
    let items = (0..<count).map { _ in
      let fields = ["a", "b", "a", "\\u0062"].prefix(generator.below(5)).map { "\"\($0)\":\(generator.json(1))" }
      return "{" + fields.joined(separator: ", ") + "}"
    }
    let list = try Value.parse("[" + items.joined(separator: ",") + "]")
    let composed = Value.array(list.items.map { item in item.fields.isEmpty ? item : .object(item.fields) })
    for keys in try [[key("a", &generator)], [key("b", &generator), key("a", &generator)]] {
      #expect(try sorted(list, by: keys).json(.verbatim) == Value.array(plain(list.items, keys)).json(.verbatim))
      #expect(try sorted(composed, by: keys).json() == Value.array(plain(composed.items, keys)).json())
    }
  }

  @Test(arguments: ["text", "integer", "decimal", "same", "few"])
  func `a limit gives the first of what the whole sort gives`(kind: String) throws {
    var generator = Seeded(12)
    for count in [10, 100, 3_000] {
      let items = (0..<count).map { index in
        let key =
          switch kind {
          case "text": "\"shared start \(generator.below(1_000_000))\""
          case "integer": String(generator.below(1 << 40))
          case "decimal": generator.number()
          case "same": "1"
          default:
            generator.pick([
              "1", "1.0", "\"a\"", "\"a long text, and one more\"", "\"a long text, and\"", "null", "[1]", "[]",
            ])
          }
        return "{\"n\":\(index),\"m\":\(generator.below(3)),\"k\":\(key)}"
      }
      let list = try Value.parse("[" + items.joined(separator: ",") + "]")
      for keys in try [[SortKey("k")], [SortKey("-k")], [SortKey("k"), SortKey("-m")], [SortKey("m"), SortKey("k")]] {
        let whole = try sorted(list, by: keys).items
        for limit in [1, 2, 7, 50, count - 1, count, count + 1] {
          let first = try sorted(list, by: keys, limit: limit).items
          #expect(first.map(\.description) == whole.prefix(limit).map(\.description))
        }
      }
    }
  }

  @Test(arguments: ["text", "integer", "decimal", "same", "time"])
  func `many items of one kind`(kind: String) throws {
    var generator = Seeded(11)
    let items = (0..<5_000).map { index in
      let key =
        switch kind {
        case "text":
          "\"" + String((0..<generator.below(20)).map { _ in generator.pick(["a", "b"] as [Character]) }) + "\""
        case "integer": String(generator.below(1 << 40) - 1 << 39)
        case "decimal": generator.number()
        case "same": "\"the same for all of them\""
        default: "\"2024-0\(1 + generator.below(9))-1\(generator.below(10))T0\(generator.below(10)):00:00Z\""
        }
      return "{\"n\":\(index),\"k\":\(key)}"
    }
    let list = try Value.parse("[" + items.joined(separator: ",") + "]")
    for text in ["k", "-k"] {
      let keys = [try SortKey(text)]
      let order = try sorted(list, by: keys).items.compactMap { $0["n"]?.int64 }
      #expect(order == plain(list.items, keys).compactMap { $0["n"]?.int64 })
      #expect(Set(order).count == 5_000)
    }
  }
}
