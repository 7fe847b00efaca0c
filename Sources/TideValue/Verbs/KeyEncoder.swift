/// Writes values as bytes that are equal exactly when the values are (`Value.==`).
///
/// Numbers by their exact value, texts decoded, objects by the last field of each name, sorted. Runs without recursion.
struct KeyEncoder: ~Copyable {
  enum Tag {
    // As the forms of these values.
    static let null = Form.null.rawValue
    static let no = Form.no.rawValue
    static let yes = Form.yes.rawValue
    static let number: UInt8 = 3
    static let text: UInt8 = 4
    static let list: UInt8 = 5
    static let object: UInt8 = 6
    static let bytes: UInt8 = 7
    /// Several values one after the other.
    static let several: UInt8 = 8
  }

  private struct Field<Content> {
    /// A text without escapes.
    let name: TextSlice
    let place: Int
    let value: Content

    @inline(__always)
    func precedes(_ other: Field) -> Bool {
      let order = name.content.order(against: other.name.content)
      return order == 0 ? place < other.place : order < 0
    }
  }

  /// What is still to be written of a composed value.
  private enum Part {
    case text(TextSlice)
    case value(Value)
  }

  private(set) var bytes = KeyBytes()
  private var texts: [TextSlice] = []
  private var parts: [Part] = []
  private var fields: [Field<TextSlice>] = []
  /// Decoded names of the value that is being written.
  private var arena: Arena?

  mutating func removeAll() { bytes.removeAll() }

  /// Appends a value, so that what follows can be told from it.
  mutating func append(_ found: Found) {
    switch found {
    case .nothing: bytes.append(Tag.null)
    case .text(let slice, _): append(slice)
    case .value(let value): append(value)
    }
    arena = nil
  }

  private mutating func append(_ slice: TextSlice) {
    texts.append(slice)
    while let next = texts.popLast() {
      switch next.form {
      case .array, .spacedArray:
        let start = texts.count
        var items = ItemCursor(next)
        while let item = items.next() { texts.append(item) }
        bytes.append(Tag.list)
        bytes.append(size: texts.count - start)
        texts[start...].reverse()
      case .object, .spacedObject: open(next)
      default: scalar(next)
      }
    }
  }

  /// Writes the bracket of an object, and puts down its names and values.
  private mutating func open(_ object: TextSlice) {
    fields.removeAll(keepingCapacity: true)
    var cursor = FieldCursor(object)
    while let field = cursor.next() {
      fields.append(Field(name: decoded(field.key), place: fields.count, value: field.value))
    }
    KeyEncoder.sort(&fields)
    let start = texts.count
    // What is put down first is taken last.
    for index in fields.indices.reversed() where isLast(index, fields) {
      texts.append(fields[index].value)
      texts.append(fields[index].name)
    }
    bytes.append(Tag.object)
    bytes.append(size: texts.count - start)
  }

  private mutating func append(_ value: Value) {
    parts.append(.value(value))
    while let next = parts.popLast() {
      switch next {
      case .text(let slice): append(slice)
      case .value(let value) where value.form == .list:
        bytes.append(Tag.list)
        bytes.append(size: value.count)
        for item in value.items.reversed() { parts.append(.value(item)) }
      case .value(let value) where value.form == .record: openComposed(value)
      case .value(let value) where value.form == .integer:
        var text = String(value.inlineInteger)
        text.withUTF8 { number($0) }
      case .value(let value) where value.form.isText: value.withSlice { append($0) }
      case .value(let value): bytes.append(value.form.rawValue)
      }
    }
  }

  private mutating func openComposed(_ object: Value) {
    var fields: [Field<Value>] = []
    object.forEachMember { fields.append(Field(name: decoded($0), place: fields.count, value: $1)) }
    KeyEncoder.sort(&fields)
    let start = parts.count
    for index in fields.indices.reversed() where isLast(index, fields) {
      parts.append(.value(fields[index].value))
      parts.append(.text(fields[index].name))
    }
    bytes.append(Tag.object)
    bytes.append(size: parts.count - start)
  }

  /// Of equal names the last counts.
  @inline(__always)
  private func isLast<Content>(_ index: Int, _ fields: [Field<Content>]) -> Bool {
    index + 1 == fields.count || !fields[index].name.content.isSame(as: fields[index + 1].name.content)
  }

  private mutating func decoded(_ key: TextSlice) -> TextSlice {
    guard key.form == .escapedText else { return key }
    let arena = self.arena ?? Arena()
    self.arena = arena
    let name = arena.keep(Escapes.decoded(key.content))
    let start = name.baseAddress ?? key.start
    return TextSlice(start: start, end: start + name.count, limit: start + name.count, form: .plain)
  }

  @inline(__always)
  private static func sort<Content>(_ fields: inout [Field<Content>]) {
    if fields.count > 24 { return fields.sort { $0.precedes($1) } }
    for index in fields.indices.dropFirst() where fields[index].precedes(fields[index - 1]) {
      let field = fields[index]
      var hole = index
      while hole > 0, field.precedes(fields[hole - 1]) {
        fields[hole] = fields[hole - 1]
        hole -= 1
      }
      fields[hole] = field
    }
  }

  @inline(__always)
  private mutating func scalar(_ slice: TextSlice) {
    switch slice.form {
    case .number: number(slice.all)
    case .text, .plain:
      bytes.append(Tag.text)
      append(counted: slice.content)
    case .escapedText:
      bytes.append(Tag.text)
      Escapes.decoded(slice.content).withUnsafeBufferPointer { append(counted: $0) }
    case .bytes:
      bytes.append(Tag.bytes)
      append(counted: slice.all)
    default: bytes.append(slice.form.rawValue)
    }
  }

  @inline(__always)
  private mutating func append(counted text: UnsafeBufferPointer<UInt8>) {
    bytes.append(size: text.count)
    bytes.append(text)
  }

  private mutating func number(_ text: UnsafeBufferPointer<UInt8>) {
    bytes.append(Tag.number)
    if CanonicalNumber.isCanonical(text) { return append(counted: text) }
    CanonicalNumber.canonical(text).withUnsafeBufferPointer { append(counted: $0) }
  }
}
