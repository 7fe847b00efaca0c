import TideValue

extension Duration {
  /// A length of time as scripts and options write it: `"500ms"`, `"5s"`, `"1.5s"`, `"2m"`, `"1h"`, `"1d"`, or
  /// a bare number of seconds. Nil for anything else, a negative length, and more than 100 years.
  public init?(text: String) {
    let units: [(suffix: String, nanoseconds: Double)] = [
      ("ms", 1e6), ("us", 1e3), ("s", 1e9), ("m", 60e9), ("h", 3600e9), ("d", 86400e9), ("", 1e9),
    ]
    for unit in units where text.hasSuffix(unit.suffix) {
      let digits = text.dropLast(unit.suffix.count)
      guard let first = digits.utf8.first, (0x30...0x39).contains(first) else { return nil }
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }) else { return nil }
      guard let number = Double(digits) else { return nil }
      self.init(nanoseconds: number * unit.nanoseconds)
      return
    }
    return nil
  }

  /// A text, or a number of seconds.
  public init?(_ value: Value) {
    switch value.kind {
    case .string: self.init(text: value.string ?? "")
    case .number: self.init(nanoseconds: (value.double ?? -1) * 1e9)
    default: return nil
    }
  }

  private init?(nanoseconds: Double) {
    guard nanoseconds >= 0, nanoseconds <= 100 * 365.25 * 86400e9 else { return nil }
    self = .nanoseconds(Int64(nanoseconds.rounded()))
  }

  /// In milliseconds, for reports.
  public var milliseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
  }

  /// As a person reads it: `1.5s`, `20ms`.
  public var readable: String {
    let milliseconds = self.milliseconds
    if milliseconds < 1000 { return "\(Duration.shortest(milliseconds, digits: 10))ms" }
    return "\(Duration.shortest(milliseconds / 1000, digits: 100))s"
  }

  /// Rounded to a tenth, a hundredth and so on, without a useless fraction.
  private static func shortest(_ number: Double, digits: Double) -> String {
    let rounded = (number * digits).rounded() / digits
    return Int64(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
  }
}
