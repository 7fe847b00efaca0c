/// A moment to any precision: whole seconds since 1970 (UTC), and the digits of the fraction.
struct Moment {
  let seconds: Int64
  /// ASCII digits after the point, without zeros at the end.
  let fraction: UnsafeBufferPointer<UInt8>

  /// Reads RFC 3339, section 5.6, in either case, with 'T' or a space between date and time. A leap second counts as
  /// the second after it. Nil if it is none, or no such day exists.
  init?(rfc3339 text: UnsafeBufferPointer<UInt8>) {
    var reader = Reader(text)
    guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
      let day = reader.number(2), month >= 1, month <= 12, day >= 1, day <= Moment.days(of: month, in: year),
      reader.skip("T") || reader.skip("t") || reader.skip(" "),
      let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2), reader.skip(":"),
      let second = reader.number(2), hour < 24, minute < 60, second <= 60
    else { return nil }
    guard let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd else { return nil }
    let clock = (hour * 60 + minute) * 60 + second
    seconds = Moment.dayNumber(year, month, day) * 86_400 + clock - offset
    self.fraction = fraction
  }

  init(seconds: Int64, fraction: UnsafeBufferPointer<UInt8>) {
    self.seconds = seconds
    self.fraction = fraction
  }

  private static func days(of month: Int64, in year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970-01-01 in the Gregorian calendar.
  private static func dayNumber(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    // Years that begin in March put the leap day last; 400 added so that nothing is negative.
    let year = (month <= 2 ? year - 1 : year) + 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468 - 146_097
  }

  /// Reads a text from the left.
  private struct Reader {
    private let text: UnsafeBufferPointer<UInt8>
    private var place = 0

    init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    var isAtEnd: Bool { place == text.count }

    @inline(__always)
    mutating func number(_ digits: Int) -> Int64? {
      guard text.count - place >= digits else { return nil }
      var value: Int64 = 0
      for _ in 0..<digits {
        guard NumberText.isDigit(text[place]) else { return nil }
        value = value * 10 + Int64(text[place] & 0xF)
        place += 1
      }
      return value
    }

    @inline(__always)
    mutating func skip(_ letter: Unicode.Scalar) -> Bool {
      guard place < text.count, text[place] == UInt8(ascii: letter) else { return false }
      place += 1
      return true
    }

    /// The digits after a point, if there is one; nil if there is a point and no digit.
    mutating func fraction() -> UnsafeBufferPointer<UInt8>? {
      guard skip(".") else { return UnsafeBufferPointer(rebasing: text[place..<place]) }
      let start = place
      while place < text.count, NumberText.isDigit(text[place]) { place += 1 }
      guard place > start else { return nil }
      var end = place
      while end > start, text[end - 1] == UInt8(ascii: "0") { end -= 1 }
      return UnsafeBufferPointer(rebasing: text[start..<end])
    }

    /// Seconds east of UTC.
    mutating func offset() -> Int64? {
      if skip("Z") || skip("z") { return 0 }
      let isWest = skip("-")
      guard isWest || skip("+"), let hour = number(2), skip(":"), let minute = number(2), hour < 24, minute < 60
      else { return nil }
      return (hour * 60 + minute) * (isWest ? -60 : 60)
    }
  }
}
