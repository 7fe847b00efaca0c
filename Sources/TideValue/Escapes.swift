/// Escapes in JSON texts: RFC 8259, section 7.
enum Escapes {
  /// The UTF-8 that the content of a valid JSON text stands for. A surrogate without its partner becomes U+FFFD.
  static func decoded(_ content: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    guard let start = content.baseAddress else { return [] }
    let end = start + content.count
    // No escape is shorter than what it stands for.
    return [UInt8](unsafeUninitializedCapacity: content.count) { output, count in
      var p = start
      while p < end {
        let byte = p.pointee
        if byte != UInt8(ascii: "\\") {
          output[count] = byte
          count += 1
          p += 1
        } else if p[1] == UInt8(ascii: "u") {
          encode(scalar(at: &p, end), into: output, &count)
        } else {
          output[count] = single(p[1])
          count += 1
          p += 2
        }
      }
    }
  }

  private static func single(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: letter
    }
  }

  /// Reads `\uXXXX`, or a pair of them that is one scalar.
  private static func scalar(at p: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UInt32 {
    let unit = hex(p + 2)
    p += 6
    guard unit & 0xF800 == 0xD800 else { return unit }
    guard unit < 0xDC00, end - p >= 6, p[0] == UInt8(ascii: "\\"), p[1] == UInt8(ascii: "u") else { return 0xFFFD }
    let next = hex(p + 2)
    guard next & 0xFC00 == 0xDC00 else { return 0xFFFD }
    p += 6
    return 0x10000 + (unit & 0x3FF) << 10 + next & 0x3FF
  }

  /// Four hexadecimal digits, known to be such.
  private static func hex(_ p: UnsafePointer<UInt8>) -> UInt32 {
    var value: UInt32 = 0
    for index in 0..<4 {
      let byte = p[index]
      value = value << 4 | UInt32(byte < 0x3A ? byte & 0xF : (byte & 0xF) &+ 9)
    }
    return value
  }

  private static func encode(_ scalar: UInt32, into output: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int) {
    func put(_ byte: UInt32) {
      output[count] = UInt8(truncatingIfNeeded: byte)
      count += 1
    }
    if scalar < 0x80 {
      put(scalar)
    } else if scalar < 0x800 {
      put(0xC0 | scalar >> 6)
      put(0x80 | scalar & 0x3F)
    } else if scalar < 0x10000 {
      put(0xE0 | scalar >> 12)
      put(0x80 | scalar >> 6 & 0x3F)
      put(0x80 | scalar & 0x3F)
    } else {
      put(0xF0 | scalar >> 18)
      put(0x80 | scalar >> 12 & 0x3F)
      put(0x80 | scalar >> 6 & 0x3F)
      put(0x80 | scalar & 0x3F)
    }
  }
}
