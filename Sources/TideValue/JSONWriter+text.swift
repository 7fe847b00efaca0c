extension JSONWriter {
  /// Writes text without the white space around its tokens.
  static func compact(_ slice: TextSlice, to output: inout ByteWriter) {
    var p = slice.start
    var run = p
    var escaped = false
    while p < slice.end {
      let byte = p.pointee
      if byte == UInt8(ascii: "\"") {
        p = TextScan.endOfText(p + 1, slice.limit, escaped: &escaped)
      } else if byte <= 0x20 {
        output.append(run, p)
        p = TextScan.afterSpace(p)
        run = p
      } else {
        p += 1
      }
    }
    output.append(run, p)
  }

  /// Writes text with one item or field a line, from `depth` levels on.
  static func pretty(_ slice: TextSlice, to output: inout ByteWriter, depth: Int) {
    var p = slice.start
    var depth = depth
    while p < slice.end, !output.isStopped {
      let byte = p.pointee
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        output.append(byte)
        p = TextScan.afterSpace(p + 1)
        // '[' and ']' are two apart in ASCII, and so are '{' and '}'.
        if p.pointee == byte + 2 {
          output.append(byte + 2)
          p += 1
        } else {
          depth += 1
          newline(depth, to: &output)
        }
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        newline(depth, to: &output)
        output.append(byte)
        p += 1
      case UInt8(ascii: ","):
        output.append(byte)
        newline(depth, to: &output)
        p += 1
      case UInt8(ascii: ":"):
        output.append(": ")
        p += 1
      case 0...0x20:
        p += 1
      default:
        let value = TextScan.value(at: p, limit: slice.limit, spaced: false)
        output.append(p, value.end)
        p = value.end
      }
    }
  }

  /// Writes UTF-8 as a JSON text.
  static func quoted(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout ByteWriter) {
    output.append(UInt8(ascii: "\""))
    if var p = bytes.baseAddress {
      let end = p + bytes.count
      var run = p
      while p < end {
        if end - p >= 8 {
          let found = Word.escapeStops(Word.load(p))
          if found == 0 {
            p += 8
            continue
          }
          p += Word.first(found)
        }
        let byte = p.pointee
        if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
          output.append(run, p)
          escape(byte, to: &output)
          run = p + 1
        }
        p += 1
      }
      output.append(run, end)
    }
    output.append(UInt8(ascii: "\""))
  }

  private static func escape(_ byte: UInt8, to output: inout ByteWriter) {
    switch byte {
    case 0x08: output.append("\\b")
    case 0x09: output.append("\\t")
    case 0x0A: output.append("\\n")
    case 0x0C: output.append("\\f")
    case 0x0D: output.append("\\r")
    case UInt8(ascii: "\""): output.append("\\\"")
    case UInt8(ascii: "\\"): output.append("\\\\")
    default:
      output.append(byte < 0x10 ? "\\u000" : "\\u001")
      let digit = byte & 0xF
      output.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
    }
  }

  /// Writes bytes as a JSON text of their base64 (RFC 4648, section 4, with padding).
  static func base64(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout ByteWriter) {
    let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    func put(_ bits: UInt32, _ shift: UInt32) {
      output.append(alphabet.utf8Start[Int(bits >> shift & 63)])
    }
    output.append(UInt8(ascii: "\""))
    var index = 0
    while index < bytes.count, !output.isStopped {
      let left = bytes.count - index
      let second = left > 1 ? UInt32(bytes[index + 1]) : 0
      let third = left > 2 ? UInt32(bytes[index + 2]) : 0
      let bits = UInt32(bytes[index]) << 16 | second << 8 | third
      put(bits, 18)
      put(bits, 12)
      if left > 1 { put(bits, 6) } else { output.append(UInt8(ascii: "=")) }
      if left > 2 { put(bits, 0) } else { output.append(UInt8(ascii: "=")) }
      index += 3
    }
    output.append(UInt8(ascii: "\""))
  }
}
