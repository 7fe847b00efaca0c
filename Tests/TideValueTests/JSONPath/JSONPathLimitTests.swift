import Testing

@testable import TideValue

@Suite struct JSONPathLimitTests {
  private func nodes(_ path: String, in value: Value, steps: Int = 1_000_000, nodes: Int = 1_000_000) throws -> Int {
    var parser = JSONPathParser(path)
    return try parser.parse().nodes(in: value, limit: JSONPathSearch.Limit(steps: steps, nodes: nodes)).count
  }

  private func refusal(_ body: () throws -> Int) -> String? {
    do {
      _ = try body()
      return nil
    } catch let error as JSONPathSearch.Exceeded {
      return error.message
    } catch {
      return "\(error)"
    }
  }

  private func nested(_ depth: Int) throws -> Value {
    try Value.parse(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
  }

  @Test func `nested descents multiply, and end with an error`() throws {
    let value = try nested(200)
    // 199 lists lie within, then each again within all above it.
    #expect(try nodes("$..*", in: value) == 199)
    #expect(try nodes("$..*..*", in: value) == 199 * 198 / 2)
    #expect(
      refusal { try nodes("$..*..*..*", in: value, nodes: 100_000) }
        == "finds more than 100,000 values, which is the limit")
    #expect(
      refusal { try nodes("$..*..*..*..*..*", in: value, nodes: .max) }
        == "takes more than 1,000,000 steps, which is the limit")
  }

  @Test func `a limit is what may be reached`() throws {
    let value = try Value.parse("[1,2,3]")
    #expect(try nodes("$[*]", in: value, steps: 1, nodes: 3) == 3)
    #expect(refusal { try nodes("$[*]", in: value, nodes: 2) } == "finds more than 2 values, which is the limit")
    #expect(refusal { try nodes("$[*]", in: value, steps: 0) } == "takes more than 0 steps, which is the limit")
    #expect(refusal { try nodes("$[0,1,2]", in: value, nodes: 2) } == "finds more than 2 values, which is the limit")
    #expect(refusal { try nodes("$[::2]", in: value, nodes: 1) } == "finds more than 1 values, which is the limit")
  }

  @Test func `what a filter looks at counts`() throws {
    let value = try Value.parse("[" + Array(repeating: "1", count: 1_000).joined(separator: ",") + "]")
    // Each item is held against all: with its own and the list's text, more than a thousand steps an item.
    #expect(
      refusal { try nodes("$[?count($..*) > 5]", in: value, steps: 500_000) }
        == "takes more than 500,000 steps, which is the limit")
    #expect(
      refusal { try nodes("$[?@ == 1]", in: value, steps: 500) } == "takes more than 500 steps, which is the limit")
    #expect(try nodes("$[?@ == 1]", in: value, steps: 5_000) == 1_000)
  }

  @Test func `long text counts by its length`() throws {
    let value = try Value.parse("{\"a\":\"" + String(repeating: "x", count: 25_600) + "\"}")
    #expect(refusal { try nodes("$..a", in: value, steps: 100) } == "takes more than 100 steps, which is the limit")
    #expect(try nodes("$..a", in: value, steps: 1_000) == 1)
  }

  @Test func `a search beyond the limit is an error of whatever follows the path`() throws {
    let value = try nested(200)
    let path = try Path("$..*..*..*..*", limit: JSONPathSearch.Limit(nodes: 20_000))
    let message = "finds more than 20,000 values, which is the limit"
    #expect(throws: PathLimitError(path: "$..*..*..*..*", message: message)) { try path.find(in: value) }
    let place = DataError(.size, item: 0, path: "$..*..*..*..*", message)
    let list = Value.array([value])
    #expect(throws: place) { try sorted(list, by: [SortKey(path: path)]) }
    #expect(throws: place) { try distinct(list, by: [path]) }
    #expect(throws: place) { try filtered(list, where: [Requirement(path: path, test: .exists(true))]) }
  }

  @Test func `a key that finds several values sorts by the list of them`() throws {
    let list = try Value.parse(#"[{"a":[2]},{"a":[1,9]},{"a":[]},{"a":[1]}]"#)
    #expect(
      try sorted(list, by: [SortKey("$.a[*]")]).description == #"[{"a":[]},{"a":[1]},{"a":[1,9]},{"a":[2]}]"#)
  }
}
