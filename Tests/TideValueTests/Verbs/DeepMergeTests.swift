import Testing

@testable import TideValue

@Suite struct DeepMergeTests {
  private let one = json(#"{"a":1,"o":{"x":[1],"n":{"p":1}}}"#)
  private let two = json(#"{"b":2,"o":{"n":{"q":2},"x":[2, 3]}}"#)

  @Test func `objects are merged at every depth`() throws {
    #expect(
      try deepMerged([one, json(#"{"o":{"n":{"q":2}},"c":null}"#), .null]).description
        == #"{"a":1,"o":{"x":[1],"n":{"p":1,"q":2}},"c":null}"#)
    #expect(try deepMerged([]).description == "{}")
    #expect(try deepMerged([.null, json("{}")]).description == "{}")
    #expect(try deepMerged([json(#"{"a":1,"\u0061":2}"#)]).description == #"{"a":2}"#)
  }

  @Test func `two values under one name are what the collision says`() throws {
    func merged(_ collision: Collision) throws -> String? {
      try deepMerged([one, two], collision: collision)["o"]?["x"]?.description
    }
    #expect(try merged(.first) == "[1]")
    #expect(try merged(.last) == "[2,3]")
    #expect(try merged(.list) == "[[1],[2,3]]")
    #expect(try merged(.concat) == "[1,2,3]")
    #expect(
      refusal { try deepMerged([one, two]) }
        == "'o.x' of the input at index 1: stands in the input at index 0 too (a list and a list)")
    #expect(
      refusal { try deepMerged([.null, one, json(#"{"a":{}}"#)], collision: .concat) }
        == "'a' of the input at index 2: stands in the input at index 1 too (a number and an object)")
    #expect(
      try deepMerged([one, json(#"{"a":{}}"#), json(#"{"a":1}"#)], collision: .list)["a"]?.description == "[1,{},1]")
    #expect(refusal { try deepMerged([json(#"{"a":1}"#), json(#"{"a":1}"#)]) } != nil)
  }

  @Test func `what is no object is named`() {
    #expect(
      refusal { try deepMerged([one, json("[]")]) } == "the input at index 1: a list, where an object is expected")
  }

  @Test func `deep objects are merged without recursion`() throws {
    var (left, right) = (Value.object([("l", Value(1))]), Value.object([("r", Value(2))]))
    for _ in 0..<20_000 { (left, right) = (.object([("o", left)]), .object([("o", right)])) }
    let merged = try deepMerged([left, right])
    #expect(merged.json().count == left.json().count + 6)
  }

  private func plain(_ left: Value, _ right: Value, _ collision: Collision) -> Value {
    var fields = left.fields
    for field in right.fields {
      guard let place = fields.firstIndex(where: { $0.key == field.key }) else {
        fields.append(field)
        continue
      }
      let value = fields[place].value
      if value.kind == .object, field.value.kind == .object {
        fields[place].value = plain(value, field.value, collision)
      } else {
        fields[place].value =
          collision == .first ? value : collision == .last ? field.value : .array([value, field.value])
      }
    }
    return .object(fields)
  }

  @Test(arguments: 0..<60)
  func `random objects`(seed: Int) throws {
    var generator = Seeded(UInt64(seed + 70_000))
    func object(_ depth: Int) -> String {
      let fields = (0..<generator.below(5)).map { _ in
        let name = generator.pick(["a", "b", "c", "\\u0061", "dé"])
        return "\"\(name)\":\(depth > 0 && generator.below(2) == 0 ? object(depth - 1) : generator.key())"
      }
      return "{" + fields.joined(separator: ",") + "}"
    }
    let (left, right) = (json(object(3)), json(object(3)))
    for collision in [Collision.first, .last, .list] {
      // Compared by value: names keep the escapes of the text that they come from.
      #expect(try deepMerged([left, right], collision: collision) == plain(left, right, collision))
    }
  }
}
