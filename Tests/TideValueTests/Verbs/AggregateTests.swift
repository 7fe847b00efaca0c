import Testing

@testable import TideValue

@Suite struct AggregateTests {
  private let all = [
    Aggregate(name: "n", .count), Aggregate(name: "sum", .sum(path("v"))), Aggregate(name: "min", .min(path("v"))),
    Aggregate(name: "max", .max(path("v"))), Aggregate(name: "mean", .mean(path("v"))),
  ]

  private func sum(_ numbers: String...) throws -> String? {
    let list = try Value.parse("[" + numbers.joined(separator: ",") + "]")
    return try aggregated(list, [Aggregate(name: "s", .sum(path("$")))])["s"]?.description
  }

  private func mean(_ numbers: String) throws -> String? {
    try aggregated(try Value.parse(numbers), [Aggregate(name: "m", .mean(path("$")))])["m"]?.description
  }

  @Test func `without a key there is one object, of no items too`() throws {
    #expect(
      try aggregated(json(#"[{"v":0.1},{"v":0.2},{},{"v":null}]"#), all).description
        == #"{"n":4,"sum":0.3,"min":0.1,"max":0.2,"mean":0.15}"#)
    #expect(try aggregated(.null, all).description == #"{"n":0,"sum":0,"min":null,"max":null,"mean":null}"#)
  }

  @Test func `with keys there is one object for each, named by the paths' last names`() throws {
    let list = json(#"[{"a":{"k":"x"},"v":1},{"v":5},{"a":{"k":"x"},"v":2.50},{"a":{"k":null},"v":"t"}]"#)
    #expect(
      try aggregated(list, by: [path("a.k")], [all[0], all[2], all[3]]).description
        == #"[{"k":"x","n":2,"min":1,"max":2.50},{"k":null,"n":2,"min":5,"max":"t"}]"#)
    #expect(
      try aggregated(list, by: [path("a.k"), path("v")], [all[0]]).items.first?.description == #"{"k":"x","v":1,"n":1}"#
    )
  }

  @Test func `sums are exact`() throws {
    #expect(try sum("0.1", "0.2") == "0.3")
    #expect(try sum("9223372036854775807", "1") == "9223372036854775808")
    #expect(try sum("-9223372036854775808", "-1") == "-9223372036854775809")
    #expect(try sum("999999999999999999", "999999999999999999") == "1999999999999999998")
    #expect(try sum("1e400", "-1e400", "1") == "1")
    #expect(try sum("1e30", "1e-5") == "1000000000000000000000000000000.00001")
    #expect(try sum("1.10", "2.2", "-3.3") == "0")
    #expect(try sum("1e400") == "1e400")
    #expect(try sum("12e399", "1e399") == "1.3e400")
    #expect(try sum("-0.000000001", "0") == "-1e-9")
    #expect(try sum("0.00001") == "0.00001")
    #expect(try sum("123456789.123456789", "0.0000000001") == "123456789.1234567891")
    #expect(try sum(Array(repeating: "0.01", count: 1_000).joined(separator: ",")) == "10")
  }

  @Test func `a mean is exact where it ends, and rounded where it does not`() throws {
    #expect(try mean("[1,2]") == "1.5")
    #expect(try mean("[1,1,2]") == "1.3333333333333333")
    #expect(try mean("[2,2,1]") == "1.6666666666666667")
    #expect(try mean("[0,0,0.002]") == "0.00066666666666666667")
    #expect(try mean("[100000000000000000000000,0,0]") == "33333333333333333333333")
    #expect(try mean("[-1,0,0,0,0,0,0,0]") == "-0.125")
    #expect(try mean("[2.9999999999999999999,3,3]") == "3")
    #expect(try mean("[29.9999999999999999999,29.9999999999999999999,29.9999999999999999998]") == "30")
    #expect(try mean("[5]") == "5")
    #expect(try mean("[\(Array(repeating: "1", count: 7).joined(separator: ","))]") == "1")
  }

  @Test func `the smallest and the largest are values as they stand, the first of equal ones`() throws {
    let list = json(#"[{"v":2.0},{"v":2},{"v":10},{"v":1e1},{"v":"9"},{"v":true},{"v":[1]},{"v":[0]}]"#)
    #expect(try aggregated(list, [all[2], all[3]]).description == #"{"min":true,"max":[1]}"#)
    let numbers = json(#"[{"v":2.0},{"v":2},{"v":10},{"v":1e1},{"v":10.0}]"#)
    #expect(try aggregated(numbers, [all[2], all[3]]).description == #"{"min":2.0,"max":10}"#)
    let texts = json(#"[{"v":"long texts b"},{"v":"long texts a"},{"v":"long texts c"},{"v":"long texts \u0063"}]"#)
    #expect(try aggregated(texts, [all[2], all[3]]).description == #"{"min":"long texts a","max":"long texts c"}"#)
  }

  @Test func `what can't be summed is named with its item and path`() {
    #expect(
      refusal { try aggregated(json(#"[{"v":1},{"v":"2"}]"#), all) }
        == "'v' of the item at index 1: a text, where a number is summed")
    #expect(
      refusal { try aggregated(json(#"[{"v":1e999999999999999999999}]"#), all) }
        == "'v' of the item at index 0: a number with digits above 10^1024 or below 10^-1024 can't be summed")
    #expect(
      refusal { try aggregated(json(#"[{"v":1e-1025}]"#), all) }
        == "'v' of the item at index 0: a number with digits above 10^1024 or below 10^-1024 can't be summed")
    #expect(refusal { try aggregated(json("{}"), all) } == "an object, where a list is expected")
    #expect(
      refusal { try aggregated(.null, by: [path("n")], all) } == "'n': two fields of this name")
  }

  @Test(arguments: 0..<40)
  func `random sums of machine numbers`(seed: Int) throws {
    var generator = Seeded(UInt64(seed + 40_000))
    var texts: [String] = []
    var sums: [Int: Int] = [:]
    var order: [Int] = []
    for _ in 0..<200 {
      let (key, value) = (generator.below(5), generator.below(2_000_001) - 1_000_000)
      if sums[key] == nil { order.append(key) }
      sums[key, default: 0] += value
      let digits = String(value.magnitude)
      let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      let decimal = (value < 0 ? "-" : "") + padded.dropLast(3) + "." + padded.suffix(3)
      texts.append(#"{"k":\#(key),"v":\#(generator.pick([decimal, "\(value)e-3", decimal + "00"]))}"#)
    }
    let list = try Value.parse("[" + texts.joined(separator: ",") + "]")
    let result = try aggregated(list, by: [path("k")], [Aggregate(name: "s", .sum(path("v")))])
    #expect(result.items.compactMap { $0["k"]?.int64 } == order.map { Int64($0) })
    for row in result.items {
      let key = Int(row["k"]?.int64 ?? -1)
      #expect(row["s"] == json("\(sums[key] ?? 0)e-3"))
    }
  }

  @Test(arguments: 0..<40)
  func `random smallest and largest values`(seed: Int) throws {
    var generator = Seeded(UInt64(seed + 50_000))
    let list = try generator.records(["k", "v"], count: generator.pick([0, 1, 16, 17, 100]))
    let result = try aggregated(list, by: [path("k")], [all[0], all[2], all[3]])
    for (group, row) in zip(try grouped(list, by: [path("k")]).items, result.items) {
      let items = group["items"]?.items ?? []
      let values = items.compactMap { path("v").key(of: $0) }
      var (smallest, largest) = (Value.null, Value.null)
      for value in values {
        if smallest.isNull || Value.compare(value, smallest) < 0 { smallest = value }
        if largest.isNull || Value.compare(value, largest) > 0 { largest = value }
      }
      let expected = Value.object([
        ("k", group["key"] ?? .null), ("n", Value(items.count)), ("min", smallest), ("max", largest),
      ])
      #expect(row.description == expected.description)
    }
    #expect(result.count == (try distinct(list, by: [path("k")]).count))
  }
}
