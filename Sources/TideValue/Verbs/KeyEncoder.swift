/// Writes values as bytes that are equal exactly when the values are (`Value.==`).
///
/// Numbers by their exact value, texts decoded, objects by the last field of each name, sorted. Runs without recursion.
struct KeyEncoder {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  enum Tag {
    static let null: UInt8 = 0
    static let no: UInt8 = 1
    static let yes: UInt8 = 2
    static let number: UInt8 = 3
    static let text: UInt8 = 4
    static let list: UInt8 = 5
    static let object: UInt8 = 6
    static let bytes: UInt8 = 7
    /// Several values one after the other.
    static let several: UInt8 = 8
  }

  /// What is still to be written.
  private enum Work {
    case text(TextSlice)
    case value(Value)
    case name(Bytes)
  }

  private struct Field {
    let name: Bytes
    let place: Int
    let value: Work
  }

  private(set) var bytes: [UInt8] = []
  private var work: [Work] = []
  private var fields: [Field] = []
  /// Decoded names of the value that is being written.
  private var arena: Arena?

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Appends a value, so that what follows can be told from it.
  mutating func append(_ found: Found) {
    switch found {
    case .nothing: bytes.append(Tag.null)
    case .text(let slice, _): work.append(.text(slice))
    case .value(let value): work.append(.value(value))
    }
    while let next = work.popLast() {
      switch next {
      case .name(let name): append(counted: name)
      case .text(let slice): write(slice)
      case .value(let value): write(value)
      }
    }
    arena = nil
  }

  private mutating func write(_ slice: TextSlice) {
    switch slice.form {
    case .array, .spacedArray:
      let start = work.count
      var items = ItemCursor(slice)
      while let item = items.next() { work.append(.text(item)) }
      open(Tag.list, from: start, count: work.count - start)
    case .object, .spacedObject:
      fields.removeAll(keepingCapacity: true)
      var cursor = FieldCursor(slice)
      while let field = cursor.next() { add(field.key, .text(field.value)) }
      writeFields()
    default: scalar(slice)
    }
  }

  private mutating func write(_ value: Value) {
    switch value.form {
    case .list:
      let start = work.count
      value.forEachItem { work.append(.value($0)) }
      open(Tag.list, from: start, count: work.count - start)
    case .record:
      fields.removeAll(keepingCapacity: true)
      value.forEachMember { add($0, .value($1)) }
      writeFields()
    case .integer:
      bytes.append(Tag.number)
      var text = String(value.inlineInteger)
      text.withUTF8 { append(counted: $0, canonical: true) }
    case .null, .no, .yes: bytes.append(value.form.rawValue)
    default: value.withSlice { write($0) }
    }
  }

  /// Writes a bracket, and turns round what was put down since `start`, so that the first is taken first.
  private mutating func open(_ tag: UInt8, from start: Int, count: Int) {
    bytes.append(tag)
    append(count)
    work[start...].reverse()
  }

  private mutating func add(_ key: TextSlice, _ value: Work) {
    var name = key.content
    if key.form == .escapedText {
      let arena = self.arena ?? Arena()
      self.arena = arena
      name = arena.keep(Escapes.decoded(key.content))
    }
    fields.append(Field(name: name, place: fields.count, value: value))
  }

  private mutating func writeFields() {
    sortFields()
    let start = work.count
    var count = 0
    for index in fields.indices {
      // Of equal names the last counts.
      if index + 1 < fields.count, fields[index].name.isSame(as: fields[index + 1].name) { continue }
      work.append(.name(fields[index].name))
      work.append(fields[index].value)
      count += 1
    }
    open(Tag.object, from: start, count: count)
  }

  private mutating func sortFields() {
    func precedes(_ left: Field, _ right: Field) -> Bool {
      let order = left.name.order(against: right.name)
      return order == 0 ? left.place < right.place : order < 0
    }
    if fields.count > 24 { return fields.sort(by: precedes) }
    for index in fields.indices.dropFirst() {
      let field = fields[index]
      var hole = index
      while hole > 0, precedes(field, fields[hole - 1]) {
        fields[hole] = fields[hole - 1]
        hole -= 1
      }
      fields[hole] = field
    }
  }

  private mutating func scalar(_ slice: TextSlice) {
    switch slice.form {
    case .null, .no, .yes: bytes.append(slice.form.rawValue)
    case .number:
      bytes.append(Tag.number)
      append(counted: slice.all, canonical: CanonicalNumber.isCanonical(slice.all))
    case .bytes:
      bytes.append(Tag.bytes)
      append(counted: slice.all)
    default:
      bytes.append(Tag.text)
      slice.withDecoded { append(counted: $0) }
    }
  }

  private mutating func append(_ count: Int) {
    withUnsafeBytes(of: UInt64(count).littleEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func append(counted text: Bytes) {
    append(text.count)
    bytes.append(contentsOf: text)
  }

  private mutating func append(counted number: Bytes, canonical: Bool) {
    guard !canonical else { return append(counted: number) }
    let place = bytes.count
    append(0)
    CanonicalNumber.append(number, to: &bytes)
    let count = UInt64(bytes.count - place - 8)
    for index in 0..<8 { bytes[place + index] = UInt8(truncatingIfNeeded: count >> UInt64(index * 8)) }
  }
}
