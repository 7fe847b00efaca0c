/// Reads a JSONPath query by the grammar of RFC 9535, and refuses what is not well-typed (section 2.4.3).
struct JSONPathParser {
  let text: String
  let scalars: [Unicode.Scalar]
  var position = 0
  private var depth = 0
  private static let maximumDepth = 200
  /// I-JSON's exact integers (section 2.1).
  private static let maximumIndex = 9_007_199_254_740_991

  init(_ text: String) {
    self.text = text
    scalars = Array(text.unicodeScalars)
  }

  /// The whole text as one query.
  mutating func parse() throws(PathError) -> JSONPath {
    try expect("$")
    let path = JSONPath(segments: try segments())
    if position < scalars.count { throw fault("expected '.', '[' or the end, found '\(scalars[position])'") }
    return path
  }

  func fault(_ message: String) -> PathError { PathError(path: text, column: position + 1, message: message) }

  var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  mutating func take(_ word: String) -> Bool {
    let wanted = Array(word.unicodeScalars)
    guard scalars[position...].starts(with: wanted) else { return false }
    position += wanted.count
    return true
  }

  mutating func expect(_ scalar: Unicode.Scalar) throws(PathError) {
    guard take(scalar) else { throw fault("expected '\(scalar)', found \(next.map { "'\($0)'" } ?? "the end")") }
  }

  mutating func skipBlanks() {
    while let scalar = next, scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" { position += 1 }
  }

  /// Counts what is open, so that a hostile path can't overflow the stack.
  mutating func nested<Result>(
    _ body: (inout JSONPathParser) throws(PathError) -> Result
  ) throws(PathError) -> Result {
    depth += 1
    guard depth <= Self.maximumDepth else { throw fault("nested deeper than \(Self.maximumDepth) levels") }
    defer { depth -= 1 }
    return try body(&self)
  }

  mutating func segments() throws(PathError) -> [JSONPath.Segment] {
    var segments: [JSONPath.Segment] = []
    while true {
      let start = position
      skipBlanks()
      if take("..") {
        let selectors = next == "[" ? try bracketed() : [try dotted()]
        segments.append(JSONPath.Segment(isDescendant: true, selectors: selectors))
      } else if take(".") {
        segments.append(JSONPath.Segment(selectors: [try dotted()]))
      } else if next == "[" {
        segments.append(JSONPath.Segment(selectors: try bracketed()))
      } else {
        // Blanks are only between segments.
        position = start
        return segments
      }
    }
  }

  private mutating func dotted() throws(PathError) -> JSONPath.Selector {
    if take("*") { return .wildcard }
    var name = String.UnicodeScalarView()
    while let scalar = next, scalar.isNameFirst || !name.isEmpty && scalar.isDigit {
      name.append(scalar)
      position += 1
    }
    guard !name.isEmpty else { throw fault("expected a name or '*', found \(next.map { "'\($0)'" } ?? "the end")") }
    return .name(String(name))
  }

  private mutating func bracketed() throws(PathError) -> [JSONPath.Selector] {
    try nested { (parser) throws(PathError) in
      try parser.expect("[")
      var selectors: [JSONPath.Selector] = []
      repeat {
        parser.skipBlanks()
        selectors.append(try parser.selector())
        parser.skipBlanks()
      } while parser.take(",")
      try parser.expect("]")
      return selectors
    }
  }

  private mutating func selector() throws(PathError) -> JSONPath.Selector {
    switch next {
    case "'", "\"": return .name(try quoted())
    case "*":
      position += 1
      return .wildcard
    case "?":
      position += 1
      skipBlanks()
      return .filter(try condition())
    default: return try indexOrSlice()
    }
  }

  private mutating func indexOrSlice() throws(PathError) -> JSONPath.Selector {
    let start = try integer()
    let afterStart = position
    skipBlanks()
    guard take(":") else {
      position = afterStart
      guard let start else { throw fault("expected a selector, found \(next.map { "'\($0)'" } ?? "the end")") }
      return .index(start)
    }
    skipBlanks()
    let end = try integer()
    skipBlanks()
    var step: Int?
    if take(":") {
      skipBlanks()
      step = try integer()
    }
    return .slice(start: start, end: end, step: step ?? 1)
  }

  /// Without leading zeros, without `-0`, within I-JSON's range; nil if there is none here.
  private mutating func integer() throws(PathError) -> Int? {
    let start = position
    let isNegative = take("-")
    let digits = takeDigits()
    guard !digits.isEmpty else {
      if isNegative { throw fault("expected a digit behind '-'") }
      return nil
    }
    guard digits == "0" ? !isNegative : !digits.hasPrefix("0") else {
      position = start
      throw fault("an index has no leading zero, and no minus before 0")
    }
    guard let number = Int(digits), number <= Self.maximumIndex else {
      position = start
      throw fault("an index beyond 2^53 - 1")
    }
    return isNegative ? -number : number
  }

  mutating func takeDigits() -> String {
    var digits = String.UnicodeScalarView()
    while let scalar = next, scalar.isDigit {
      digits.append(scalar)
      position += 1
    }
    return String(digits)
  }
}

extension Unicode.Scalar {
  var isDigit: Bool { self >= "0" && self <= "9" }
  var isLowercaseASCII: Bool { self >= "a" && self <= "z" }
  var isNameFirst: Bool { isLowercaseASCII || self >= "A" && self <= "Z" || self == "_" || value >= 0x80 }
}
