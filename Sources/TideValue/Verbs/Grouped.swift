/// The items of a list by their key: a list of `{ "key": ..., "items": [...] }`, in the order in which the keys appear
/// first, the items of each in their order. With several paths a key is the list of what they lead to; without one it is
/// the item itself. Items without the key, or with null there, make a group whose key is null. A null counts as an
/// empty list.
///
/// - Throws: what the value is if it is no list.
public func grouped(_ list: Value, by paths: [Path]) throws(DataError) -> Value {
  let items = try ItemList(list)
  var composer = RecordComposer(reserving: 0, fields: 0)
  let names = composer.names(["key", "items"])
  var groups = Groups(items, by: paths)
  try groups.read(&composer)
  var places = composer.places(of: items.composition)
  if places.isEmpty { places = [0] }
  var sorted = groups.sortedItems()
  for index in sorted.indices { sorted[index].source = places[Int(sorted[index].source)] }
  let all = composer.list(of: sorted)
  var start = 0
  for group in 0..<groups.count {
    let end = groups.ends[group]
    composer.append(names[0])
    composer.append(paths.count > 1 ? composer.list(of: groups.keys(of: group)) : groups.keys(of: group)[0])
    composer.append(names[1])
    composer.append(
      Composition.Slice(
        source: all.source, offset: UInt32(start), length: UInt32(end - start), form: .list))
    composer.endRecord()
    start = end
  }
  return try composer.list()
}

/// Which items have which key.
struct Groups {
  private let items: ItemList
  /// By item: the number of its key, in the order of first appearance.
  private(set) var numbers = ContiguousArray<UInt32>()
  /// By group: how many items it and those before it have.
  private(set) var ends = ContiguousArray<Int>()
  /// What the paths lead to in the first item of each group, one group after the other.
  private var keys = ContiguousArray<Composition.Slice>()
  private let reader: KeyReader
  private var width: Int { reader.width }
  var count: Int { ends.count }

  /// - Parameter others: paths that are followed with those of the key.
  init(_ items: ItemList, by paths: [Path], and others: [Path] = []) {
    self.items = items
    reader = KeyReader(paths, and: others)
  }

  mutating func read(_ composer: inout RecordComposer) throws(DataError) {
    numbers.reserveCapacity(items.count)
    try read(&composer) { groups, _, numbers, _, _ in
      for number in numbers {
        groups.numbers.append(UInt32(truncatingIfNeeded: number))
        groups.ends[number] += 1
      }
    }
    for group in ends.indices.dropFirst() { ends[group] += ends[group - 1] }
  }

  /// Calls `body` for some items at a time: with the group of each, and with what was found in them, of each item
  /// `stride` places after the one before, and the first of the other paths at `width`.
  mutating func read(
    _ composer: inout RecordComposer,
    _ body: (
      inout Groups, _ range: Range<Int>, _ groups: UnsafeMutableBufferPointer<Int>, KeyReader, inout RecordComposer
    ) throws(DataError) -> Void
  ) throws(DataError) {
    let table = KeyTable(expecting: items.count)
    let places = composer.places(of: items.composition)
    try table.forEachBatch(items, reader) { (range, numbers) throws(DataError) -> Void in
      for place in 0..<range.count where numbers[place] == ends.count {
        for index in place * reader.stride..<place * reader.stride + width {
          keys.append(composer.slice(reader.found[index], of: items, places))
        }
        ends.append(0)
      }
      try body(&self, range, UnsafeMutableBufferPointer(rebasing: numbers[..<range.count]), reader, &composer)
    }
  }

  func keys(of group: Int) -> ArraySlice<Composition.Slice> { ArraySlice(keys[group * width..<(group + 1) * width]) }

  /// All items, those of one group side by side.
  func sortedItems() -> ContiguousArray<Composition.Slice> {
    var next = ContiguousArray([0] + ends.dropLast())
    return ContiguousArray(unsafeUninitializedCapacity: items.count) { slices, initialized in
      for index in 0..<items.count {
        let group = Int(numbers[index])
        slices.initializeElement(at: next[group], to: items.slice(index))
        next[group] += 1
      }
      initialized = items.count
    }
  }
}
