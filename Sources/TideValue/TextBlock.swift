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
    var others = (quotes: UInt64(0), brackets: UInt64(0))
    var openers: UInt64 = 0
    // Each word's bits move down by one for each word after it, so that they end up side by side in each byte.
    for index in 0..<8 {
      let word = Word.load(p + index * 8)
      others.quotes = others.quotes >> 1 | Word.others(word ^ Word.all(0x22))
      // The brackets, and a few bytes that stand in texts only, are 0x7F with these bits set; bit 1 tells '[' from ']'.
      others.brackets = others.brackets >> 1 | Word.others((word | Word.all(0x26)) ^ Word.all(0x7F))
      openers = openers >> 1 | word << 6 & Word.highs
      let backslash = word ^ Word.all(0x5C)
      backslashes |= (backslash &- Word.ones) & ~backslash
    }
    quotes = Word.transposed(~others.quotes)
    if ~others.brackets != 0 {
      opens = Word.transposed(~others.brackets & openers)
      closes = Word.transposed(~others.brackets & ~openers)
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

  /// How many bytes of a block lie before the end of the bracket that brings `depth` to 0; nil if none does.
  @inline(__always)
  static func close(_ opens: UInt64, _ closes: UInt64, _ depth: inout Int) -> Int? {
    var left = closes
    while left != 0 {
      let bit = left & (~left &+ 1)
      left ^= bit
      depth -= 1
      if depth + (opens & (bit &- 1)).nonzeroBitCount == 0 { return bit.trailingZeroBitCount + 1 }
    }
    depth += opens.nonzeroBitCount
    return nil
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

/// Looks for closing brackets in one text, each beyond the one before.
struct BracketScan {
  typealias Pointer = UnsafePointer<UInt8>

  private let limit: Pointer
  /// The block that was read last: where it starts, its brackets, and what lies before the next one.
  private var block: Pointer?
  private var opens: UInt64 = 0
  private var closes: UInt64 = 0
  private var state = TextBlock.State()

  init(_ limit: Pointer) { self.limit = limit }

  /// One past the bracket that closes the last of `depth` that are open at `start`, which lies outside of texts.
  mutating func end(from start: Pointer, depth: Int) -> Pointer {
    var depth = depth
    var block = start
    if let last = self.block, start - last < 64 {
      block = last
      let rest = ~UInt64(0) << UInt64(start - last)
      opens &= rest
      closes &= rest
    } else {
      state = TextBlock.State()
      guard read(block) else { return BracketScan.end(from: block, depth, state) }
    }
    while true {
      if depth > closes.nonzeroBitCount {
        depth += opens.nonzeroBitCount - closes.nonzeroBitCount
      } else if let end = TextBlock.close(opens, closes, &depth) {
        self.block = block
        return block + end
      }
      block += 64
      guard read(block) else { return BracketScan.end(from: block, depth, state) }
    }
  }

  /// Reads the block at `p` unless the buffer ends within it.
  @inline(__always)
  private mutating func read(_ p: Pointer) -> Bool {
    guard limit - p >= 64 else {
      block = nil
      return false
    }
    (opens, closes) = TextBlock(p).brackets(p, &state)
    return true
  }

  /// The same byte by byte, for the last ones of a buffer.
  private static func end(from start: Pointer, _ depth: Int, _ state: TextBlock.State) -> Pointer {
    var p = start
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
