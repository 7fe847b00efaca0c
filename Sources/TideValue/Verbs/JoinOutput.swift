/// Makes the objects of a join's rows.
struct JoinOutput {
  private typealias Slice = Composition.Slice

  /// What the fields of a row become, found once for all rows whose fields have the same names.
  private struct Plan {
    let names: ContiguousArray<UnsafeBufferPointer<UInt8>>
    let inputs: ContiguousArray<Int>
    /// By place of a field in the row: the places of the values for its name, if it is the first of it.
    let columns: [(key: Int, values: [Int])]
    /// The same, if there is one value for each name.
    let pairs: ContiguousArray<(key: Int, value: Int)>?
    private let arena = Arena()

    init(names: [[UInt8]], inputs: ContiguousArray<Int>, columns: [(key: Int, values: [Int])]) {
      let arena = arena
      self.names = ContiguousArray(names.map { arena.keep($0) })
      self.inputs = inputs
      self.columns = columns
      let isPlain = columns.allSatisfy { $0.values.count == 1 }
      pairs = isPlain ? ContiguousArray(columns.map { ($0.key, $0.values[0]) }) : nil
    }
  }

  /// The fields of a row, one after the other.
  private struct Fields {
    var keys = ContiguousArray<Slice>()
    var values = ContiguousArray<Slice>()
    /// The input of each.
    var owners = ContiguousArray<Int>()
    /// Whether their names are those that the plan was made for, so far.
    var isPlanned = true

    mutating func removeAll() {
      keys.removeAll(keepingCapacity: true)
      values.removeAll(keepingCapacity: true)
      owners.removeAll(keepingCapacity: true)
      isPlanned = true
    }
  }

  private let inputs: [ItemList]
  private let rows: JoinRows
  /// By name: sets of inputs in which a key field has it.
  private let shared: [[UInt8]: [Set<Int>]]
  private let collision: Collision
  private let limit: Int
  private var composer: RecordComposer

  init(
    _ inputs: [ItemList], _ rows: JoinRows, _ shared: [[UInt8]: [Set<Int>]], _ collision: Collision, limit: Int
  ) {
    self.inputs = inputs
    self.limit = limit
    self.rows = rows
    self.shared = shared
    self.collision = collision
    composer = RecordComposer(reserving: rows.count, fields: 0)
  }

  consuming func list() throws(DataError) -> Value {
    let places = inputs.map { composer.places(of: $0.composition) }
    var plan = Plan(names: [], inputs: [], columns: [])
    var fields = Fields()
    for row in 0..<rows.count {
      if row & 15 == 0 { readAhead(row..<min(row + 16, rows.count)) }
      fields.removeAll()
      for input in inputs.indices {
        let item = rows.items[row * inputs.count + input]
        if item != JoinRows.none { read(Int(item), input, places[input], plan, &fields) }
      }
      if !fields.isPlanned || fields.keys.count != plan.names.count {
        plan = makePlan(fields)
        if row == 0 { composer.reserve(rows.count * plan.columns.count) }
      }
      try write(row, fields, plan)
      // The first items, by which the size was told before, may be the smallest.
      if composer.size > limit {
        throw DataError(.size, "the join's first \(row + 1) rows of \(rows.count) take more than \(limit >> 20) MB")
      }
    }
    return try composer.list()
  }

  private func readAhead(_ range: Range<Int>) {
    for (input, list) in inputs.enumerated() {
      list.readAhead(
        range.lazy.map { Int(rows.items[$0 * inputs.count + input]) }.filter { $0 != Int(JoinRows.none) })
    }
  }

  @inline(__always)
  private mutating func read(
    _ item: Int, _ input: Int, _ places: [UInt32], _ plan: Plan, _ fields: inout Fields
  ) {
    composer.forEachField(item, of: inputs[input], places) { _, name, key, value in
      let place = fields.keys.count
      if fields.isPlanned {
        fields.isPlanned =
          place < plan.names.count && plan.inputs[place] == input && name.decodes(to: plan.names[place])
      }
      fields.keys.append(key)
      fields.values.append(value)
      fields.owners.append(input)
    }
  }

  private func makePlan(_ fields: Fields) -> Plan {
    let (keys, owners) = (fields.keys, fields.owners)
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
    return Plan(names: names, inputs: owners, columns: columns)
  }

  /// Whether the name is that of one key field, in an input and in one of those before it.
  private func isShared(_ name: [UInt8], _ before: [Int], _ input: Int) -> Bool {
    shared[name]?.contains { set in set.contains(input) && before.contains { set.contains($0) } } ?? false
  }

  @inline(__always)
  private mutating func write(_ row: Int, _ fields: Fields, _ plan: Plan) throws(DataError) {
    if let pairs = plan.pairs {
      for pair in pairs {
        composer.append(fields.keys[pair.key])
        composer.append(fields.values[pair.value])
      }
    } else {
      try resolve(row, fields, plan)
    }
    composer.endRecord()
  }

  private mutating func resolve(_ row: Int, _ fields: Fields, _ plan: Plan) throws(DataError) {
    for column in plan.columns {
      composer.append(fields.keys[column.key])
      if column.values.count == 1 {
        composer.append(fields.values[column.values[0]])
      } else if let value = composer.resolve(ArraySlice(column.values.map { fields.values[$0] }), collision) {
        composer.append(value)
      } else {
        throw clash(row, column.values, fields, plan)
      }
    }
  }

  private func clash(_ row: Int, _ places: [Int], _ fields: Fields, _ plan: Plan) -> DataError {
    let input = fields.owners[places[1]]
    let other = fields.owners[places[0]]
    return DataError(
      .collision, input: input, item: Int(rows.items[row * inputs.count + input]),
      path: String(decoding: plan.names[places[0]], as: UTF8.self),
      collision == .concat
        ? "stands in the input at index \(other) too, and not all of its values are lists"
        : "stands in the input at index \(other) too")
  }
}
