import Testing
import TideValue

@testable import TideGraph

struct DurationTests {
  @Test(arguments: [
    ("500ms", Duration.milliseconds(500)), ("5s", .seconds(5)), ("1.5s", .milliseconds(1500)), ("2m", .seconds(120)),
    ("1h", .seconds(3600)), ("1d", .seconds(86400)), ("7us", .microseconds(7)), ("3", .seconds(3)),
    ("0", .zero), ("0.001", .milliseconds(1)), ("36525d", .seconds(36525 * 86400)),
  ])
  func `a length of time is read`(text: String, expected: Duration) {
    #expect(Duration(text: text) == expected)
  }

  @Test(arguments: [
    "", "s", "ms", "-1s", "+1s", ".5s", "1.2.3s", "1e3s", "1 s", " 1s", "1s ", "1w", "5S", "inf", "nan", "0x10", "١s",
    "36526d",
    "99999999999999999999999999999999s", "1s\u{301}",
  ])
  func `what is none is not`(text: String) {
    #expect(Duration(text: text) == nil)
  }

  @Test(arguments: [("2", Duration.seconds(2)), ("0.5", .milliseconds(500)), ("\"2m\"", .seconds(120))])
  func `a value is seconds or a text`(json: String, expected: Duration) throws {
    #expect(Duration(try value(json)) == expected)
  }

  @Test(arguments: ["-1", "1e300", "1e400", "null", "true", "[]", "{}", "\"\""])
  func `no other value is`(json: String) throws {
    #expect(Duration(try value(json)) == nil)
  }

  @Test(arguments: [
    (Duration.milliseconds(20), "20ms"), (.microseconds(1500), "1.5ms"), (.seconds(5), "5s"),
    (.milliseconds(1500), "1.5s"), (.milliseconds(61_234), "61.23s"), (.zero, "0ms"), (.milliseconds(-5), "-5ms"),
    (.seconds(Int64.max), "9.223372036854776e+18s"), (.seconds(Int64.min), "-9.223372036854776e+21ms"),
  ])
  func `a length of time is shown short`(duration: Duration, expected: String) {
    #expect(duration.readable == expected)
  }
}
