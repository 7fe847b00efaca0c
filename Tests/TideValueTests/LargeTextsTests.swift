import Testing

@testable import TideValue

/// Paths over objects with large parts, whose ends are known since the text was parsed.
@Suite struct LargeTextsTests {
  private let long = "[" + Array(repeating: #"{"id":1,"t":"]}"}"#, count: 5_000).joined(separator: ", ") + "]"

  @Test func `fields behind, before and inside of large ones are found`() throws {
    let text = """
      {"a": 1, "data": {"first": [], "relation": \(long), "next": {"x": 2}, "deep": {"list": \(long), "y": [3]}}, "b": 4,
      "a": [\(long), 5]}
      """
    let value = try Value.parse(text)
    #expect(value.buffer.large != nil)
    #expect(value["b"]?.int64 == 4)
    #expect(value["a"]?.count == 2)
    #expect(value["a"]?[1]?.int64 == 5)
    #expect(value["data"]?["next"]?["x"]?.int64 == 2)
    #expect(value["data"]?["relation"]?.count == 5_000)
    #expect(value["data"]?["relation"]?[4_999]?["t"]?.string == "]}")
    #expect(try path("data.deep.y").find(in: value)?.description == "[3]")
    #expect(try path("data.deep.list").find(in: value) == Value.parse(long))
    #expect(try path("data.none").find(in: value) == nil)
    #expect(value["data"]?.fields.map(\.key) == ["first", "relation", "next", "deep"])
    #expect(value.json(.verbatim) == Array(text.utf8))
    #expect(value.detached()["b"]?.int64 == 4)
    #expect(value["data"]?["next"]?.detached().description == #"{"x":2}"#)
  }

  @Test func `what is small, or too deep to be looked at, is found by walking`() throws {
    #expect(try Value.parse(#"{"a":[1]}"#).buffer.large == nil)
    var (text, steps) = ("{\"x\":\(long),\"y\":7}", "y")
    for _ in 0..<20 { (text, steps) = ("{\"p\":\(text)}", "p.\(steps)") }
    let value = try Value.parse(text)
    #expect(try path(steps).find(in: value)?.int64 == 7)
  }

  @Test func `a value outlives the buffer that it was parsed from`() throws {
    func part() throws -> Value? { try Value.parse("{\"x\":\(long),\"y\":[7]}")["y"] }
    #expect(try part()?.description == "[7]")
  }
}
