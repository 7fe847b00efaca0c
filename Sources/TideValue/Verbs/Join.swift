/// Which rows of a join without a partner stay.
public enum Keep: String, Sendable, CaseIterable {
  /// None.
  case inner
  /// Those of the first input.
  case left
  /// Those of all inputs.
  case full
}

/// Joins lists of objects by keys, from left to right: each row is an object with the fields of an item of the first
/// input, then those of an item of the second with the same key, and so on.
///
/// Keys are compared by kind and value (2 and 2.0 are equal, 2 and "2" are not); null, or a path that leads to nothing,
/// matches nothing. Keys that repeat multiply, as in SQL. Rows come in the order of the first input, within it in that
/// of the second, and so on; then those that the second has alone, if they are kept. What has no partner lacks the
/// other's fields. A key field that has the same name in several inputs stands in a row once, as the first has it; of
/// other fields that share a name `collision` says what becomes. A null counts as an empty list.
///
/// - Parameter keys: the paths that make the key, for each input, or once for all of them.
/// - Throws: the first input that is no list, or item that is no object; under `Collision.error` the first field that
///   two items of a row share; that the rows would take more than 4 GB, the most that one value may.
public func join(
  _ lists: [Value], keys: [[Path]], keep: Keep = .inner, collision: Collision = .error
) throws(DataError) -> Value {
  try join(lists, keys: keys, keep: keep, collision: collision, limit: .max)
}

/// - Parameter limit: how many bytes the rows may take, at most 4 GB.
func join(
  _ lists: [Value], keys: [[Path]], keep: Keep, collision: Collision, limit: UInt32
) throws(DataError) -> Value {
  guard !keys.isEmpty else { throw DataError(.missing, "a join needs a key") }
  let readers = try KeyReader.readers(keys, for: lists.count)
  var inputs: [ItemList] = []
  for (input, list) in lists.enumerated() {
    let items = try ItemList(list, input: input)
    for index in 0..<items.count { try items.requireObject(index) }
    inputs.append(items)
  }
  var rows = JoinRows(inputs, limit: Int(limit))
  let table = KeyTable(expecting: inputs.map(\.count).max() ?? 0)
  for (items, reader) in zip(inputs, readers) {
    try rows.join(try JoinRows.numbers(of: items, reader, table), keys: table.count, keep)
  }
  let shared = JoinRows.sharedNames((0..<inputs.count).map { keys.count == 1 ? keys[0] : keys[$0] })
  return try JoinOutput(inputs, rows, shared, collision, limit: Int(limit)).list()
}

/// Which items make which rows.
struct JoinRows {
  static let none = UInt32.max

  private let width: Int
  private let limit: Int
  /// About so many bytes the row takes that the first items make.
  private let rowSize: Int
  /// How many inputs were joined so far.
  private var joined = 0
  /// The item of each input for each row, or `none`, row by row.
  private(set) var items = ContiguousArray<UInt32>()
  /// The number of each row's key, or `none`.
  private var keys = ContiguousArray<UInt32>()

  init(_ inputs: [ItemList], limit: Int) {
    width = inputs.count
    self.limit = limit
    var fields = 0
    for list in inputs where list.count > 0 { list.forEachField(0) { _, _ in fields += 1 } }
    rowSize = MemoryLayout<UInt32>.stride * (inputs.count + 1) + RecordComposer.size(ofFields: fields)
  }

  var count: Int { keys.count }

  /// By item: the number of its key, or `none`.
  static func numbers(
    of items: ItemList, _ reader: KeyReader, _ table: KeyTable
  ) throws(DataError) -> ContiguousArray<UInt32> {
    var numbers = ContiguousArray<UInt32>()
    numbers.reserveCapacity(items.count)
    try table.forEach(items, reader, skippingNulls: true) { _, _, number in
      numbers.append(number.map { UInt32(truncatingIfNeeded: $0) } ?? none)
    }
    return numbers
  }

  /// Joins the items of the next input, whose keys have these numbers.
  mutating func join(_ numbers: ContiguousArray<UInt32>, keys count: Int, _ keep: Keep) throws(DataError) {
    defer { joined += 1 }
    guard joined > 0 else {
      reserve(numbers.count)
      for (item, number) in numbers.enumerated() where keep != .inner || number != JoinRows.none {
        append(nil, UInt32(item), number)
      }
      return
    }
    let byKey = ItemsByKey(numbers, keys: count)
    let left = self
    items.removeAll()
    keys.removeAll()
    reserve(try left.size(with: byKey, keep))
    for row in 0..<left.count {
      let matching = byKey.items(left.keys[row])
      if matching.isEmpty, keep != .inner { append((left, row), JoinRows.none, left.keys[row]) }
      for item in matching { append((left, row), item, left.keys[row]) }
    }
    guard keep == .full else { return }
    var matched = ContiguousArray(repeating: false, count: count)
    for key in left.keys where key != JoinRows.none { matched[Int(key)] = true }
    for (item, number) in numbers.enumerated() where number == JoinRows.none || !matched[Int(number)] {
      append(nil, UInt32(item), number)
    }
  }

  private mutating func reserve(_ count: Int) {
    keys.reserveInLargePages(count)
    items.reserveInLargePages(count * width)
  }

  /// How many rows the join of these with further items has, those aside that the items have alone.
  private func size(with items: ItemsByKey, _ keep: Keep) throws(DataError) -> Int {
    var size = 0
    for key in keys {
      size += max(items.items(key).count, keep == .inner ? 0 : 1)
      // Each step adds at most 2^32, so the sum can't have overflown.
      if size > limit / rowSize {
        throw DataError(.size, "the join has more than \(limit / rowSize) rows, which take more than \(limit >> 20) MB")
      }
    }
    return size
  }

  /// Adds a row: the items of another row, if it is given, and one of the input that is being joined.
  @inline(__always)
  private mutating func append(_ row: (JoinRows, Int)?, _ item: UInt32, _ key: UInt32) {
    keys.append(key)
    for input in 0..<width {
      if input == joined {
        items.append(item)
      } else if let row, input < joined {
        items.append(row.0.items[row.1 * width + input])
      } else {
        items.append(JoinRows.none)
      }
    }
  }

  /// The names that key fields share, as they stand in the paths: by name, the inputs that have it at one place of
  /// their keys.
  static func sharedNames(_ keys: [[Path]]) -> [[UInt8]: [Set<Int>]] {
    var shared: [[UInt8]: [Set<Int>]] = [:]
    for place in 0..<(keys.first?.count ?? 0) {
      var inputs: [[UInt8]: Set<Int>] = [:]
      for (input, paths) in keys.enumerated() {
        guard case .singular(let steps) = paths[place].query, steps.count == 1, case .name(let name) = steps[0]
        else { continue }
        inputs[name, default: []].insert(input)
      }
      for (name, set) in inputs where set.count > 1 { shared[name, default: []].append(set) }
    }
    return shared
  }
}

/// The items of one input, those of one key side by side, in their order.
private struct ItemsByKey {
  private var ends: ContiguousArray<Int>
  private var items: ContiguousArray<UInt32>

  init(_ numbers: ContiguousArray<UInt32>, keys count: Int) {
    var ends = ContiguousArray(repeating: 0, count: count + 1)
    for number in numbers where number != JoinRows.none { ends[Int(number) + 1] += 1 }
    for key in 0..<count { ends[key + 1] += ends[key] }
    var next = ends
    var items = ContiguousArray<UInt32>(repeating: 0, count: ends[count])
    for (item, number) in numbers.enumerated() where number != JoinRows.none {
      items[next[Int(number)]] = UInt32(item)
      next[Int(number)] += 1
    }
    self.ends = ends
    self.items = items
  }

  @inline(__always)
  func items(_ key: UInt32) -> ArraySlice<UInt32> {
    key == JoinRows.none ? [] : ArraySlice(items[ends[Int(key)]..<ends[Int(key) + 1]])
  }
}
