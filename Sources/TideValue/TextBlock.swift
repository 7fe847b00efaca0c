/// What stands where in 64 bytes of valid JSON: a bit a byte, the first byte in the lowest bit.
///
/// Brackets are counted a block at a time, because looking for the next one byte by byte waits for each before it can
/// look for the next.
struct TextBlock {
  private var quotes: UInt64 = 0
  private var opens: UInt64 = 0
  private var closes: UInt64 = 0
  private var hasBackslash = false

  /// What lies before a block: whether it ends within a text, and with a backslash that escapes what follows.
  struct State {
    var inText: UInt64 = 0
    var escapes = false
  }

  /// Reads 64 bytes from `p` on.
  @inline(__always)
  init(_ p: UnsafePointer<UInt8>) {
    var backslashes: UInt64 = 0
    for index in 0..<8 {
      let word = Word.load(p + index * 8)
      let lower = word | Word.all(0x20)
      let shift = UInt64(index * 8)
      quotes |= Word.bits(Word.exactly(word ^ Word.all(0x22))) << shift
      opens |= Word.bits(Word.exactly(lower ^ Word.all(0x7B))) << shift
      closes |= Word.bits(Word.exactly(lower ^ Word.all(0x7D))) << shift
      let backslash = word ^ Word.all(0x5C)
      backslashes |= (backslash &- Word.ones) & ~backslash
    }
    hasBackslash = backslashes & Word.highs != 0
  }

  /// The brackets outside of texts.
  @inline(__always)
  func brackets(_ p: UnsafePointer<UInt8>, _ state: inout State) -> (opens: UInt64, closes: UInt64) {
    var inText = quotes
    if hasBackslash || state.escapes { inText &= ~TextBlock.escaped(p, &state) }
    inText ^= inText << 1
    inText ^= inText << 2
    inText ^= inText << 4
    inText ^= inText << 8
    inText ^= inText << 16
    inText ^= inText << 32
    inText ^= state.inText
    state.inText = UInt64(bitPattern: Int64(bitPattern: inText) >> 63)
    return (opens & ~inText, closes & ~inText)
  }

  /// The bytes that a backslash before them escapes.
  @inline(never)
  private static func escaped(_ p: UnsafePointer<UInt8>, _ state: inout State) -> UInt64 {
    var escaped: UInt64 = 0
    var escapes = state.escapes
    for index in 0..<64 {
      if escapes {
        escaped |= 1 << UInt64(index)
        escapes = false
      } else {
        escapes = p[index] == UInt8(ascii: "\\")
      }
    }
    state.escapes = escapes
    return escaped
  }
}

extension TextScan {
  /// One past the closing bracket of the list or object that opens at `p`.
  @inline(__always)
  static func endOfBrackets(_ p: Pointer, _ limit: Pointer, likelyShort: Bool) -> Pointer {
    guard likelyShort else { return endOfBrackets(p, 0, limit) }
    // Then the branch predictor is faster than any arithmetic.
    let far = p + 40
    var p = p
    var depth = 0
    var escaped = false
    while p < far {
      let byte = p.pointee
      p += 1
      if byte == UInt8(ascii: "\"") {
        p = endOfText(p, limit, escaped: &escaped)
      } else if byte | 0x20 == 0x7B {
        depth += 1
      } else if byte | 0x20 == 0x7D {
        depth -= 1
        if depth == 0 { return p }
      }
    }
    return endOfBrackets(p, depth, limit)
  }

  /// The same by blocks, from a place outside of texts with `depth` brackets open.
  @inline(never)
  private static func endOfBrackets(_ p: Pointer, _ depth: Int, _ limit: Pointer) -> Pointer {
    var p = p
    var depth = depth
    var state = TextBlock.State()
    while limit - p >= 64 {
      let (opens, closes) = TextBlock(p).brackets(p, &state)
      if depth > closes.nonzeroBitCount {
        depth += opens.nonzeroBitCount - closes.nonzeroBitCount
      } else {
        var left = closes
        while left != 0 {
          let bit = left & (~left &+ 1)
          left ^= bit
          depth -= 1
          if depth + (opens & (bit &- 1)).nonzeroBitCount == 0 { return p + bit.trailingZeroBitCount + 1 }
        }
        depth += opens.nonzeroBitCount
      }
      p += 64
    }
    return endOfBrackets(p, depth, state)
  }

  /// The same for the last bytes of a buffer.
  private static func endOfBrackets(_ p: Pointer, _ depth: Int, _ state: TextBlock.State) -> Pointer {
    var p = p
    var depth = depth
    var inText = state.inText != 0
    var escapes = state.escapes
    while true {
      let byte = p.pointee
      p += 1
      if escapes {
        escapes = false
      } else if inText {
        escapes = byte == UInt8(ascii: "\\")
        inText = byte != UInt8(ascii: "\"")
      } else if byte == UInt8(ascii: "\"") {
        inText = true
      } else if byte | 0x20 == 0x7B {
        depth += 1
      } else if byte | 0x20 == 0x7D {
        depth -= 1
        if depth == 0 { return p }
      }
    }
  }
}
