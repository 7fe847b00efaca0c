extension Validator {
  /// One past the number, `true`, `false` or `null` at `p`.
  @inline(__always)
  func scalar(_ p: Pointer, _ form: inout Form) throws(Fault) -> Pointer {
    switch p.pointee {
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      form = .number
      guard let last = NumberText.end(of: p, end) else { throw brokenNumber(p) }
      return last
    case UInt8(ascii: "t"): return try word("true", .yes, p, &form)
    case UInt8(ascii: "f"): return try word("false", .no, p, &form)
    case UInt8(ascii: "n"): return try word("null", .null, p, &form)
    default: throw unexpectedValue(p)
    }
  }

  @inline(__always)
  private func word(_ word: StaticString, _ kind: Form, _ p: Pointer, _ form: inout Form) throws(Fault) -> Pointer {
    let count = word.utf8CodeUnitCount
    guard end - p >= count, Word.same(word.utf8Start, p, count) else { throw brokenWord(word, p) }
    form = kind
    return p + count
  }

  /// One past the escape at `p`.
  @inline(never)
  func escape(_ p: Pointer) throws(Fault) -> Pointer {
    guard p + 1 < end else {
      throw Fault(message: "expected an escaped character, found \(found(p + 1))", place: p + 1)
    }
    switch p[1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return p + 2
    case UInt8(ascii: "u"):
      for index in 2..<6 {
        guard p + index < end, Validator.isHexDigit(p[index]) else {
          throw Fault(
            message: "expected four hexadecimal digits after '\\u', found \(found(p + index))", place: p + index)
        }
      }
      return p + 6
    default:
      throw Fault(message: "no escape starts with \(found(p + 1)) after '\\'", place: p + 1)
    }
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    NumberText.isDigit(byte) || (byte | 0x20) &- 0x61 < 6
  }

  @inline(never)
  private func brokenWord(_ word: StaticString, _ p: Pointer) -> Fault {
    var place = p
    var index = 0
    while place < end, index < word.utf8CodeUnitCount, place.pointee == word.utf8Start[index] {
      place += 1
      index += 1
    }
    return Fault(message: "expected '\(word)', found \(found(place)) in it", place: place)
  }

  @inline(never)
  private func brokenNumber(_ start: Pointer) -> Fault {
    var p = start
    if p.pointee == UInt8(ascii: "-") { p += 1 }
    if p + 1 < end, p[0] == UInt8(ascii: "0"), NumberText.isDigit(p[1]) {
      return Fault(message: "a number may not start with '0' and another digit", place: p)
    }
    p = NumberText.afterDigits(p, end)
    if p > start, NumberText.isDigit(p[-1]) {
      if p < end, p.pointee == UInt8(ascii: "."), p + 1 < end, NumberText.isDigit(p[1]) {
        p = NumberText.afterDigits(p + 1, end)
      }
      if p < end { p += 1 }
      if p < end, p[-1] | 0x20 == UInt8(ascii: "e"), p[0] == UInt8(ascii: "+") || p[0] == UInt8(ascii: "-") { p += 1 }
    }
    return Fault(message: "expected a digit in a number, found \(found(p))", place: p)
  }

  @inline(never)
  func unexpectedValue(_ p: Pointer) -> Fault {
    Fault(message: "expected a value, found \(found(p))", place: p)
  }

  @inline(never)
  func unexpectedEnd(_ p: Pointer, object: Bool) -> Fault {
    let expected = object ? "',' or '}' in an object" : "',' or ']' in a list"
    return Fault(message: "expected \(expected), found \(found(p))", place: p)
  }

  /// What stands at `p`, as it reads in a message.
  func found(_ p: Pointer) -> String {
    guard p < end else { return "the end of the text" }
    let byte = p.pointee
    if byte > 0x20 && byte < 0x7F { return "'\(Character(UnicodeScalar(byte)))'" }
    if byte == 0x20 { return "a space" }
    let count = byte < 0x80 ? 0 : UTF8Text.sequence(p, end)
    if count > 0 {
      return "'" + String(decoding: UnsafeBufferPointer(start: p, count: count), as: UTF8.self) + "'"
    }
    let digits = String(byte, radix: 16, uppercase: true)
    return "the byte 0x" + (digits.count == 1 ? "0" : "") + digits
  }
}
