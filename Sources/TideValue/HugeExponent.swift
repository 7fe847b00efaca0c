/// The exponent as a number's text has it.
struct WrittenExponent {
  let isNegative: Bool
  /// Its digits without leading zeros.
  let digits: UnsafeBufferPointer<UInt8>

  /// Reads what follows the mantissa: nothing, or an 'e', a sign perhaps, and digits.
  init(_ p: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) {
    var p = p
    var isNegative = false
    if p < end {
      p += 1
      isNegative = p.pointee == UInt8(ascii: "-")
      if isNegative || p.pointee == UInt8(ascii: "+") { p += 1 }
      while p < end, p.pointee == UInt8(ascii: "0") { p += 1 }
    }
    self.isNegative = isNegative
    digits = UnsafeBufferPointer(start: p, count: end - p)
  }

  /// Nil if it has more than 18 digits.
  var value: Int? {
    guard digits.count <= 18 else { return nil }
    let size = digits.reduce(0) { $0 * 10 + Int($1 & 0xF) }
    return isNegative ? -size : size
  }
}

/// An exponent of any length, for numbers that no machine type can scale (1e999999999999999999).
struct HugeExponent {
  let isNegative: Bool
  /// From the lowest digit up, without zeros above the highest.
  private let digits: [UInt8]

  init(_ value: Int) {
    isNegative = value < 0
    digits = HugeExponent.digits(of: value.magnitude)
  }

  /// `written` has more than 18 digits and so is larger than any `scale`, which counts bytes of a text.
  init(_ written: WrittenExponent, plus scale: Int) {
    isNegative = written.isNegative
    let grows = written.isNegative == (scale < 0)
    var digits = written.digits.reversed().map { $0 & 0xF }
    let other = HugeExponent.digits(of: scale.magnitude)
    var carry = 0
    for index in digits.indices {
      let part = (index < other.count ? Int(other[index]) : 0) + carry
      if part == 0, index >= other.count { break }
      let sum = grows ? Int(digits[index]) + part : Int(digits[index]) - part
      carry = sum > 9 || sum < 0 ? 1 : 0
      digits[index] = UInt8(grows ? sum - carry * 10 : sum + carry * 10)
    }
    if grows, carry == 1 { digits.append(1) }
    while digits.last == 0 { digits.removeLast() }
    self.digits = digits
  }

  var description: String {
    (isNegative ? "-" : "") + String(decoding: digits.reversed().map { $0 + 0x30 }, as: UTF8.self)
  }

  func order(against other: HugeExponent) -> Int {
    if isNegative != other.isNegative { return isNegative ? -1 : 1 }
    let order = orderOfSizes(other)
    return isNegative ? -order : order
  }

  private func orderOfSizes(_ other: HugeExponent) -> Int {
    if digits.count != other.digits.count { return digits.count < other.digits.count ? -1 : 1 }
    for (a, b) in zip(digits.reversed(), other.digits.reversed()) where a != b { return a < b ? -1 : 1 }
    return 0
  }

  private static func digits(of value: UInt) -> [UInt8] {
    var digits: [UInt8] = []
    var rest = value
    while rest > 0 {
      digits.append(UInt8(rest % 10))
      rest /= 10
    }
    return digits
  }
}
