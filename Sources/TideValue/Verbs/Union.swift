/// The items of all lists in one list, in the order given, those that were there before left out. A null counts as an
/// empty list.
///
/// Without keys an item was there before if it is equal to another. With keys, if an equal item has the same key; what
/// becomes of different items with one key says `collision`, and it stands where the first of them stood. Items without
/// the key, or with null at one of its paths, are kept, all of them.
///
/// - Parameter keys: the paths that make the key, for each input, or once for all of them.
/// - Throws: the first input that is no list; under `Collision.error` the first item that differs from one before it
///   with the same key.
public func union(
  _ lists: [Value], keys: [[Path]] = [], collision: Collision = .error
) throws(DataError) -> Value {
  let readers = try KeyReader.readers(keys, for: lists.count)
  var inputs: [ItemList] = []
  for (input, list) in lists.enumerated() { inputs.append(try ItemList(list, input: input)) }
  var union = Union(inputs, hasKeys: !keys.isEmpty, collision)
  for (items, reader) in Swift.zip(inputs, readers) { try union.add(items, reader) }
  return try union.list()
}

/// One union.
private struct Union {
  private let hasKeys: Bool
  private let collision: Collision
  private let inputs: [ItemList]
  private let table: KeyTable
  private var composer = RecordComposer(reserving: 0, fields: 0)
  private var output = ContiguousArray<Composition.Slice>()
  /// By number of a key: where the first item that has it stands, among all items and in the output.
  private var first = ContiguousArray<(input: UInt32, item: UInt32, place: UInt32)>()
  /// By number of a key: all its items, if there are several and all are wanted.
  private var several: [Int: ContiguousArray<Composition.Slice>] = [:]
  /// Different items, and which of them were seen with which key.
  private let whole = KeyTable(expecting: 0)
  private let wholeReader = KeyReader([])
  private var pairs = Set<UInt64>()

  init(_ inputs: [ItemList], hasKeys: Bool, _ collision: Collision) {
    self.inputs = inputs
    self.hasKeys = hasKeys
    self.collision = collision
    table = KeyTable(expecting: inputs.reduce(0) { $0 + $1.count })
  }

  mutating func add(_ items: ItemList, _ reader: KeyReader) throws(DataError) {
    let places = composer.places(of: items.composition)
    try table.forEach(items, reader, skippingNulls: hasKeys) { (index, _, number) throws(DataError) in
      var slice = items.slice(index)
      if !places.isEmpty { slice.source = places[Int(slice.source)] }
      guard let number else { return output.append(slice) }
      if number == first.count {
        first.append((UInt32(clamping: items.input ?? 0), UInt32(clamping: index), UInt32(clamping: output.count)))
        output.append(slice)
      } else if hasKeys {
        try meet(slice, index, items, number, reader)
      }
    }
  }

  /// An item whose key was there before.
  private mutating func meet(
    _ slice: Composition.Slice, _ index: Int, _ items: ItemList, _ number: Int, _ reader: KeyReader
  ) throws(DataError) {
    let place = Int(first[number].place)
    switch collision {
    case .first: break
    case .last: output[place] = slice
    case .error:
      let before = first[number]
      let other = inputs[Int(before.input)].value(Int(before.item))
      guard other != items.value(index) else { return }
      throw items.error(
        .collision, item: index, path: reader.description,
        "differs from the item at index \(before.item)"
          + (Int(before.input) == items.input ? "" : " of the input at index \(before.input)") + " with the same key")
    case .list, .concat:
      if several[number] == nil {
        let before = first[number]
        try note(Int(before.item), of: inputs[Int(before.input)], number)
        several[number] = [output[place]]
      }
      if try note(index, of: items, number) { several[number]?.append(slice) }
    }
  }

  /// Whether an item is the first of its equals with this key.
  @discardableResult
  private mutating func note(_ index: Int, of items: ItemList, _ number: Int) throws(DataError) -> Bool {
    try wholeReader.read(index..<index + 1, of: items)
    let item = whole.number(of: wholeReader.keys[0])
    return pairs.insert(UInt64(number) << 32 | UInt64(item)).inserted
  }

  mutating func list() throws(DataError) -> Value {
    for number in several.keys.sorted() {
      guard let slices = several[number], slices.count > 1 else { continue }
      guard let resolved = composer.resolve(slices[...], collision) else {
        let place = first[number]
        throw DataError(
          .collision, input: Int(place.input), item: Int(place.item),
          "items with the same key differ and are not all lists, so they can't be concatenated")
      }
      output[Int(first[number].place)] = resolved
    }
    for slice in output { composer.append(slice) }
    return try composer.values()
  }
}
