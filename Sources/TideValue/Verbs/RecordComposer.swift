/// Makes many objects, whose fields lie side by side in one composition.
struct RecordComposer {
  typealias Slice = Composition.Slice

  private(set) var fields = Composer()
  private var records = ContiguousArray<Slice>()
  private var start = 0
  /// Items of lists that are made on the way, of the same sources.
  private var items = ContiguousArray<Slice>()
  private var itemSource: UInt32?
  /// Numbers and texts that are made on the way.
  private var made: [UInt8] = []
  private var madeSource: UInt32?
  /// By composition: where its sources are among those of the fields.
  private var known: [ObjectIdentifier: [UInt32]] = [:]
  /// Keeps what `known` names alive, so that no name is used twice.
  private var kept: [Composition] = []
  private var last: (id: ObjectIdentifier, places: [UInt32])?

  init(reserving records: Int, fields count: Int) {
    self.records.reserveInLargePages(records)
    fields.reserve(records * count * 2)
  }

  /// How many bytes an object of so many fields takes here.
  static func size(ofFields count: Int) -> Int { MemoryLayout<Slice>.stride * (1 + 2 * count) }

  /// How many bytes the objects take that were made so far.
  var size: Int { MemoryLayout<Slice>.stride * (records.count + fields.slices.count) }

  /// Makes room for so many fields in all; more is made when it is needed.
  mutating func reserve(_ count: Int) { fields.reserve(min(count, Int(UInt32.max) / 2) * 2) }

  /// Names as slices of one buffer, to be appended as often as wanted.
  mutating func names(_ names: [String]) -> [Slice] {
    let buffer = Buffer(copying: names.flatMap { Array($0.utf8) })
    let source = fields.source(buffer)
    var offset: UInt32 = 0
    return names.map { name in
      let length = UInt32(clamping: name.utf8.count)
      defer { offset += length }
      return Slice(source: source, offset: offset, length: length, form: .plain)
    }
  }

  /// The number of a source.
  mutating func source(_ storage: Value.Storage) -> UInt32 { fields.source(storage) }

  /// Where the sources of a composition are among those of the fields.
  mutating func places(of composition: Composition) -> [UInt32] {
    let id = ObjectIdentifier(composition)
    if let last, last.id == id { return last.places }
    let places = known[id] ?? fields.places(of: composition)
    if known.updateValue(places, forKey: id) == nil { kept.append(composition) }
    last = (id, places)
    return places
  }

  @inline(__always)
  mutating func append(_ slice: Slice) { fields.append(slice) }

  /// Adds what a path led to in an item of `list`; null for nothing.
  @inline(__always)
  mutating func append(_ found: Found, of list: ItemList, _ places: [UInt32]) {
    fields.append(slice(found, of: list, places))
  }

  /// What a path led to as a slice of the sources here.
  @inline(__always)
  mutating func slice(_ found: Found, of list: ItemList, _ places: [UInt32]) -> Slice {
    switch found {
    case .nothing: return .null
    case .text(let text, let source):
      return Slice(
        text, of: places[Int(source)], at: list.composition.texts[Int(source)].start.unsafelyUnwrapped)
    case .value(let value): return slice(value)
    }
  }

  /// The value of a slice of the sources here, unless it was made.
  func value(of slice: Slice) -> Value {
    let isStored = slice.form.isText || slice.form.isComposed && slice.length > 0
    return Value(
      storage: isStored ? fields.source(at: slice.source) : nil, offset: slice.offset, length: slice.length,
      form: slice.form)
  }

  mutating func slice(_ value: Value) -> Slice {
    let source = value.storage.map { fields.source($0) } ?? 0
    return Slice(source: source, offset: value.offset, length: value.length, form: value.form)
  }

  /// Calls `body` with the name of each field of an item that is an object, and with the name and the value as slices
  /// of the sources here.
  @inline(__always)
  mutating func forEachField(
    _ item: Int, of list: ItemList, _ places: [UInt32],
    _ body: (inout RecordComposer, _ name: TextSlice, _ key: Slice, _ value: Slice) -> Void
  ) {
    let slice = list.slice(item)
    if slice.form.isText {
      let base = list.composition.texts[Int(slice.source)].start.unsafelyUnwrapped
      let source = places[Int(slice.source)]
      var cursor = FieldCursor(list.composition.text(of: slice))
      while let field = cursor.next() {
        body(&self, field.key, Slice(field.key, of: source, at: base), Slice(field.value, of: source, at: base))
      }
    } else if slice.length > 0, let composition = list.value(item).composition {
      let places = self.places(of: composition)
      for field in 0..<Int(slice.length) {
        var key = composition.slices[Int(slice.offset) + field * 2]
        var value = composition.slices[Int(slice.offset) + field * 2 + 1]
        let name = composition.text(of: key)
        key.source = places[Int(key.source)]
        if !places.isEmpty { value.source = places[Int(value.source)] }
        body(&self, name, key, value)
      }
    }
  }

  /// The text of a slice, also of one that was made.
  func string(of slice: Slice) -> String {
    guard slice.form == .plain, slice.length > 0 else { return "" }
    if slice.source == madeSource {
      return String(decoding: made[Int(slice.offset)..<Int(slice.offset) + Int(slice.length)], as: UTF8.self)
    }
    return String(decoding: fields.text(of: slice).all, as: UTF8.self)
  }

  /// The text of a slice of the sources here, unless it was made.
  @inline(__always)
  func text(of slice: Slice) -> TextSlice { fields.text(of: slice) }

  /// A list of values of the sources here.
  mutating func list(of slices: some Collection<Slice>) -> Slice {
    let source = itemSource ?? fields.placeholder()
    itemSource = source
    let offset = items.count
    items.append(contentsOf: slices)
    return Slice(
      source: source, offset: UInt32(truncatingIfNeeded: offset), length: UInt32(clamping: slices.count), form: .list)
  }

  /// A number or a text of these bytes.
  mutating func made(_ bytes: some Collection<UInt8>, _ form: Form) -> Slice {
    let source = madeSource ?? fields.placeholder()
    madeSource = source
    let offset = made.count
    made.append(contentsOf: bytes)
    return Slice(
      source: source, offset: UInt32(truncatingIfNeeded: offset), length: UInt32(clamping: made.count - offset),
      form: form)
  }

  /// What becomes of several values for one place; nil if it is an error.
  mutating func resolve(_ slices: ArraySlice<Slice>, _ collision: Collision) -> Slice? {
    switch collision {
    case .error: return nil
    case .first: return slices.first
    case .last: return slices.last
    case .list: return list(of: slices)
    case .concat:
      guard slices.allSatisfy({ $0.form.kind == .array }) else { return nil }
      return concatenated(slices)
    }
  }

  private mutating func concatenated(_ slices: ArraySlice<Slice>) -> Slice {
    var items = ContiguousArray<Slice>()
    for slice in slices {
      if slice.form.isText {
        let text = fields.text(of: slice)
        let base = text.start - Int(slice.offset)
        var cursor = ItemCursor(text)
        while let item = cursor.next() { items.append(Slice(item, of: slice.source, at: base)) }
      } else if slice.length > 0, let composition = fields.source(at: slice.source) as? Composition {
        let places = self.places(of: composition)
        for index in Int(slice.offset)..<Int(slice.offset) + Int(slice.length) {
          var item = composition.slices[index]
          if !places.isEmpty { item.source = places[Int(item.source)] }
          items.append(item)
        }
      }
    }
    return list(of: items)
  }

  /// What was appended since the last object is the next.
  @inline(__always)
  mutating func endRecord() {
    let count = (fields.slices.count - start) / 2
    records.append(
      Slice(
        source: 0, offset: UInt32(truncatingIfNeeded: start), length: UInt32(truncatingIfNeeded: count), form: .record))
    start = fields.slices.count
  }

  /// All objects as one list.
  ///
  /// - Throws: that there are more fields than a list can hold.
  consuming func list() throws(DataError) -> Value {
    let records = self.records
    let composition = try finished()
    guard !records.isEmpty else { return .array([]) }
    let list = Composition(sources: [composition], texts: [Composition.Text(of: composition)], slices: records)
    return Value(storage: list, offset: 0, length: UInt32(clamping: records.count), form: .list)
  }

  /// The one object that was made.
  consuming func record() throws(DataError) -> Value {
    let count = fields.slices.count / 2
    let composition = try finished()
    return Value(
      storage: count == 0 ? nil : composition, offset: 0, length: UInt32(clamping: count), form: .record)
  }

  /// All values that were appended, as one list.
  consuming func values() throws(DataError) -> Value {
    let count = fields.slices.count
    let composition = try finished()
    return Value(storage: count == 0 ? nil : composition, offset: 0, length: UInt32(clamping: count), form: .list)
  }

  private consuming func finished() throws(DataError) -> Composition {
    guard fields.slices.count < UInt32.max, items.count < UInt32.max, made.count < UInt32.max,
      records.count < UInt32.max
    else {
      throw DataError(.size, "more than 2,147,483,647 fields in one result")
    }
    var fields = self.fields
    if let madeSource { fields.set(madeSource, to: Buffer(copying: made)) }
    if let itemSource { fields.set(itemSource, to: fields.composition(of: items)) }
    return fields.composition()
  }
}
