/// What was seen of the items of each group so far, for each of some aggregates.
struct Totals {
  /// One aggregate of one group. It is plain memory, so that a group is a cache line or two.
  private struct Total {
    var count = 0
    /// The sum without its point, or the prefix of the best value.
    var bits: UInt64 = 0
    /// How many decimals the sum has, or the item that has the best value.
    var number: UInt32 = 0
    var rank: UInt8 = 0
  }

  private let items: ItemList
  private let aggregates: [Aggregate]
  /// By group, and in it by aggregate.
  private var totals: ContiguousArray<Total>
  /// By place in `totals`: what does not fit there.
  private var wide: [Int: WideSum] = [:]
  private let paths: PathSet
  /// By aggregate: the place of its path.
  private let places: [Int]

  /// - Parameter numbers: the group of each item; nil if all are one.
  init(
    _ items: ItemList, _ numbers: ContiguousArray<UInt32>?, groups: Int, _ aggregates: [Aggregate]
  ) throws(DataError) {
    self.items = items
    self.aggregates = aggregates
    totals = ContiguousArray(repeating: Total(), count: groups * aggregates.count)
    paths = PathSet(aggregates.compactMap(\.function.path))
    var next = 0
    places = aggregates.map { aggregate in
      defer { if aggregate.function.path != nil { next += 1 } }
      return next
    }
    var found = paths.places
    let width = aggregates.count
    for item in 0..<items.count {
      if let numbers, item & 15 == 0 { readAhead(numbers[item..<min(item + 16, items.count)]) }
      paths.find(item, in: items, &found)
      let start = width * (numbers.map { Int($0[item]) } ?? 0)
      for index in 0..<width { try add(found, item, index, at: start + index) }
    }
  }

  private var seen = 0

  /// Brings the totals of the next groups into the cache, all at once.
  private mutating func readAhead(_ numbers: ArraySlice<UInt32>) {
    for number in numbers where !aggregates.isEmpty { seen &+= totals[Int(number) * aggregates.count].count }
  }

  @inline(__always)
  private mutating func add(_ found: [Found], _ item: Int, _ index: Int, at place: Int) throws(DataError) {
    let function = aggregates[index].function
    if case .count = function {
      totals[place].count += 1
      return
    }
    let value = found[places[index]]
    if value.isNull { return }
    totals[place].count += 1
    switch function {
    case .count: break
    case .min: compare(value, item, index, at: place, sign: -1)
    case .max: compare(value, item, index, at: place, sign: 1)
    case .sum(let path), .mean(let path): try sum(value, item, path, at: place)
    }
  }

  /// Takes a value if it is better than the best so far.
  @inline(__always)
  private mutating func compare(_ value: Found, _ item: Int, _ index: Int, at place: Int, sign: Int) {
    let (rank, prefix, isWhole) = Totals.prefix(value)
    let best = totals[place]
    if best.count > 1 {
      var order =
        rank == best.rank ? (prefix == best.bits ? 0 : prefix < best.bits ? -1 : 1) : rank < best.rank ? -1 : 1
      if order == 0, !isWhole { order = exactOrder(value, Int(best.number), index) }
      if order * sign <= 0 { return }
    }
    totals[place].rank = rank
    totals[place].bits = prefix
    totals[place].number = UInt32(truncatingIfNeeded: item)
  }

  /// The order of a value against that of another item.
  private func exactOrder(_ value: Found, _ item: Int, _ index: Int) -> Int {
    var found = paths.places
    paths.find(item, in: items, &found)
    return Value.compare(items.value(value) ?? .null, items.value(found[places[index]]) ?? .null)
  }

  /// The kind of a value, the first part of it in its order, and whether that is all of it.
  @inline(__always)
  private static func prefix(_ value: Found) -> (rank: UInt8, prefix: UInt64, isWhole: Bool) {
    if case .text(let slice, _) = value {
      switch slice.form {
      case .number:
        if let prefix = SortPrefix.shortInteger(slice.all) { return (Value.Kind.number.rawValue, prefix, true) }
        let prefix = SortPrefix.number(Decimal(slice))
        return (Value.Kind.number.rawValue, prefix, !SortPrefix.numberGoesOn(prefix))
      case .text, .plain:
        let prefix = SortPrefix.text(slice.content, skip: 0)
        return (Value.Kind.string.rawValue, prefix, !SortPrefix.textGoesOn(prefix))
      case .escapedText:
        let prefix = slice.withDecoded { SortPrefix.text($0, skip: 0) }
        return (Value.Kind.string.rawValue, prefix, !SortPrefix.textGoesOn(prefix))
      default: break
      }
    }
    return prefix(ofValue: value)
  }

  private static func prefix(ofValue value: Found) -> (rank: UInt8, prefix: UInt64, isWhole: Bool) {
    // The same prefixes as above: text and composed items may be mixed in one list.
    if case .value(let value) = value {
      if value.form == .integer {
        var text = String(value.inlineInteger)
        return text.withUTF8 { bytes in
          let end = bytes.baseAddress.map { $0 + bytes.count }
          guard let start = bytes.baseAddress, let end else { return (value.kind.rawValue, 0, false) }
          return prefix(.text(TextSlice(start: start, end: end, limit: end, form: .number), source: 0))
        }
      }
      if value.form.isText, value.kind == .number || value.kind == .string {
        return value.withSlice { prefix(.text($0, source: 0)) }
      }
    }
    return (value.kind.rawValue, 0, false)
  }

  @inline(__always)
  private mutating func sum(_ value: Found, _ item: Int, _ path: Path, at place: Int) throws(DataError) {
    guard value.kind == .number else {
      throw items.error(.type, item: item, path: path.description, "\(value.kind.name), where a number is summed")
    }
    var isAdded = true
    if case .text(let slice, _) = value {
      isAdded = add(slice.all, at: place)
    } else {
      var text = items.value(value)?.numberText ?? "0"
      isAdded = text.withUTF8 { add($0, at: place) }
    }
    guard isAdded else {
      throw items.error(
        .size, item: item, path: path.description,
        "a number with digits above 10^\(WideSum.limit) or below 10^-\(WideSum.limit) can't be summed")
    }
  }

  @inline(__always)
  private mutating func add(_ text: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    if let number = ShortNumber(text) {
      let sum = ShortNumber(value: Int64(bitPattern: totals[place].bits), scale: UInt8(totals[place].number))
      if let sum = sum.adding(number) {
        totals[place].bits = UInt64(bitPattern: sum.value)
        totals[place].number = UInt32(sum.scale)
        return true
      }
    }
    guard let start = text.baseAddress else { return true }
    let sum = wide[place] ?? WideSum()
    wide[place] = sum
    return sum.add(Decimal(start, start + text.count))
  }

  /// The result of an aggregate of a group, for a field that `composer` makes.
  func slice(_ index: Int, of group: Int, _ composer: inout RecordComposer) -> Composition.Slice {
    let place = group * aggregates.count + index
    let count = totals[place].count
    switch aggregates[index].function {
    case .count: return composer.slice(Value(count))
    case .min, .max:
      guard count > 0 else { return .null }
      var found = paths.places
      paths.find(Int(totals[place].number), in: items, &found)
      return composer.slice(found[places[index]], of: items, composer.places(of: items.composition))
    case .sum: return composer.made(sum(at: place).text.utf8, .number)
    case .mean: return count == 0 ? .null : composer.made(sum(at: place).divided(by: count).text.utf8, .number)
    }
  }

  private func sum(at place: Int) -> ExactNumber {
    let short = ExactNumber(Int64(bitPattern: totals[place].bits), scale: Int(totals[place].number))
    return wide[place]?.total(plus: short) ?? short
  }
}
