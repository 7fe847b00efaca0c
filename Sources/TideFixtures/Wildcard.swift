/// A text with gaps: `*` stands for any run of characters, also for none.
///
/// In a path, `*` ends at a slash, `**` does not, and `{name}` is a parameter: at least one character, and no slash.
/// `\*` is a star. Matching takes time in proportion to the text and the pattern, whatever they are.
struct Wildcard: Sendable {
  private enum Token: Sendable {
    case byte(UInt8)
    /// Any byte, or any but a slash.
    case one(crossesSlash: Bool)
    /// Any number of them.
    case run(crossesSlash: Bool)
  }

  /// As it was written.
  let text: String
  private let tokens: [Token]

  /// Of a value; nil if there is no gap in it: then ``literal(_:)`` is what it stands for.
  init?(value: String) {
    var tokens: [Token] = []
    var rest = Array(value.utf8)[...]
    while let byte = rest.popFirst() {
      switch (byte, rest.first) {
      case (UInt8(ascii: "\\"), UInt8(ascii: "*")):
        rest.removeFirst()
        tokens.append(.byte(UInt8(ascii: "*")))
      case (UInt8(ascii: "*"), _): tokens.append(.run(crossesSlash: true))
      default: tokens.append(.byte(byte))
      }
    }
    self.init(text: value, tokens: tokens)
  }

  /// Of a path that is normalised but for its braces; nil if there is no gap in it.
  init?(path: String) {
    var tokens: [Token] = []
    var rest = Array(path.utf8)[...]
    while let byte = rest.popFirst() {
      switch (byte, rest.first) {
      case (UInt8(ascii: "*"), UInt8(ascii: "*")):
        rest.removeFirst()
        tokens.append(.run(crossesSlash: true))
      case (UInt8(ascii: "*"), _): tokens.append(.run(crossesSlash: false))
      case (UInt8(ascii: "{"), _):
        rest = rest.drop { $0 != UInt8(ascii: "}") }.dropFirst()
        tokens += [.one(crossesSlash: false), .run(crossesSlash: false)]
      default: tokens.append(.byte(byte))
      }
    }
    self.init(text: path, tokens: tokens)
  }

  private init?(text: String, tokens: [Token]) {
    let hasGap = tokens.contains { token in
      if case .byte = token { return false }
      return true
    }
    guard hasGap else { return nil }
    self.text = text
    self.tokens = tokens
  }

  /// What a value without a gap stands for.
  static func literal(_ value: String) -> String {
    guard value.utf8.contains(UInt8(ascii: "\\")) else { return value }
    var literal: [UInt8] = []
    for byte in value.utf8 {
      if byte == UInt8(ascii: "*"), literal.last == UInt8(ascii: "\\") { literal.removeLast() }
      literal.append(byte)
    }
    return String(decoding: literal, as: UTF8.self)
  }

  /// How much of it is fixed: the more, the choosier.
  var fixedCount: Int {
    tokens.count { token in
      if case .byte = token { return true }
      return false
    }
  }

  func matches(_ text: String) -> Bool {
    // Which tokens may come next; one past the last is a match.
    var reached = [Bool](repeating: false, count: tokens.count + 1)
    reached[0] = true
    skipRuns(&reached)
    for byte in text.utf8 {
      var next = [Bool](repeating: false, count: tokens.count + 1)
      var isAlive = false
      for (place, token) in tokens.enumerated() where reached[place] {
        switch token {
        case .byte(byte): next[place + 1] = true
        case .byte: continue
        case .one(let crossesSlash) where crossesSlash || byte != UInt8(ascii: "/"): next[place + 1] = true
        case .run(let crossesSlash) where crossesSlash || byte != UInt8(ascii: "/"): next[place] = true
        case .one, .run: continue
        }
        isAlive = true
      }
      guard isAlive else { return false }
      skipRuns(&next)
      reached = next
    }
    return reached[tokens.count]
  }

  private func skipRuns(_ reached: inout [Bool]) {
    for (place, token) in tokens.enumerated() where reached[place] {
      if case .run = token { reached[place + 1] = true }
    }
  }
}
