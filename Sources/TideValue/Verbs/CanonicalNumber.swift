/// One text for all texts of a number that have the same exact value.
///
/// Integers of up to 18 digits are written as such; any other number as its sign, its digits from the first to the last
/// that is not 0, 'e', and the power of ten before the first of them.
enum CanonicalNumber {
  /// Whether a number is written that way already, as most are.
  @inline(__always)
  static func isCanonical(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard var p = text.baseAddress else { return false }
    let end = p + text.count
    if p.pointee == UInt8(ascii: "-") {
      p += 1
      if p.pointee == UInt8(ascii: "0") { return false }
    }
    guard end - p <= 18 else { return false }
    while p < end {
      guard NumberText.isDigit(p.pointee) else { return false }
      p += 1
    }
    return true
  }

  static func canonical(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    guard let start = text.baseAddress else { return [] }
    let number = Decimal(start, start + text.count)
    if let value = number.int64, value.magnitude < 1_000_000_000_000_000_000 { return Array(String(value).utf8) }
    var output: [UInt8] = number.isNegative ? [UInt8(ascii: "-")] : []
    var digits = number.digits
    while let digit = digits.next() { output.append(digit + 0x30) }
    output.append(UInt8(ascii: "e"))
    return output + Array(number.exponentText.utf8)
  }
}
