/// Makes the objects of a join's rows.
struct JoinOutput {
  private typealias Slice = Composition.Slice

  /// What the fields of a row become, found once for all rows whose fields have the same names.
  private struct Plan {
    var names: [[UInt8]] = []
    var inputs: [Int] = []
    /// By place of a field in the row: the places of the values for its name, if it is the first of it.
    var columns: [(key: Int, values: [Int])] = []
  }

  private let inputs: [ItemList]
  private let rows: JoinRows
  /// By name: sets of inputs in which a key field has it.
  private let shared: [[UInt8]: [Set<Int>]]
  private let collision: Collision
  private var composer: RecordComposer
  private var plan = Plan()
  // The fields of the row at hand.
  private var keys = ContiguousArray<Slice>()
  private var values = ContiguousArray<Slice>()
  private var owners: [Int] = []

  init(_ inputs: [ItemList], _ rows: JoinRows, _ shared: [[UInt8]: [Set<Int>]], _ collision: Collision) {
    self.inputs = inputs
    self.rows = rows
    self.shared = shared
    self.collision = collision
    composer = RecordComposer(reserving: rows.count, fields: 0)
  }

  consuming func list() throws(DataError) -> Value {
    let places = inputs.map { composer.places(of: $0.composition) }
    for row in 0..<rows.count {
      if row & 15 == 0 { readAhead(row..<min(row + 16, rows.count)) }
      keys.removeAll(keepingCapacity: true)
      values.removeAll(keepingCapacity: true)
      owners.removeAll(keepingCapacity: true)
      for (input, list) in inputs.enumerated() {
        let item = rows.items[row * inputs.count + input]
        if item != JoinRows.none { read(Int(item), of: list, input, places[input]) }
      }
      if !isPlanned() {
        replan()
        if row == 0 { composer.reserve(rows.count * plan.columns.count) }
      }
      try write(row)
    }
    return try composer.list()
  }

  private func readAhead(_ range: Range<Int>) {
    for (input, list) in inputs.enumerated() {
      list.readAhead(
        range.lazy.map { Int(rows.items[$0 * inputs.count + input]) }.filter { $0 != Int(JoinRows.none) })
    }
  }

  private mutating func read(_ item: Int, of list: ItemList, _ input: Int, _ places: [UInt32]) {
    // Taken out for the walk: the closure may not touch them through `self`.
    var (keys, values, owners) = (ContiguousArray<Slice>(), ContiguousArray<Slice>(), [Int]())
    swap(&keys, &self.keys)
    swap(&values, &self.values)
    swap(&owners, &self.owners)
    composer.forEachField(item, of: list, places) { _, key, value in
      keys.append(key)
      values.append(value)
      owners.append(input)
    }
    swap(&keys, &self.keys)
    swap(&values, &self.values)
    swap(&owners, &self.owners)
  }

  /// Whether the fields of the row at hand have the names that the plan was made for.
  private func isPlanned() -> Bool {
    guard plan.names.count == keys.count, plan.inputs == owners else { return false }
    for (place, key) in keys.enumerated() {
      let isSame = plan.names[place].withUnsafeBufferPointer { composer.text(of: key).decodes(to: $0) }
      if !isSame { return false }
    }
    return true
  }

  private mutating func replan() {
    var names: [[UInt8]] = []
    var columns: [(key: Int, values: [Int])] = []
    var places: [[UInt8]: Int] = [:]
    for (place, key) in keys.enumerated() {
      let name = composer.text(of: key).withDecoded { Array($0) }
      names.append(name)
      guard let column = places[name] else {
        places[name] = columns.count
        columns.append((place, [place]))
        continue
      }
      if let same = columns[column].values.lastIndex(where: { owners[$0] == owners[place] }) {
        // Of equal names in one object the last counts.
        columns[column].values[same] = place
      } else if !isShared(name, columns[column].values.map { owners[$0] }, owners[place]) {
        columns[column].values.append(place)
      }
    }
    plan = Plan(names: names, inputs: owners, columns: columns)
  }

  /// Whether the name is that of one key field, in an input and in one of those before it.
  private func isShared(_ name: [UInt8], _ before: [Int], _ input: Int) -> Bool {
    shared[name]?.contains { set in set.contains(input) && before.contains { set.contains($0) } } ?? false
  }

  private mutating func write(_ row: Int) throws(DataError) {
    for column in plan.columns {
      composer.append(keys[column.key])
      if column.values.count == 1 {
        composer.append(values[column.values[0]])
      } else if let value = composer.resolve(ArraySlice(column.values.map { values[$0] }), collision) {
        composer.append(value)
      } else {
        throw clash(row, column.values)
      }
    }
    composer.endRecord()
  }

  private func clash(_ row: Int, _ places: [Int]) -> DataError {
    let input = owners[places[1]]
    let other = owners[places[0]]
    return DataError(
      .collision, input: input, item: Int(rows.items[row * inputs.count + input]),
      path: String(decoding: plan.names[places[0]], as: UTF8.self),
      collision == .concat
        ? "stands in the input at index \(other) too, and not all of its values are lists"
        : "stands in the input at index \(other) too")
  }
}
