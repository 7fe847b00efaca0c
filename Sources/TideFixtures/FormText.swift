import TideGraph

/// Names and values as queries and forms carry them (WHATWG URL, application/x-www-form-urlencoded).
enum FormText {
  /// The pairs of a text, decoded, in its order.
  ///
  /// - Parameter isPattern: an encoded star is given as `\*`, apart from one that is a gap.
  static func pairs(of bytes: ArraySlice<UInt8>, isPattern: Bool = false) -> [NamedText] {
    bytes.split(separator: UInt8(ascii: "&")).map { pair in
      let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      return NamedText(decoded(pair[..<end]), decoded(pair[end...].dropFirst(), isPattern: isPattern))
    }
  }

  /// `+` is a space, `%XX` a byte; a `%` without two digits stands for itself.
  private static func decoded(_ bytes: ArraySlice<UInt8>, isPattern: Bool = false) -> String {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var rest = bytes
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let escaped = escapedByte(rest) {
        rest = rest.dropFirst(2)
        if isPattern, escaped == UInt8(ascii: "*") { decoded.append(UInt8(ascii: "\\")) }
        decoded.append(escaped)
      } else {
        decoded.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// The byte that the two hexadecimal digits at the front stand for.
  static func escapedByte(_ bytes: ArraySlice<UInt8>) -> UInt8? {
    let digits = bytes.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == 2 else { return nil }
    return UInt8(digits[0] << 4 | digits[1])
  }
}
