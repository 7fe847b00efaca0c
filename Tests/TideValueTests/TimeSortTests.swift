import Testing

@testable import TideValue

@Suite struct TimeSortTests {
  private func order(_ json: String, _ text: String = "$") throws -> String {
    var key = try SortKey(text)
    key.kind = .time
    return try sorted(try Value.parse(json), by: [key]).description
  }

  private func seconds(_ text: String) -> Int64? {
    var text = text
    return text.withUTF8 { Moment(rfc3339: $0)?.seconds }
  }

  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("1970-01-01t00:00:00z", 0), ("1970-01-01 00:00:00+00:00", 0),
      ("2000-03-01T00:00:00Z", 951_868_800), ("2000-02-29T23:59:59Z", 951_868_799), ("1969-12-31T23:59:59Z", -1),
      ("1985-04-12T23:20:50.52Z", 482_196_050), ("1996-12-19T16:39:57-08:00", 851_042_397),
      ("1990-12-31T23:59:60Z", 662_688_000), ("0000-01-01T00:00:00Z", -62_167_219_200),
      ("9999-12-31T23:59:59-23:59", 253_402_387_139), ("1937-01-01T12:00:27.87+00:20", -1_041_337_173),
    ] as [(String, Int64)])
  func `an RFC 3339 time is read`(text: String, expected: Int64) {
    #expect(seconds(text) == expected)
  }

  @Test(arguments: [
    "", "2024", "2024-01-01", "2024-01-01T00:00:00", "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z",
    "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2024-04-31T00:00:00Z", "2024-01-00T00:00:00Z",
    "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z", "2024-01-01T00:00:61Z", "2024-01-01T00:00:00.Z",
    "2024-01-01T00:00:00+24:00", "2024-01-01T00:00:00+01", "2024-01-01T00:00:00Zx", "2024-1-01T00:00:00Z",
    " 2024-01-01T00:00:00Z", "+024-01-01T00:00:00Z", "2024-01-01T00:00:00,5Z",
  ])
  func `what is no RFC 3339 time is none`(text: String) {
    #expect(seconds(text) == nil)
  }

  @Test func `offsets and letters of either case do not matter`() throws {
    #expect(
      try order(#"["2024-01-01T10:00:00+02:00","2024-01-01t07:30:00z","2024-01-01T08:00:00Z"]"#)
        == #"["2024-01-01t07:30:00z","2024-01-01T10:00:00+02:00","2024-01-01T08:00:00Z"]"#)
  }

  @Test func `fractions count to any precision`() throws {
    let base = "2024-01-01T00:00:00"
    let fractions = [
      "", ".00000001", ".0000001", ".00000010000000000000000000001", ".0000002", ".1", ".10000001", ".100000011", ".9",
    ]
    let expected = "[" + fractions.map { "\"\(base)\($0)Z\"" }.joined(separator: ",") + "]"
    let reversed = "[" + fractions.reversed().map { "\"\(base)\($0)Z\"" }.joined(separator: ",") + "]"
    #expect(try order(reversed) == expected)
    #expect(try order(expected, "-$") == reversed)
    #expect(try order("[\"\(base).50Z\",\"\(base).5Z\"]") == "[\"\(base).50Z\",\"\(base).5Z\"]")
  }

  @Test func `numbers are seconds, milliseconds or microseconds by their size`() throws {
    let expected =
      #"[-1e11,"1969-12-31T23:59:59Z",-0.5,0,0.25,1,1704067199999,"2024-01-01T00:00:00Z",1704067200.5,"#
      + #"1704067200500001,1704067200501,99999999999]"#
    let mixed =
      #"[1704067200501,1704067200500001,0.25,99999999999,1,"2024-01-01T00:00:00Z",-0.5,1704067200.5,0,"#
      + #""1969-12-31T23:59:59Z",1704067199999,-1e11]"#
    // -1e11 is 12 digits: milliseconds, in 1966.
    #expect(try order(mixed) == expected)
  }

  @Test func `numbers with long fractions and huge exponents neither hang nor round`() throws {
    #expect(
      try order("[1e-999999999999999999999,2e-20,1e-20,-1e-20,-2e-20,0]")
        == "[-2e-20,-1e-20,1e-999999999999999999999,0,1e-20,2e-20]")
    #expect(try order("[1e999999999999999999999,1]") == "[1,1e999999999999999999999]")
  }
}
