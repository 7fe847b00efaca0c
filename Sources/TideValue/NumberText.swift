/// The grammar of numbers: RFC 8259, section 6.
enum NumberText {
  typealias Pointer = UnsafePointer<UInt8>

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// One past the number that starts at `p`, or nil if there is none.
  @inline(__always)
  static func end(of p: Pointer, _ end: Pointer) -> Pointer? {
    var p = p
    if p < end, p.pointee == UInt8(ascii: "-") { p += 1 }
    guard p < end, isDigit(p.pointee) else { return nil }
    if p.pointee == UInt8(ascii: "0") {
      p += 1
      if p < end, isDigit(p.pointee) { return nil }
    } else {
      p = afterDigits(p, end)
    }
    guard p < end else { return p }
    if p.pointee == UInt8(ascii: ".") {
      p += 1
      guard p < end, isDigit(p.pointee) else { return nil }
      p = afterDigits(p, end)
    }
    if p < end, p.pointee | 0x20 == UInt8(ascii: "e") {
      p += 1
      if p < end, p.pointee == UInt8(ascii: "+") || p.pointee == UInt8(ascii: "-") { p += 1 }
      guard p < end, isDigit(p.pointee) else { return nil }
      p = afterDigits(p, end)
    }
    return p
  }

  @inline(__always)
  static func afterDigits(_ p: Pointer, _ end: Pointer) -> Pointer {
    var p = p
    while p < end, isDigit(p.pointee) { p += 1 }
    return p
  }
}
