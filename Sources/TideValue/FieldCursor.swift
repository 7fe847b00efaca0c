/// Walks over the fields of an object's text.
struct FieldCursor {
  private var p: UnsafePointer<UInt8>
  private let limit: UnsafePointer<UInt8>
  private let spaced: Bool

  @inline(__always)
  init(_ object: TextSlice) {
    p = TextScan.afterSpace(object.start + 1)
    limit = object.limit
    spaced = object.form.isSpaced
  }

  @inline(__always)
  mutating func next() -> (key: TextSlice, value: TextSlice)? {
    next { p, limit, spaced in TextScan.value(at: p, limit: limit, spaced: spaced) }
  }

  @inline(__always)
  private mutating func next(
    _ read: (UnsafePointer<UInt8>, UnsafePointer<UInt8>, Bool) -> TextSlice
  ) -> (key: TextSlice, value: TextSlice)? {
    guard p.pointee != UInt8(ascii: "}") else { return nil }
    var escaped = false
    let keyEnd = TextScan.endOfText(p + 1, limit, escaped: &escaped)
    let key = TextSlice(start: p, end: keyEnd, limit: limit, form: escaped ? .escapedText : .text)
    // The colon.
    p = TextScan.afterSpace(TextScan.afterSpace(keyEnd) + 1)
    let value = read(p, limit, spaced)
    p = TextScan.afterSpace(value.end)
    if p.pointee == UInt8(ascii: ",") { p = TextScan.afterSpace(p + 1) }
    return (key, value)
  }

  /// The last field of this name.
  @inline(__always)
  static func find(_ name: UnsafeBufferPointer<UInt8>, in object: TextSlice) -> TextSlice? {
    var fields = FieldCursor(object)
    var found: TextSlice?
    while let field = fields.next() {
      if field.key.decodes(to: name) { found = field.value }
    }
    return found
  }

  /// The same in a text that starts at `base`, whose large parts are known.
  static func find(
    _ name: UnsafeBufferPointer<UInt8>, in object: TextSlice, _ large: LargeTexts, from base: UnsafePointer<UInt8>
  ) -> TextSlice? {
    var fields = FieldCursor(object)
    var found: TextSlice?
    while let field = fields.next({ p, limit, spaced in
      guard p.pointee | 0x20 == 0x7B, let end = large.end(of: p - base) else {
        return TextScan.value(at: p, limit: limit, spaced: spaced)
      }
      let isObject = p.pointee == UInt8(ascii: "{")
      let form: Form = isObject ? (spaced ? .spacedObject : .object) : spaced ? .spacedArray : .array
      return TextSlice(start: p, end: base + end, limit: limit, form: form)
    }) {
      if field.key.decodes(to: name) { found = field.value }
    }
    return found
  }
}
