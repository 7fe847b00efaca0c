/// A decimal number that fits into 64 bits and up to nine decimals.
struct ShortNumber {
  /// The number without its point.
  var value: Int64
  /// How many decimals it has.
  var scale: UInt8

  init(value: Int64, scale: UInt8) {
    self.value = value
    self.scale = scale
  }

  /// Reads a number without an exponent; nil if it is too long.
  @inline(__always)
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard var p = text.baseAddress, text.count <= 20 else { return nil }
    let end = p + text.count
    let isNegative = p.pointee == UInt8(ascii: "-")
    if isNegative { p += 1 }
    // Nineteen digits may not fit, eighteen do.
    guard end - p <= 18 else { return nil }
    var value: Int64 = 0
    var point = end
    while p < end {
      let byte = p.pointee
      p += 1
      if NumberText.isDigit(byte) {
        value = value &* 10 &+ Int64(byte & 0xF)
      } else if byte == UInt8(ascii: ".") {
        point = p
      } else {
        return nil
      }
    }
    guard end - point <= 9 else { return nil }
    self.value = isNegative ? -value : value
    scale = UInt8(end - point)
  }

  private static func power(_ exponent: UInt8) -> Int64 {
    var power: Int64 = 1
    for _ in 0..<exponent { power *= 10 }
    return power
  }

  /// The sum; nil if it doesn't fit.
  @inline(__always)
  func adding(_ other: ShortNumber) -> ShortNumber? {
    var (left, right) = (value, other.value)
    if scale != other.scale {
      let power = ShortNumber.power(max(scale, other.scale) - min(scale, other.scale))
      let (scaled, overflow) = (scale < other.scale ? left : right).multipliedReportingOverflow(by: power)
      if overflow { return nil }
      if scale < other.scale { left = scaled } else { right = scaled }
    }
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? nil : ShortNumber(value: sum, scale: max(scale, other.scale))
  }

  /// Calls `body` with the number as JSON, without zeros after the last decimal; nil if it takes an exponent.
  @inline(__always)
  func withText<R>(_ body: (Slice<UnsafeMutableBufferPointer<UInt8>>) -> R) -> R? {
    var (rest, decimals) = (value.magnitude, Int(scale))
    while decimals > 0, rest % 10 == 0 {
      rest /= 10
      decimals -= 1
    }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { text in
      var place = 32
      func put(_ byte: UInt8) {
        place -= 1
        text.initializeElement(at: place, to: byte)
      }
      var digits = 0
      // From the last digit on; at least one before the point.
      while rest > 0 || digits <= decimals {
        if rest == 0, decimals - digits >= 5 { return nil }
        if digits == decimals, decimals > 0 { put(UInt8(ascii: ".")) }
        put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
        rest /= 10
        digits += 1
      }
      if value < 0 { put(UInt8(ascii: "-")) }
      return body(text[place...])
    }
  }
}
