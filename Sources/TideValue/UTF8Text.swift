/// UTF-8 by the table of well-formed sequences (Unicode 15, table 3-7): no overlong form, no surrogate, nothing above
/// U+10FFFF.
enum UTF8Text {
  /// How many bytes the sequence at `p` has, or 0 if it is not well-formed. The first byte is not ASCII.
  @inline(__always)
  static func sequence(_ p: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Int {
    let first = p[0]
    let available = end - p
    if first < 0xE0 {
      return first >= 0xC2 && available >= 2 && p[1] & 0xC0 == 0x80 ? 2 : 0
    }
    if first < 0xF0 {
      guard available >= 3, p[1] & 0xC0 == 0x80, p[2] & 0xC0 == 0x80 else { return 0 }
      if first == 0xE0 && p[1] < 0xA0 || first == 0xED && p[1] > 0x9F { return 0 }
      return 3
    }
    guard first <= 0xF4, available >= 4, p[1] & 0xC0 == 0x80, p[2] & 0xC0 == 0x80, p[3] & 0xC0 == 0x80 else { return 0 }
    if first == 0xF0 && p[1] < 0x90 || first == 0xF4 && p[1] > 0x8F { return 0 }
    return 4
  }

  static func isValid(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
    invalid(start, end) == nil
  }

  /// The first byte that belongs to no well-formed sequence; nil if there is none.
  static func invalid(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    var p = start
    while p < end {
      if end - p >= 8, Word.load(p) & Word.highs == 0 {
        p += 8
      } else if p.pointee < 0x80 {
        p += 1
      } else {
        let count = sequence(p, end)
        if count == 0 { return p }
        p += count
      }
    }
    return nil
  }
}
