/// Checks that a text is one JSON value (RFC 8259) in UTF-8, in one pass and without recursion.
struct Validator: ~Copyable {
  typealias Pointer = UnsafePointer<UInt8>

  /// What stopped the validator. Its place lies in the buffer that is being checked.
  struct Fault: Error, @unchecked Sendable {
    var message: String
    var place: Pointer
  }

  let end: Pointer
  let maximumDepth: Int
  /// Whether white space was skipped since `spaced` was last set to false.
  private var spaced = false
  private var open = Brackets()
  /// How many levels are looked at for large lists and objects.
  private static let tracked = 16
  /// Where the lists and objects start that are open. Plain memory: an inline array would be copied whole at each look.
  private let starts: UnsafeMutablePointer<Pointer>
  /// The large lists and objects that were closed, with the end of each.
  private(set) var large: [(start: Pointer, end: Pointer)] = []

  init(end: Pointer, maximumDepth: Int) {
    self.end = end
    self.maximumDepth = maximumDepth
    starts = .allocate(capacity: Validator.tracked)
  }

  deinit { starts.deallocate() }

  /// The one value between `start` and the end.
  mutating func run(_ start: Pointer) throws(Fault) -> TextSlice {
    let first = afterSpace(start)
    guard first < end else { throw Fault(message: "expected a value, found \(found(first))", place: first) }
    spaced = false
    var form = Form.null
    let last = try value(first, &form)
    let isSpaced = spaced
    let rest = afterSpace(last)
    guard rest == end else {
      throw Fault(message: "expected nothing after the value, found \(found(rest))", place: rest)
    }
    if isSpaced { form = form == .array ? .spacedArray : form == .object ? .spacedObject : form }
    return TextSlice(start: first, end: last, limit: end, form: form)
  }

  /// One past the value at `start`, which may be nested.
  private mutating func value(_ start: Pointer, _ form: inout Form) throws(Fault) -> Pointer {
    var p = start
    while true {
      guard p < end else { throw unexpectedValue(p) }
      switch p.pointee {
      case UInt8(ascii: "\""):
        var escaped = false
        p = try text(p, &escaped)
        form = escaped ? .escapedText : .text
      case UInt8(ascii: "{"):
        try push(p, object: true)
        p = afterSpace(p + 1)
        if p == end || p.pointee != UInt8(ascii: "}") {
          p = try key(p, first: true)
          continue
        }
      case UInt8(ascii: "["):
        try push(p, object: false)
        p = afterSpace(p + 1)
        if p == end || p.pointee != UInt8(ascii: "]") { continue }
      default:
        p = try scalar(p, &form)
      }
      if try isLast(&p, &form) { return p }
    }
  }

  /// Whether the value that ends at `p` is the outermost one, after closing what closes there. If not, `p` moves on to
  /// the next value.
  @inline(__always)
  private mutating func isLast(_ p: inout Pointer, _ form: inout Form) throws(Fault) -> Bool {
    while open.count > 0 {
      p = afterSpace(p)
      guard p < end else { throw unexpectedEnd(p, object: open.isObject) }
      let byte = p.pointee
      if byte == UInt8(ascii: ",") {
        p = afterSpace(p + 1)
        if open.isObject { p = try key(p, first: false) }
        return false
      }
      guard byte == (open.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
        throw unexpectedEnd(p, object: open.isObject)
      }
      form = open.isObject ? .object : .array
      p += 1
      open.pop()
      noteLarge(p)
    }
    return true
  }

  /// The start of the value after the key and the colon at `p`.
  @inline(__always)
  private mutating func key(_ p: Pointer, first: Bool) throws(Fault) -> Pointer {
    guard p < end, p.pointee == UInt8(ascii: "\"") else {
      let expected = first ? "a key or '}'" : "a key"
      throw Fault(message: "expected \(expected) in an object, found \(found(p))", place: p)
    }
    var escaped = false
    let colon = afterSpace(try text(p, &escaped))
    guard colon < end, colon.pointee == UInt8(ascii: ":") else {
      throw Fault(message: "expected ':' after a key, found \(found(colon))", place: colon)
    }
    return afterSpace(colon + 1)
  }

  @inline(__always)
  private mutating func push(_ p: Pointer, object: Bool) throws(Fault) {
    guard open.count < maximumDepth else {
      throw Fault(message: "lists and objects are nested deeper than the limit of \(maximumDepth)", place: p)
    }
    if open.count < Validator.tracked { starts[open.count] = p }
    open.push(object)
  }

  /// Keeps the end of the list or object that ends at `p` if finding it again would take long.
  @inline(__always)
  private mutating func noteLarge(_ p: Pointer) {
    guard open.count < Validator.tracked, p - starts[open.count] >= LargeTexts.threshold else { return }
    large.append((starts[open.count], p))
  }

  @inline(__always)
  private mutating func afterSpace(_ p: Pointer) -> Pointer {
    if p < end, p.pointee > 0x20 { return p }
    return afterSpaces(p)
  }

  @inline(never)
  private mutating func afterSpaces(_ start: Pointer) -> Pointer {
    var p = start
    while p < end {
      if end - p >= 8, Word.load(p) == Word.all(0x20) {
        p += 8
        continue
      }
      let byte = p.pointee
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
      p += 1
    }
    if p != start { spaced = true }
    return p
  }

  /// One past the closing quote of the text that starts at `p`.
  @inline(__always)
  private func text(_ start: Pointer, _ escaped: inout Bool) throws(Fault) -> Pointer {
    var p = start + 1
    while true {
      while end - p >= 8 {
        let found = Word.textStops(Word.load(p))
        if found != 0 {
          p += Word.first(found)
          break
        }
        p += 8
      }
      guard p < end else { throw Fault(message: "expected '\"' at the end of a text, found \(found(p))", place: p) }
      let byte = p.pointee
      if byte == UInt8(ascii: "\"") { return p + 1 }
      if byte == UInt8(ascii: "\\") {
        escaped = true
        p = try escape(p)
      } else if byte >= 0x80 {
        let count = UTF8Text.sequence(p, end)
        guard count > 0 else { throw Fault(message: "not valid UTF-8 in a text: \(found(p))", place: p) }
        p += count
      } else if byte < 0x20 {
        throw Fault(message: "a text may not contain \(found(p)) unescaped", place: p)
      } else {
        p += 1
      }
    }
  }
}

/// Which kinds of brackets are open, a bit each.
private struct Brackets {
  private(set) var count = 0
  private var bits: UInt64 = 0
  private var below: [UInt64] = []

  @inline(__always) var isObject: Bool { bits & 1 != 0 }

  @inline(__always)
  mutating func push(_ object: Bool) {
    if count & 63 == 63 { below.append(bits) }
    bits = bits << 1 | (object ? 1 : 0)
    count += 1
  }

  @inline(__always)
  mutating func pop() {
    count -= 1
    if count & 63 == 63, let last = below.popLast() { bits = last } else { bits >>= 1 }
  }
}
