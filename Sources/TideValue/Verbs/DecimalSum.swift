/// The exact sum of decimal numbers.
///
/// As long as it fits, 64 bits and a number of decimals; then limbs of nine digits each. Numbers have their digits
/// between 10^1024 and 10^-1024.
struct DecimalSum {
  static let limit = 1_024

  private var value: Int64 = 0
  /// How many decimals `value` has.
  private var scale: UInt8 = 0
  /// What does not fit into `value`.
  private var wide: WideSum?

  /// Adds a number; false if it has digits beyond the limits.
  @inline(__always)
  mutating func add(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if let (value, scale) = DecimalSum.short(text), add(value, scale) { return true }
    return addWide(text)
  }

  private static let powers: [Int64] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
  ]

  /// A number of up to 18 digits, up to nine of them behind the point, and no exponent.
  @inline(__always)
  private static func short(_ text: UnsafeBufferPointer<UInt8>) -> (value: Int64, scale: UInt8)? {
    guard var p = text.baseAddress, text.count <= 20 else { return nil }
    let end = p + text.count
    let isNegative = p.pointee == UInt8(ascii: "-")
    if isNegative { p += 1 }
    var value: Int64 = 0
    var point: UnsafePointer<UInt8>?
    if end - p > 19 { return nil }
    while p < end {
      let byte = p.pointee
      p += 1
      if NumberText.isDigit(byte) {
        let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
        let (sum, carry) = tens.addingReportingOverflow(Int64(byte & 0xF))
        if overflow || carry { return nil }
        value = sum
      } else if byte == UInt8(ascii: ".") {
        point = p
      } else {
        return nil
      }
    }
    let scale = point.map { end - $0 } ?? 0
    guard scale <= 9 else { return nil }
    return (isNegative ? -value : value, UInt8(scale))
  }

  @inline(__always)
  private mutating func add(_ other: Int64, _ otherScale: UInt8) -> Bool {
    var (mine, other) = (value, other)
    if scale != otherScale {
      let power = DecimalSum.powers[Int(max(scale, otherScale) - min(scale, otherScale))]
      let (scaled, overflow) = (scale < otherScale ? mine : other).multipliedReportingOverflow(by: power)
      if overflow { return false }
      if scale < otherScale { mine = scaled } else { other = scaled }
    }
    let (sum, overflow) = mine.addingReportingOverflow(other)
    if overflow { return false }
    value = sum
    scale = max(scale, otherScale)
    return true
  }

  private mutating func addWide(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = text.baseAddress else { return true }
    let wide = self.wide ?? WideSum()
    self.wide = wide
    return wide.add(Decimal(start, start + text.count))
  }

  var total: ExactNumber {
    guard let wide else { return ExactNumber(value, scale: Int(scale)) }
    let rest = ExactNumber(value, scale: Int(scale)).text
    return wide.total(plus: rest)
  }
}

/// A sum with room for every digit.
private final class WideSum {
  private static let base: Int64 = 1_000_000_000
  /// By nine digits, the lowest first. Each number adds less than 10⁹ to a limb, so 2³² of them can't overflow it.
  private var limbs: [Int64] = []
  /// Limb 0 counts in units of 10^(9 · low).
  private var low = 0

  func add(_ number: Decimal) -> Bool {
    guard !number.isZero else { return true }
    let (exponent, isExact) = number.exponent(within: DecimalSum.limit + 1)
    guard isExact else { return false }
    var count = 0
    var digits = number.digits
    while digits.next() != nil { count += 1 }
    guard exponent - count >= -DecimalSum.limit else { return false }
    makeRoom(from: WideSum.limb(exponent - count), to: WideSum.limb(exponent - 1))
    digits = number.digits
    var power = exponent - 1
    while let digit = digits.next() {
      let limb = WideSum.limb(power)
      var part = Int64(digit)
      for _ in 0..<power - limb * 9 { part *= 10 }
      limbs[limb - low] += number.isNegative ? -part : part
      power -= 1
    }
    return true
  }

  /// The limb in which a power of ten lies.
  private static func limb(_ power: Int) -> Int { power >= 0 ? power / 9 : -((8 - power) / 9) }

  private func makeRoom(from first: Int, to last: Int) {
    if limbs.isEmpty { low = first }
    if first < low {
      limbs.insert(contentsOf: repeatElement(0, count: low - first), at: 0)
      low = first
    }
    while low + limbs.count <= last { limbs.append(0) }
  }

  /// The sum and one more number.
  func total(plus text: String) -> ExactNumber {
    let copy = WideSum()
    copy.limbs = limbs
    copy.low = low
    var text = text
    text.withUTF8 { bytes in
      if let start = bytes.baseAddress { _ = copy.add(Decimal(start, start + bytes.count)) }
    }
    return copy.total()
  }

  private func total() -> ExactNumber {
    var isNegative = false
    if carried() < 0 {
      isNegative = true
      for index in limbs.indices { limbs[index] = -limbs[index] }
      _ = carried()
    }
    var digits: [UInt8] = []
    for limb in limbs.reversed() {
      let text = String(limb).utf8.map { $0 & 0xF }
      digits += Array(repeating: 0, count: 9 - text.count) + text
    }
    return ExactNumber(digits: digits, exponent: (low + limbs.count) * 9, isNegative: isNegative)
  }

  /// Brings all limbs between 0 and 10⁹ if the sum is not negative; else the last one is negative, and so is the result.
  private func carried() -> Int64 {
    var carry: Int64 = 0
    for index in limbs.indices {
      let sum = limbs[index] + carry
      carry = sum >= 0 ? sum / WideSum.base : -((WideSum.base - 1 - sum) / WideSum.base)
      limbs[index] = sum - carry * WideSum.base
    }
    while carry > 0 {
      limbs.append(carry % WideSum.base)
      carry /= WideSum.base
    }
    if carry < 0, let last = limbs.indices.last { limbs[last] += carry * WideSum.base }
    return carry
  }
}
