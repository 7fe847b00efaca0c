/// Reads the JSONPaths that lead to at most one value: RFC 9535, section 2.3.5.1 (singular-query).
struct JSONPathReader {
  private let text: String
  private let scalars: [Unicode.Scalar]
  private var place = 1

  init(_ text: String) {
    self.text = text
    scalars = Array(text.unicodeScalars)
  }

  mutating func steps() throws(PathError) -> [Path.Step] {
    var steps: [Path.Step] = []
    while place < scalars.count {
      skipSpace()
      guard place < scalars.count else { throw error("white space at the end of a path") }
      switch scalars[place] {
      case ".": steps.append(try dotted())
      case "[": steps.append(try bracketed())
      default: throw error("expected '.' or '['")
      }
    }
    return steps
  }

  private mutating func dotted() throws(PathError) -> Path.Step {
    place += 1
    guard let first = peek else { throw error("expected a name after '.'") }
    if first == "." || first == "*" { throw unsupported(first == "." ? "'..'" : "'*'") }
    guard JSONPathReader.isNameFirst(first) else { throw error("expected a name after '.'") }
    var name = ""
    while let scalar = peek, JSONPathReader.isNameFirst(scalar) || scalar.isDigit {
      name.unicodeScalars.append(scalar)
      place += 1
    }
    return .name(Array(name.utf8))
  }

  private mutating func bracketed() throws(PathError) -> Path.Step {
    place += 1
    skipSpace()
    let step: Path.Step
    switch peek {
    case "'", "\"": step = .name(Array(try quoted().utf8))
    case "*": throw unsupported("'*'")
    case "?": throw unsupported("a filter")
    case ":": throw unsupported("a slice")
    case let scalar? where scalar == "-" || scalar.isDigit: step = .index(try index())
    default: throw error("expected a quoted name or an index after '['")
    }
    skipSpace()
    if peek == ":" { throw unsupported("a slice") }
    if peek == "," { throw unsupported("a list of selectors") }
    guard peek == "]" else { throw error("expected ']'") }
    place += 1
    return step
  }

  /// An integer as RFC 9535 allows it: no leading zeros, no -0, exact in a Double.
  private mutating func index() throws(PathError) -> Int {
    let start = place
    if peek == "-" { place += 1 }
    while let scalar = peek, scalar.isDigit { place += 1 }
    let digits = String(String.UnicodeScalarView(scalars[start..<place]))
    guard let index = Int(digits), String(index) == digits, abs(index) < 1 << 53 else {
      place = start
      throw error("'\(digits)' is no index")
    }
    return index
  }

  private mutating func quoted() throws(PathError) -> String {
    let quote = scalars[place]
    place += 1
    var name = ""
    while let scalar = peek, scalar != quote {
      guard scalar.value >= 0x20 else { throw error("a control character in a name") }
      place += 1
      name.unicodeScalars.append(scalar == "\\" ? try escape(quote) : scalar)
    }
    guard peek == quote else { throw error("expected \(quote) at the end of a name") }
    place += 1
    return name
  }

  private mutating func escape(_ quote: Unicode.Scalar) throws(PathError) -> Unicode.Scalar {
    guard let scalar = peek else { throw error("expected an escaped character") }
    let start = place
    place += 1
    switch scalar {
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "/", "\\": return scalar
    case "u":
      let unit = try hex()
      if let scalar = Unicode.Scalar(unit) { return scalar }
      guard unit < 0xDC00, peek == "\\", place + 1 < scalars.count, scalars[place + 1] == "u" else {
        throw error("half of a surrogate pair", at: start)
      }
      place += 2
      let low = try hex()
      guard low & 0xFC00 == 0xDC00, let pair = Unicode.Scalar(0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF) else {
        throw error("half of a surrogate pair", at: start)
      }
      return pair
    default:
      guard scalar == quote else { throw error("no escape starts with '\(scalar)'", at: start) }
      return scalar
    }
  }

  private mutating func hex() throws(PathError) -> UInt32 {
    guard place + 4 <= scalars.count, scalars[place..<place + 4].allSatisfy({ $0.properties.isASCIIHexDigit }),
      let unit = UInt32(String(String.UnicodeScalarView(scalars[place..<place + 4])), radix: 16)
    else { throw error("expected four hexadecimal digits") }
    place += 4
    return unit
  }

  private var peek: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

  private mutating func skipSpace() {
    while let scalar = peek, scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" { place += 1 }
  }

  private static func isNameFirst(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x80 || scalar == "_" || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }

  private func error(_ message: String, at place: Int? = nil) -> PathError {
    PathError(path: text, column: (place ?? self.place) + 1, message: message)
  }

  private func unsupported(_ what: String) -> PathError {
    error("\(what) in a JSONPath is not supported yet: only names and single indexes are")
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { value >= 0x30 && value <= 0x39 }
}
