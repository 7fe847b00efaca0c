import Testing

@testable import TideValue

@Suite struct CompareTests {
  /// Each comes before the next.
  private static let ladder = [
    "null", "false", "true", "-1e999999999999999999999", "-1e400", "-10", "-9.5", "-1e-400", "0", "1e-400", "0.1",
    "0.11",
    "2", "2.000000000000000000000000000001", "9007199254740992", "9007199254740993", "1e399", "1e400", "1.5e400",
    "1e999999999999999999", "1e999999999999999999999", #""""#, #""\u0000""#, #""A""#, #""a""#, #""a\u0000""#, #""ab""#,
    #""b""#,
    #""é""#, #""\ufb00""#, #""😀""#, "[]", "[null]", "[1]", "[1,1]", "[2]", "[[]]", "{}", #"{"a":1}"#, #"{"a":2}"#,
    #"{"a":0,"b":0}"#, #"{"b":0}"#,
  ]

  @Test func `the order is total over all kinds`() throws {
    let values = try CompareTests.ladder.map { try Value.parse($0) } + [Value(bytes: Buffer(copying: [0]))]
    for (i, left) in values.enumerated() {
      for (j, right) in values.enumerated() {
        #expect(Value.compare(left, right) == (i - j).signum(), "\(left) \(right)")
        #expect((left == right) == (i == j))
      }
    }
  }

  @Test(arguments: [
    ["2", "2.0", "2.00", "2e0", "20e-1", "0.2e1", "0.0002E+4"], ["0", "-0", "0.0", "-0e5", "0e999999999999999999999"],
    ["1e400", "10e399", "0.1e401", "1000e397"], ["-1.5", "-15e-1", "-1.50"],
    ["1e1000000000000000000", "10e999999999999999999", "0.1e1000000000000000001", "100e0999999999999999998"],
    ["1e-1000000000000000000", "0.1e-999999999999999999", "0.01e-999999999999999998", "10e-1000000000000000001"],
    ["1e10000000000000000000000", "1000e9999999999999999999997", "0.001e10000000000000000000003"],
  ])
  func `numbers are equal by their exact value`(texts: [String]) throws {
    for left in texts {
      for right in texts { #expect(try Value.parse(left) == Value.parse(right), "\(left) \(right)") }
    }
  }

  @Test func `inline integers and texts of numbers compare alike`() throws {
    for number in [Int64.min, -1, 0, 1, 1_000_000, .max] {
      #expect(try Value.parse(String(number)) == Value(number))
      #expect(try Value.parse("\(number).5") != Value(number))
    }
    #expect(Value(Int64.max) != Value(9.223372036854775807e18))
  }

  @Test func `objects are equal in any order, by their last fields`() throws {
    #expect(try Value.parse(#"{"a":1,"b":[2]}"#) == Value.parse(#"{ "b" : [2.0], "a" : 1 }"#))
    #expect(try Value.parse(#"{"a":1,"a":2}"#) == Value.parse(#"{"a":2}"#))
    #expect(try Value.parse(#"{"\u0061":2}"#) == Value.object([("a", Value(2))]))
    #expect(try Value.parse(#"{"a":null}"#) != Value.parse("{}"))
    #expect(try Value.parse("[1,2]") != Value.parse("[2,1]"))
    #expect(try Value.parse("[]") != Value.parse("{}"))
    #expect(try Value.parse("1") != Value.parse("\"1\""))
    #expect(Value("é") == (try Value.parse(#""\u00e9""#)))
    #expect(Value("é") != Value("e\u{301}"))
  }

  /// Numbers within ±20 places of the point, as whole numbers of 10^-20: exact by construction.
  @Test func `random decimals compare as scaled integers do`() throws {
    var generator = Seeded(7)
    func make() -> (text: String, digits: [Int], negative: Bool) {
      let whole = generator.below(4) == 0 ? 0 : generator.below(1_000)
      let places = generator.below(6)
      let fraction = (0..<places).map { _ in generator.pick([0, 0, 1, 9]) }
      let shift = generator.below(13) - 6
      let negative = generator.below(2) == 0
      var text = (negative ? "-" : "") + String(whole)
      if places > 0 { text += "." + fraction.map { String($0) }.joined() }
      if shift != 0 || generator.below(3) == 0 { text += "e\(shift)" }
      // 40 digits with the point after the 20th.
      let all = String(whole).compactMap { $0.wholeNumberValue } + fraction
      var digits = [Int](repeating: 0, count: 40)
      let first = 20 - String(whole).count - shift
      for (index, digit) in all.enumerated() { digits[first + index] = digit }
      return (text, digits, negative && digits.contains { $0 != 0 })
    }
    for _ in 0..<20_000 {
      let (a, b) = (make(), make())
      let size = a.digits == b.digits ? 0 : a.digits.lexicographicallyPrecedes(b.digits) ? -1 : 1
      let expected = a.negative != b.negative ? (a.negative ? -1 : 1) : a.negative ? -size : size
      let (left, right) = (try Value.parse(a.text), try Value.parse(b.text))
      #expect(Value.compare(left, right) == expected, "\(a.text) \(b.text)")
      let byKey = try sorted(.array([left, right]), by: [SortKey("$")])
      #expect(byKey[0]?.numberText == (expected <= 0 ? a.text : b.text), "\(a.text) \(b.text)")
    }
  }

  @Test(arguments: 0..<10)
  func `equality and order agree for random documents`(seed: Int) throws {
    var generator = Seeded(UInt64(seed + 2_000))
    let values = try (0..<40).map { _ in try Value.parse(generator.json(3)) }
    for a in values {
      #expect(a == a)
      #expect(try Value.parse(Buffer(copying: a.json(.pretty))) == a)
      for b in values {
        #expect(Value.compare(a, b) == -Value.compare(b, a))
        for c in values.prefix(10) where Value.compare(a, b) <= 0 && Value.compare(b, c) <= 0 {
          #expect(Value.compare(a, c) <= 0)
        }
      }
    }
  }
}
