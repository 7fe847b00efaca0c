/// The items of a list, side by side, to be read without counting references.
struct ItemList {
  let composition: Composition
  private let first: Int
  let count: Int
  /// Which of several inputs it is.
  let input: Int?

  /// A null counts as an empty list.
  ///
  /// - Throws: what the value is if it is no list.
  init(_ list: Value, input: Int? = nil) throws(DataError) {
    guard list.kind == .array || list.isNull else {
      throw DataError(.type, input: input, "\(list.kind.name), where a list is expected")
    }
    let items = list.form == .list ? list : itemized([list].filter { !$0.isNull })
    composition = items.composition ?? .empty
    first = Int(items.offset)
    count = Int(items.length)
    self.input = input
  }

  @inline(__always)
  func slice(_ index: Int) -> Composition.Slice { composition.slices[first + index] }

  func value(_ index: Int) -> Value { composition[first + index] }

  /// A list of some of the items.
  func list(_ slices: ContiguousArray<Composition.Slice>) -> Value {
    guard !slices.isEmpty else { return .array([]) }
    let part = Composition(sources: composition.sources, texts: composition.texts, slices: slices)
    return Value(storage: part, offset: 0, length: UInt32(clamping: slices.count), form: .list)
  }

  /// All items as a list.
  var list: Value {
    count == 0
      ? .array([]) : Value(storage: composition, offset: UInt32(first), length: UInt32(count), form: .list)
  }

  func error(_ kind: DataError.Kind, item: Int? = nil, path: String? = nil, _ message: String) -> DataError {
    DataError(kind, input: input, item: item, path: path, message)
  }

  /// - Throws: what the item is if it is no object.
  @inline(__always)
  func requireObject(_ index: Int) throws(DataError) {
    let form = slice(index).form
    guard form.kind == .object else {
      throw error(.type, item: index, "\(form.kind.name), where an object is expected")
    }
  }
}

extension Composition {
  static let empty = Composition(sources: [], texts: [], slices: [])
}

/// What a path leads to in an item.
enum Found {
  case nothing
  /// A slice of the source of the item's composition with this number.
  case text(TextSlice, source: UInt32)
  case value(Value)

  var isNull: Bool {
    switch self {
    case .nothing: true
    case .text(let slice, _): slice.form == .null
    case .value(let value): value.isNull
    }
  }

  var kind: Value.Kind {
    switch self {
    case .nothing: .null
    case .text(let slice, _): slice.form.kind
    case .value(let value): value.kind
    }
  }
}

extension ItemList {
  /// What was found as a value of its own; nil for nothing.
  func value(_ found: Found) -> Value? {
    switch found {
    case .nothing: return nil
    case .value(let value): return value
    case .text(let slice, let source):
      guard slice.form.isText else { return Value(storage: nil, offset: 0, length: 0, form: slice.form) }
      let base = composition.texts[Int(source)].start.unsafelyUnwrapped
      return Value(
        storage: composition.sources[Int(source)], offset: UInt32(truncatingIfNeeded: slice.start - base),
        length: UInt32(truncatingIfNeeded: slice.count), form: slice.form)
    }
  }
}

extension ItemList {
  /// Brings the first bytes of some items into the cache, all at once.
  func readAhead(_ items: some Sequence<Int>) {
    var places: [Int] = []
    places.reserveCapacity(16)
    for item in items { places.append(first + item) }
    composition.readAhead(places)
  }

  /// Calls `body` with each field of an item that is an object, in the order of its text, repeats included.
  @inline(__always)
  func forEachField(_ item: Int, _ body: (TextSlice, Found) -> Void) {
    let slice = slice(item)
    if slice.form.isText {
      var fields = FieldCursor(composition.text(of: slice))
      while let field = fields.next() { body(field.key, .text(field.value, source: slice.source)) }
    } else {
      value(item).forEachMember { key, value in body(key, .value(value)) }
    }
  }
}
