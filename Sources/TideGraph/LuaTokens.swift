/// A word of Lua source with its place: enough for checks that look at the text.
struct LuaToken: Equatable {
  enum Kind { case name, keyword, number, string, symbol }

  let kind: Kind
  let text: Substring
  /// 1-based, both.
  let line: Int
  let column: Int

  static let keywords: Set<Substring> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil",
    "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]
}

/// Cuts Lua 5.4 source into words, without comments (manual, section 3.1). It never fails: what Lua itself would refuse
/// comes out as symbols.
struct LuaTokens: Sequence, IteratorProtocol {
  private let text: String.UTF8View
  private var index: String.Index
  private var line = 1
  private var lineStart: String.Index

  init(_ source: String) {
    text = source.utf8
    index = text.startIndex
    lineStart = index
  }

  mutating func next() -> LuaToken? {
    skipBlanks()
    guard let byte = peek() else { return nil }
    let start = index
    let (startLine, startColumn) = (line, text.distance(from: lineStart, to: index) + 1)
    let kind = consume(byte)
    let word = Substring(text[start..<index])
    let isKeyword = kind == .name && LuaToken.keywords.contains(word)
    return LuaToken(kind: isKeyword ? .keyword : kind, text: word, line: startLine, column: startColumn)
  }

  private mutating func consume(_ byte: UInt8) -> LuaToken.Kind {
    if byte.isWord {
      while let next = peek(), next.isWord || byte.isDigit && next == UInt8(ascii: ".") { advance() }
      return byte.isDigit ? .number : .name
    }
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
      skipQuoted(byte)
      return .string
    }
    if byte == UInt8(ascii: "["), let level = longBracket() {
      skipLong(level)
      return .string
    }
    let pair = Substring(text[index...].prefix(2))
    advance()
    if ["==", "~=", "<=", ">=", "//", "::", "<<", ">>", ".."].contains(pair) { advance() }
    return .symbol
  }

  private mutating func skipBlanks() {
    while let byte = peek() {
      if byte <= 0x20 {
        advance()
      } else if byte == UInt8(ascii: "-"), text[index...].dropFirst().first == UInt8(ascii: "-") {
        advance()
        advance()
        if let level = longBracket() {
          skipLong(level)
        } else {
          while let next = peek(), next != 0x0A { advance() }
        }
      } else {
        return
      }
    }
  }

  private mutating func skipQuoted(_ quote: UInt8) {
    advance()
    while let byte = peek(), byte != 0x0A {
      advance()
      if byte == quote { return }
      if byte == UInt8(ascii: "\\"), peek() != nil { advance() }
    }
  }

  /// The number of `=` if a long bracket opens here: `[[`, `[=[`.
  private func longBracket() -> Int? {
    guard peek() == UInt8(ascii: "[") else { return nil }
    let rest = text[index...].dropFirst()
    let level = rest.prefix { $0 == UInt8(ascii: "=") }.count
    return rest.dropFirst(level).first == UInt8(ascii: "[") ? level : nil
  }

  private mutating func skipLong(_ level: Int) {
    let close = "]" + String(repeating: "=", count: level) + "]"
    for _ in 0..<(level + 2) { advance() }
    while peek() != nil, !text[index...].starts(with: close.utf8) { advance() }
    for _ in 0..<(level + 2) where peek() != nil { advance() }
  }

  private func peek() -> UInt8? { index < text.endIndex ? text[index] : nil }

  private mutating func advance() {
    let isLineEnd = text[index] == 0x0A
    index = text.index(after: index)
    guard isLineEnd else { return }
    line += 1
    lineStart = index
  }
}

extension UInt8 {
  var isDigit: Bool { self >= 0x30 && self <= 0x39 }
  var isWord: Bool { isDigit || self == 0x5F || (self | 0x20 >= 0x61 && self | 0x20 <= 0x7A) }
}
