extension JSONPathParser {
  /// A text in single or double quotes (section 2.3.1.1).
  mutating func quoted() throws(PathError) -> String {
    guard let quote = next, quote == "'" || quote == "\"" else { throw fault("expected a text in quotes") }
    position += 1
    var text = String.UnicodeScalarView()
    while let scalar = next {
      if take(quote) { return String(text) }
      guard scalar.value >= 0x20 else { throw fault("a control character in a text") }
      position += 1
      text.append(scalar == "\\" ? try escaped(quote) : scalar)
    }
    throw fault("the text that begins here never ends")
  }

  private mutating func escaped(_ quote: Unicode.Scalar) throws(PathError) -> Unicode.Scalar {
    guard let scalar = next else { throw fault("the path ends behind '\\'") }
    position += 1
    switch scalar {
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "/", "\\", quote: return scalar
    case "u": return try unicode()
    default:
      position -= 1
      throw fault("unknown escape '\\\(scalar)'")
    }
  }

  private mutating func unicode() throws(PathError) -> Unicode.Scalar {
    let first = try codeUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard (0xD800...0xDBFF).contains(first), take("\\u") else { throw fault("half of a surrogate pair") }
    let second = try codeUnit()
    let code = 0x10000 + ((first - 0xD800) << 10)
    guard (0xDC00...0xDFFF).contains(second), let scalar = Unicode.Scalar(code + (second - 0xDC00)) else {
      throw fault("half of a surrogate pair")
    }
    return scalar
  }

  private mutating func codeUnit() throws(PathError) -> UInt32 {
    var digits = ""
    while digits.count < 4, let scalar = next, scalar.isASCII, scalar.properties.isASCIIHexDigit {
      digits.unicodeScalars.append(scalar)
      position += 1
    }
    guard digits.count == 4, let unit = UInt32(digits, radix: 16) else { throw fault("expected four hex digits") }
    return unit
  }

  /// A JSON number, or nil if there is none here.
  mutating func number() throws(PathError) -> Value? {
    let start = position
    _ = take("-")
    let whole = takeDigits()
    guard !whole.isEmpty else {
      position = start
      return nil
    }
    if take(".") { try someDigits() }
    if take("e") || take("E") {
      if !take("-") { _ = take("+") }
      try someDigits()
    }
    var written = String.UnicodeScalarView()
    written.append(contentsOf: scalars[start..<position])
    guard let value = Value(numberText: String(written)) else {
      position = start
      throw fault("'\(written)' is no number")
    }
    return value
  }

  private mutating func someDigits() throws(PathError) {
    if takeDigits().isEmpty { throw fault("expected a digit") }
  }
}
