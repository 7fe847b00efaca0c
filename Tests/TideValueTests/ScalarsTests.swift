import Testing

@testable import TideValue

@Suite struct ScalarsTests {
  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("0.0", 0), ("0e5", 0), ("2", 2), ("2.0", 2), ("2e0", 2), ("0.2e1", 2), ("-120e-1", -12),
      ("9223372036854775807", .max), ("-9223372036854775808", .min), ("9223372036854775807.000", .max),
      ("1e18", 1_000_000_000_000_000_000), ("922337203685477580700e-2", .max), ("0.0000001e7", 1),
      ("2.5", nil), ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1e19", nil), ("1e400", nil),
      ("1e-1", nil), ("0.1", nil), ("1e999999999999999999999", nil), ("0e999999999999999999999", 0),
      ("1000000000000000000000e-999999999999999999999", nil), ("12345678901234567890", nil),
    ] as [(String, Int64?)])
  func `an integer is exact or none`(text: String, integer: Int64?) throws {
    #expect(try Value.parse(text).int64 == integer)
  }

  @Test(
    arguments: [
      ("0", 0), ("1.10", 1.1), ("-2.5e-3", -0.0025), ("123456789", 123_456_789),
      ("9007199254740993", 9_007_199_254_740_992),
      ("5e-324", .leastNonzeroMagnitude), ("1e308", 1e308), ("1e309", nil), ("-1e400", nil), ("1e-400", 0),
    ] as [(String, Double?)])
  func `a Double is the nearest or none`(text: String, double: Double?) throws {
    #expect(try Value.parse(text).double == double)
  }

  @Test func `minus zero stays minus zero`() throws {
    #expect(try Value.parse("-0").double?.sign == .minus)
    #expect(try Value.parse("0").double?.sign == .plus)
  }

  @Test(arguments: [
    (#""""#, ""), (#""plain""#, "plain"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    (#""\u0041\u00e9\u6f22""#, "Aé漢"),
    (#""\ud83d\ude00""#, "😀"), (#""\uD83D\uDE00!""#, "😀!"), (#""\ud800""#, "\u{FFFD}"), (#""\udc00x""#, "\u{FFFD}x"),
    (#""\ud800\ud83d\ude00""#, "\u{FFFD}😀"), (#""\ud800\n""#, "\u{FFFD}\n"), (#""\ud800\u0041""#, "\u{FFFD}A"),
    (#""\u0000""#, "\0"), (#""\\u0041""#, "\\u0041"), (#""\udbff\udfff""#, "\u{10FFFF}"),
  ])
  func `a text is decoded`(json: String, text: String) throws {
    let value = try Value.parse(json)
    #expect(value.string == text)
    #expect(value.utf8Text == Array(text.utf8))
    #expect(value.byteCount == text.utf8.count)
    #expect(value.json() == Array(json.utf8))
  }

  @Test func `asking for another kind gives nothing`() throws {
    let text = try Value.parse("\"1\"")
    #expect(text.int64 == nil && text.double == nil && text.numberText == nil && text.bool == nil)
    let number = Value(1)
    #expect(number.string == nil && number.utf8Text == nil && number.bool == nil && number.rawBytes == nil)
    #expect(number.double == 1 && number.numberText == "1" && number.int64 == 1)
    #expect(Value(true).bool == true && Value(false).bool == false && Value.null.bool == nil)
  }

  @Test func `byteCount is the length of the JSON`() throws {
    let values = [
      Value.null, Value(true), Value(false), Value(-12), try Value.parse("[1, 2]"), .array([Value(1), Value("é")]),
      .object([("a", .null)]), Value(numberText: "1.50") ?? .null,
    ]
    for value in values { #expect(value.byteCount == value.json(.verbatim).count) }
  }
}
