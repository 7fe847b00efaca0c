/// An exact sum with room for every digit between 10^1024 and 10^-1024.
final class WideSum {
  static let limit = 1_024
  private static let base: Int64 = 1_000_000_000
  /// By nine digits, the lowest first. Each number adds less than 10⁹ to a limb, so 2³² of them can't overflow it.
  private var limbs: [Int64] = []
  /// Limb 0 counts in units of 10^(9 · low).
  private var low = 0

  /// Adds a number; false if it has digits beyond the limits.
  func add(_ number: Decimal) -> Bool {
    guard !number.isZero else { return true }
    let (exponent, isExact) = number.exponent(within: WideSum.limit + 1)
    guard isExact else { return false }
    var count = 0
    var digits = number.digits
    while digits.next() != nil { count += 1 }
    guard exponent - count >= -WideSum.limit else { return false }
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
  func total(plus number: ExactNumber) -> ExactNumber {
    let copy = WideSum()
    copy.limbs = limbs
    copy.low = low
    var text = number.text
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
