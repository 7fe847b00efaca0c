/// Eight bytes looked at at once, the first in the lowest bits.
///
/// The tests below answer with the high bit of each byte that fits. Bits above the lowest one set may be wrong (a
/// borrow), so only the lowest is ever used.
enum Word {
  static let ones: UInt64 = 0x0101_0101_0101_0101
  static let highs: UInt64 = 0x8080_8080_8080_8080

  @inline(__always)
  static func load(_ pointer: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: UInt64.self))
  }

  /// Up to eight bytes, the first in the lowest bits, zeros above them.
  @inline(__always)
  static func short(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    guard let start = bytes.baseAddress else { return 0 }
    let count = bytes.count
    if count == 8 { return load(start) }
    if count >= 4 {
      // Two halves, which overlap in bytes that are the same in both.
      let low = UInt64(UInt32(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)))
      let high = UInt64(UInt32(littleEndian: UnsafeRawPointer(start + count - 4).loadUnaligned(as: UInt32.self)))
      return low | high << UInt64((count - 4) * 8)
    }
    if count == 0 { return 0 }
    let (middle, last) = (count / 2, count - 1)
    return UInt64(start[0]) | UInt64(start[middle]) << UInt64(middle * 8) | UInt64(start[last]) << UInt64(last * 8)
  }

  @inline(__always)
  static func all(_ byte: UInt8) -> UInt64 { ones &* UInt64(byte) }

  /// How many bytes lie before the first one that a test found.
  @inline(__always)
  static func first(_ found: UInt64) -> Int { found.trailingZeroBitCount >> 3 }

  /// A quote, a backslash, a control character, or anything that is not ASCII.
  @inline(__always)
  static func textStops(_ word: UInt64) -> UInt64 {
    let control = word &- all(0x20)
    let quote = (word ^ all(0x22)) &- ones
    let backslash = (word ^ all(0x5C)) &- ones
    return (control | quote | backslash | word) & highs
  }

  /// A quote, a backslash or a control character: what has to be escaped.
  @inline(__always)
  static func escapeStops(_ word: UInt64) -> UInt64 {
    let control = word &- all(0x20)
    let quote = (word ^ all(0x22)) &- ones
    let backslash = (word ^ all(0x5C)) &- ones
    return (control | quote | backslash) & ~word & highs
  }

  /// A quote or a backslash.
  @inline(__always)
  static func quoteStops(_ word: UInt64) -> UInt64 {
    let quote = (word ^ all(0x22)) &- ones
    let backslash = (word ^ all(0x5C)) &- ones
    return (quote | backslash) & ~word & highs
  }

  /// The high bit of each byte that is not 0, and of no other.
  @inline(__always)
  static func others(_ word: UInt64) -> UInt64 {
    ((word & ~highs) &+ ~highs | word) & highs
  }

  /// Bit i of byte k as bit k of byte i (Hacker's Delight, section 7-3).
  @inline(__always)
  static func transposed(_ bits: UInt64) -> UInt64 {
    var x = bits
    var swapped = (x ^ x >> 7) & 0x00AA_00AA_00AA_00AA
    x ^= swapped ^ swapped << 7
    swapped = (x ^ x >> 14) & 0x0000_CCCC_0000_CCCC
    x ^= swapped ^ swapped << 14
    swapped = (x ^ x >> 28) & 0x0000_0000_F0F0_F0F0
    return x ^ swapped ^ swapped << 28
  }

  @inline(__always)
  static func same(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    var index = 0
    while index + 8 <= count {
      if load(left + index) != load(right + index) { return false }
      index += 8
    }
    while index < count {
      if left[index] != right[index] { return false }
      index += 1
    }
    return true
  }
}
