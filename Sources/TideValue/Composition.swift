/// Values put together from others: slices of any number of buffers, side by side in one array.
///
/// One composition holds the items of a list, or the fields of as many objects as a verb made at once. A slice has no
/// reference of its own, so moving a million of them costs no reference count, and a part of a list is a range.
final class Composition: Sendable {
  /// A value whose storage is `sources[source]`.
  struct Slice: Sendable {
    var source: UInt32
    var offset: UInt32
    var length: UInt32
    var form: Form

    init(source: UInt32, offset: UInt32, length: UInt32, form: Form) {
      self.source = source
      self.offset = offset
      self.length = length
      self.form = form
    }

    /// A slice of the source whose first byte is `base`, or a constant.
    @inline(__always)
    init(_ text: TextSlice, of source: UInt32, at base: UnsafePointer<UInt8>) {
      self.source = source
      offset = UInt32(truncatingIfNeeded: text.start - base)
      length = UInt32(truncatingIfNeeded: text.count)
      form = text.form
    }

    static let null = Slice(source: 0, offset: 0, length: 0, form: .null)
  }

  /// Where the bytes of a source are, to be read without touching its reference count. Nil for a composition.
  struct Text: @unchecked Sendable {
    let start: UnsafePointer<UInt8>?
    let end: UnsafePointer<UInt8>?

    init(of storage: Value.Storage) {
      let buffer = storage as? Buffer
      start = buffer?.start
      end = buffer?.end
    }
  }

  private nonisolated(unsafe) var held: ContiguousArray<Value.Storage>
  let texts: ContiguousArray<Text>
  let slices: ContiguousArray<Slice>

  init(sources: ContiguousArray<Value.Storage>, texts: ContiguousArray<Text>, slices: ContiguousArray<Slice>) {
    self.held = sources
    self.texts = texts
    self.slices = slices
  }

  /// Compositions nested a million deep must not be released by recursion: it would overflow the stack.
  deinit {
    var pending = ContiguousArray<Value.Storage>()
    swap(&pending, &held)
    while let storage = pending.popLast() {
      guard let nested = storage as? Composition else { continue }
      var only = nested
      _ = consume nested
      _ = consume storage
      if isKnownUniquelyReferenced(&only) {
        pending.append(contentsOf: only.held)
        only.held = []
      }
    }
  }

  var sources: ContiguousArray<Value.Storage> { held }

  /// The value of the slice at `index`.
  subscript(index: Int) -> Value { value(of: slices[index]) }

  func value(of slice: Slice) -> Value {
    let storage = slice.form.isText || slice.form.isComposed && slice.length > 0 ? held[Int(slice.source)] : nil
    return Value(storage: storage, offset: slice.offset, length: slice.length, form: slice.form)
  }

  /// The bytes of a slice whose form has text.
  @inline(__always)
  func text(of slice: Slice) -> TextSlice {
    let text = texts[Int(slice.source)]
    return TextSlice(
      in: text.start.unsafelyUnwrapped, end: text.end.unsafelyUnwrapped, offset: slice.offset, length: slice.length,
      form: slice.form)
  }

  /// Brings the first bytes of some slices into the cache, all at once: in a sorted list they lie all over memory, and
  /// waiting for one after the other takes many times as long.
  @inline(never)
  func readAhead(_ range: Range<Int>) {
    var seen: UInt8 = 0
    for slice in slices[range] where slice.form.isText && slice.length > 0 {
      seen &+= texts[Int(slice.source)].start.unsafelyUnwrapped[Int(slice.offset)]
    }
    Composition.seen(seen)
  }

  /// The same for slices that don't lie side by side.
  @inline(never)
  func readAhead(_ places: [Int]) {
    var seen: UInt8 = 0
    for place in places { seen &+= UInt8(truncatingIfNeeded: slices[place].offset) }
    for place in places {
      let slice = slices[place]
      if slice.form.isText, slice.length > 0 {
        seen &+= texts[Int(slice.source)].start.unsafelyUnwrapped[Int(slice.offset)]
      }
    }
    Composition.seen(seen)
  }

  /// Keeps the reading ahead from being left out.
  @_optimize(none)
  private static func seen(_ byte: UInt8) {}
}

/// Puts a composition together.
struct Composer {
  private var sources = ContiguousArray<Value.Storage>()
  private var texts = ContiguousArray<Composition.Text>()
  private var places: [ObjectIdentifier: UInt32] = [:]
  private(set) var slices = ContiguousArray<Composition.Slice>()

  mutating func reserve(_ count: Int) {
    slices.reserveInLargePages(count)
  }

  /// The index of a source, which is kept once however often it is named.
  mutating func source(_ storage: Value.Storage) -> UInt32 {
    if let last = sources.last, last === storage { return UInt32(sources.count - 1) }
    let id = ObjectIdentifier(storage)
    if let place = places[id] { return place }
    let place = UInt32(sources.count)
    places[id] = place
    sources.append(storage)
    texts.append(Composition.Text(of: storage))
    return place
  }

  mutating func append(_ value: Value) {
    let source = value.storage.map { self.source($0) } ?? 0
    slices.append(
      Composition.Slice(source: source, offset: value.offset, length: value.length, form: value.form))
  }

  /// Adds a slice of the text source `source`, whose first byte is `base`.
  @inline(__always)
  mutating func append(_ text: TextSlice, of source: UInt32, at base: UnsafePointer<UInt8>) {
    slices.append(Composition.Slice(text, of: source, at: base))
  }

  func source(at place: UInt32) -> Value.Storage { sources[Int(place)] }

  /// Where the sources of another composition are among these.
  mutating func places(of other: Composition) -> [UInt32] { other.sources.map { source($0) } }

  /// Adds a slice whose source is one of these already.
  @inline(__always)
  mutating func append(_ slice: Composition.Slice) { slices.append(slice) }

  /// The bytes of a slice whose form has text.
  @inline(__always)
  func text(of slice: Composition.Slice) -> TextSlice {
    let text = texts[Int(slice.source)]
    return TextSlice(
      in: text.start.unsafelyUnwrapped, end: text.end.unsafelyUnwrapped, offset: slice.offset, length: slice.length,
      form: slice.form)
  }

  /// A source that is made later: `set` it before the composition is.
  mutating func placeholder() -> UInt32 {
    source(Buffer(copying: []))
  }

  mutating func set(_ source: UInt32, to storage: Value.Storage) {
    sources[Int(source)] = storage
    texts[Int(source)] = Composition.Text(of: storage)
  }

  /// A composition of other slices of the same sources.
  func composition(of slices: ContiguousArray<Composition.Slice>) -> Composition {
    Composition(sources: sources, texts: texts, slices: slices)
  }

  /// All slices.
  consuming func composition() -> Composition { Composition(sources: sources, texts: texts, slices: slices) }

  /// Adds slices of another composition.
  mutating func append(_ range: Range<Int>, of other: Composition) {
    let places = places(of: other)
    for slice in other.slices[range] {
      var slice = slice
      if !places.isEmpty { slice.source = places[Int(slice.source)] }
      slices.append(slice)
    }
  }

  /// All slices as one list.
  consuming func list() -> Value { value(form: .list, count: slices.count) }

  /// All slices, a key and a value each, as one object.
  consuming func record() -> Value { value(form: .record, count: slices.count / 2) }

  private consuming func value(form: Form, count: Int) -> Value {
    let storage = count == 0 ? nil : Composition(sources: sources, texts: texts, slices: slices)
    return Value(storage: storage, offset: 0, length: UInt32(clamping: count), form: form)
  }
}

extension Value {
  /// A list of these items.
  public static func array(_ items: [Value]) -> Value {
    var composer = Composer()
    composer.reserve(items.count)
    for item in items { composer.append(item) }
    return composer.list()
  }

  /// An object of these fields, in this order, repeats included.
  public static func object(_ fields: [(key: String, value: Value)]) -> Value {
    var composer = Composer()
    composer.reserve(fields.count * 2)
    var keys: [UInt8] = []
    for field in fields { keys.append(contentsOf: field.key.utf8) }
    let buffer = Buffer(copying: keys)
    let source = composer.source(buffer)
    var start = buffer.start
    for field in fields {
      let end = start + field.key.utf8.count
      composer.append(
        TextSlice(start: start, end: end, limit: buffer.end, form: .plain), of: source, at: buffer.start)
      composer.append(field.value)
      start = end
    }
    return composer.record()
  }
}
