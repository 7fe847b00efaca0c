/// The 64 bits that stand for a key as far as they go.
enum SortPrefix {
  /// Seven bytes of a text from `skip` on, and in the lowest byte how many there are: 8 if the text goes on.
  @inline(__always)
  static func text(_ text: UnsafeBufferPointer<UInt8>, skip: Int) -> UInt64 {
    guard let start = text.baseAddress, skip < text.count else { return 0 }
    let left = text.count - skip
    if left >= 8 { return Word.load(start + skip).byteSwapped & ~0xFF | 8 }
    var prefix: UInt64 = 0
    for index in 0..<left { prefix |= UInt64(start[skip + index]) << UInt64(56 - 8 * index) }
    return prefix | UInt64(left)
  }

  static func textGoesOn(_ prefix: UInt64) -> Bool { prefix & 0xFF == 8 }

  private static let places = 15
  private static let exponentLimit = 2_047

  /// A number: its sign, 12 bits of the exponent, 15 digits, and in the lowest bit whether that is not all of it.
  static func number(_ decimal: Decimal) -> UInt64 {
    if decimal.isZero { return zero }
    let (exponent, isExact) = decimal.exponent(within: exponentLimit)
    var digits = decimal.digits
    var mantissa: UInt64 = 0
    for _ in 0..<places { mantissa = mantissa * 10 + UInt64(digits.next() ?? 0) }
    let goesOn = !isExact || digits.next() != nil
    if !isExact { mantissa = exponent < 0 ? 0 : 999_999_999_999_999 }
    return pack(decimal.isNegative, exponent, mantissa, goesOn)
  }

  private static let zero: UInt64 = 1 << 63

  @inline(__always)
  private static func pack(_ isNegative: Bool, _ exponent: Int, _ mantissa: UInt64, _ goesOn: Bool) -> UInt64 {
    let size = UInt64(exponent + exponentLimit) << 51 | mantissa << 1 | (goesOn ? 1 : 0)
    // Sizes are below 2^63 - 2, and the lowest bit is the same in either sum.
    return isNegative ? zero - 2 - size : zero + 2 + size
  }

  /// The same for a number that is written with up to 15 digits, the first of them not 0, and no exponent; nil for any
  /// other.
  @inline(__always)
  static func shortNumber(_ text: UnsafeBufferPointer<UInt8>) -> UInt64? {
    guard var p = text.baseAddress else { return nil }
    let end = p + text.count
    let isNegative = p.pointee == UInt8(ascii: "-")
    if isNegative { p += 1 }
    guard end - p <= places + 1 else { return nil }
    if p.pointee == UInt8(ascii: "0") { return end - p == 1 ? zero : nil }
    let start = p
    var point = end
    var value: UInt64 = 0
    while p < end {
      if NumberText.isDigit(p.pointee) {
        value = value * 10 + UInt64(p.pointee & 0xF)
      } else if p.pointee == UInt8(ascii: ".") {
        point = p
      } else {
        return nil
      }
      p += 1
    }
    let digits = end - start - (point == end ? 0 : 1)
    guard digits <= places else { return nil }
    for _ in digits..<places { value *= 10 }
    return pack(isNegative, point - start, value, false)
  }

  static func numberGoesOn(_ prefix: UInt64) -> Bool { prefix & 1 == 1 }
}
