/// A decimal number of any length: 0.d₁d₂d₃… × 10^exponent.
struct ExactNumber {
  var isNegative = false
  /// Without zeros at either end; empty for 0.
  private(set) var digits: [UInt8]
  private(set) var exponent: Int

  init(digits: [UInt8], exponent: Int, isNegative: Bool) {
    let zeros = digits.prefix { $0 == 0 }.count
    var digits = Array(digits.dropFirst(zeros))
    while digits.last == 0 { digits.removeLast() }
    self.digits = digits
    self.exponent = digits.isEmpty ? 0 : exponent - zeros
    self.isNegative = isNegative && !digits.isEmpty
  }

  /// `value` × 10^-scale.
  init(_ value: Int64, scale: Int) {
    let digits = String(value.magnitude).utf8.map { $0 & 0xF }
    self.init(digits: digits, exponent: digits.count - scale, isNegative: value < 0)
  }

  /// The number as JSON: with a point, or with an exponent if that would take many zeros.
  var text: String {
    guard !digits.isEmpty else { return "0" }
    let sign = isNegative ? "-" : ""
    let text = String(decoding: digits.map { $0 + 0x30 }, as: UTF8.self)
    if exponent >= digits.count, exponent <= max(digits.count, 34) {
      return sign + text + String(repeating: "0", count: exponent - digits.count)
    }
    if exponent > 0, exponent < digits.count {
      return sign + text.prefix(exponent) + "." + text.dropFirst(exponent)
    }
    if exponent <= 0, exponent > -6 { return sign + "0." + String(repeating: "0", count: -exponent) + text }
    let rest = text.dropFirst()
    return sign + text.prefix(1) + (rest.isEmpty ? "" : "." + rest) + "e\(exponent - 1)"
  }

  /// The number divided by a count that is not 0. Exact if the result has no more than 34 digits, or than this number
  /// has; else rounded to 17, the last one to even on a tie, but never within the digits before the point.
  func divided(by count: Int) -> ExactNumber {
    guard count > 1, !digits.isEmpty else { return self }
    var quotient: [UInt8] = []
    var rest = 0
    var zeros = 0
    var place = 0
    let most = max(34, digits.count, exponent)
    while place < digits.count || rest != 0, place - zeros < most {
      rest = rest * 10 + (place < digits.count ? Int(digits[place]) : 0)
      quotient.append(UInt8(rest / count))
      rest %= count
      place += 1
      if zeros == place - 1, quotient[place - 1] == 0 { zeros += 1 }
    }
    if rest != 0 || place < digits.count {
      quotient = ExactNumber.rounded(quotient, to: zeros + max(17, exponent - zeros), isMore: true)
      if quotient.count > 0, quotient[0] > 9 {
        quotient[0] -= 10
        return ExactNumber(digits: [1] + quotient, exponent: exponent + 1, isNegative: isNegative)
      }
    }
    return ExactNumber(digits: quotient, exponent: exponent, isNegative: isNegative)
  }

  /// The first digits, rounded. The first of them may become 10. `isMore` says whether other digits than 0 follow.
  private static func rounded(_ digits: [UInt8], to count: Int, isMore: Bool) -> [UInt8] {
    guard digits.count > count, count > 0 else { return digits }
    var kept = Array(digits[..<count])
    let tail = digits[(count + 1)...].contains { $0 != 0 } || isMore
    let next = digits[count]
    guard next > 5 || next == 5 && (tail || kept[count - 1] & 1 == 1) else { return kept }
    var place = count - 1
    kept[place] += 1
    while place > 0, kept[place] == 10 {
      kept[place] = 0
      place -= 1
      kept[place] += 1
    }
    return kept
  }
}
