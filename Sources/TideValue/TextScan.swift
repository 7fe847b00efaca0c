/// Steps over JSON text that is known to be valid.
enum TextScan {
  typealias Pointer = UnsafePointer<UInt8>

  /// The first byte from `p` on that is not white space.
  @inline(__always)
  static func afterSpace(_ p: Pointer) -> Pointer {
    var p = p
    while p.pointee <= 0x20 { p += 1 }
    return p
  }

  /// One past the closing quote of the text whose first byte after the opening quote is `p`.
  @inline(__always)
  static func endOfText(_ p: Pointer, _ limit: Pointer, escaped: inout Bool) -> Pointer {
    var p = p
    while true {
      while limit - p >= 8 {
        let found = Word.quoteStops(Word.load(p))
        if found != 0 {
          p += Word.first(found)
          break
        }
        p += 8
      }
      while p.pointee != 0x22 && p.pointee != 0x5C { p += 1 }
      if p.pointee == 0x22 { return p + 1 }
      escaped = true
      p += 2
    }
  }

  /// The value that starts at `p`. `spaced` says whether its container has white space.
  @inline(__always)
  static func value(at p: Pointer, limit: Pointer, spaced: Bool) -> TextSlice {
    switch p.pointee {
    case UInt8(ascii: "\""):
      var escaped = false
      let end = endOfText(p + 1, limit, escaped: &escaped)
      return TextSlice(start: p, end: end, limit: limit, form: escaped ? .escapedText : .text)
    case UInt8(ascii: "{"):
      let form: Form = spaced ? .spacedObject : .object
      let end = endOfBrackets(p, limit)
      return TextSlice(start: p, end: end, limit: limit, form: form)
    case UInt8(ascii: "["):
      let form: Form = spaced ? .spacedArray : .array
      let end = endOfBrackets(p, limit)
      return TextSlice(start: p, end: end, limit: limit, form: form)
    case UInt8(ascii: "n"): return TextSlice(start: p, end: p + 4, limit: limit, form: .null)
    case UInt8(ascii: "t"): return TextSlice(start: p, end: p + 4, limit: limit, form: .yes)
    case UInt8(ascii: "f"): return TextSlice(start: p, end: p + 5, limit: limit, form: .no)
    default:
      return TextSlice(start: p, end: endOfNumber(p, limit), limit: limit, form: .number)
    }
  }

  /// One past the closing bracket of the list or object that opens at `p`.
  @inline(__always)
  static func endOfBrackets(_ start: Pointer, _ limit: Pointer) -> Pointer {
    // Most are short, and then the branch predictor is faster than any arithmetic.
    var p = start
    var depth = 0
    var escaped = false
    while p < start + 40 {
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
    var brackets = BracketScan(limit)
    return brackets.end(from: p, depth: depth)
  }

  /// A number ends at a comma, a closing bracket, white space or the end of the buffer.
  @inline(__always)
  static func endOfNumber(_ p: Pointer, _ limit: Pointer) -> Pointer {
    var p = p + 1
    while p < limit {
      let byte = p.pointee
      // Of all that may follow, only 'E' and 'e' lie above '9'; ',' lies between '+' and '-'.
      if byte <= 0x20 || byte == 0x2C || byte == 0x5D || byte == 0x7D { break }
      p += 1
    }
    return p
  }
}

/// Walks over the items of a list's text.
struct ItemCursor {
  private var p: UnsafePointer<UInt8>
  private let limit: UnsafePointer<UInt8>
  private let spaced: Bool
  private var brackets: BracketScan

  @inline(__always)
  init(_ list: TextSlice) {
    p = TextScan.afterSpace(list.start + 1)
    limit = list.limit
    brackets = BracketScan(limit)
    spaced = list.form.isSpaced
  }

  @inline(__always)
  mutating func next() -> TextSlice? {
    guard p.pointee != UInt8(ascii: "]") else { return nil }
    let item: TextSlice
    if p.pointee | 0x20 == 0x7B {
      // Records: their blocks are read one after the other, whatever the records' lengths.
      let isObject = p.pointee == UInt8(ascii: "{")
      let form: Form = isObject ? (spaced ? .spacedObject : .object) : spaced ? .spacedArray : .array
      item = TextSlice(start: p, end: brackets.end(from: p, depth: 0), limit: limit, form: form)
    } else {
      item = TextScan.value(at: p, limit: limit, spaced: spaced)
    }
    p = TextScan.afterSpace(item.end)
    if p.pointee == UInt8(ascii: ",") { p = TextScan.afterSpace(p + 1) }
    return item
  }

  /// The item at an index, from the end if negative.
  static func find(_ index: Int, in list: TextSlice) -> TextSlice? {
    var left = index
    if index < 0 {
      var items = ItemCursor(list)
      while items.next() != nil { left += 1 }
      if left < 0 { return nil }
    }
    var items = ItemCursor(list)
    while let item = items.next() {
      if left == 0 { return item }
      left -= 1
    }
    return nil
  }
}
