/// The value of a `Retry-After` header: a number of seconds, or a date (RFC 9110 section 10.2.3).
public enum RetryAfter {
  /// How long to wait.
  ///
  /// - Parameter now: nanoseconds since 1970. A date that is past is no wait.
  /// - Returns: nil for a text that is neither of the two.
  public static func delay(_ text: String, now: Int64) -> Duration? {
    let bytes = Array(Array(text.utf8).trimmed)
    guard let first = bytes.first else { return nil }
    if first.isDigit {
      guard bytes.allSatisfy(\.isDigit) else { return nil }
      // So long that nobody waits for it: the exact number does not matter.
      guard bytes.count < 10, let seconds = Int64(String(decoding: bytes, as: UTF8.self)) else {
        return .seconds(1 << 31)
      }
      return .seconds(seconds)
    }
    guard let date = HTTPDate.seconds(bytes) else { return nil }
    let (whole, part) = now.quotientAndRemainder(dividingBy: 1_000_000_000)
    return max(.zero, .seconds(date - whole) - .nanoseconds(part))
  }
}

/// Dates of HTTP, in the form of today and in the two that are obsolete (RFC 9110 section 5.6.7).
enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Seconds since 1970.
  static func seconds(_ text: [UInt8]) -> Int64? {
    let words = text.split { $0 == 0x20 || $0 == 0x2C || $0 == 0x2D }.map { String(decoding: $0, as: UTF8.self) }
    switch words.count {
    // Sun, 06 Nov 1994 08:49:37 GMT; Sunday, 06-Nov-94 08:49:37 GMT
    case 6 where words[5] == "GMT": return seconds(year: words[3], month: words[2], day: words[1], time: words[4])
    // Sun Nov  6 08:49:37 1994
    case 5: return seconds(year: words[4], month: words[1], day: words[2], time: words[3])
    default: return nil
    }
  }

  private static func seconds(year: String, month: String, day: String, time: String) -> Int64? {
    let parts = time.split(separator: ":", omittingEmptySubsequences: false).map { number($0, digits: 2...2) }
    guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
      hour < 24, minute < 60, second <= 60,
      let index = months.firstIndex(of: month), let day = number(day[...], digits: 1...2), (1...31).contains(day),
      let written = number(year[...], digits: 2...4), year.utf8.count != 3
    else { return nil }
    // Of two digits the century is the one that is nearest; nobody writes this form any more.
    let full = year.utf8.count == 2 ? written + (written < 70 ? 2000 : 1900) : written
    return days(year: full, month: Int64(index + 1), day: day) * 86400 + hour * 3600 + minute * 60 + second
  }

  private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int64? {
    guard digits.contains(text.utf8.count), text.utf8.allSatisfy(\.isDigit) else { return nil }
    return Int64(text)
  }

  /// Days since 1970 in the Gregorian calendar, counted in years that begin with March.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month > 2 ? year : year - 1
    let sinceMarch = (month + 9) % 12
    let dayOfYear = (153 * sinceMarch + 2) / 5 + day - 1
    return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
  }
}

extension [UInt8] {
  fileprivate var trimmed: ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
      return []
    }
    return self[first...last]
  }
}
