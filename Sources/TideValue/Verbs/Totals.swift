/// What was seen of the items of each group so far, for each of some aggregates.
struct Totals {
  /// One aggregate of one group. It is plain memory, so that a group is a cache line or two.
  private struct Total {
    var count = 0
    /// The sum without its point, or the prefix of the best value.
    var bits: UInt64 = 0
    /// How many decimals the sum has.
    var scale: UInt8 = 0
    /// The kind of the best value.
    var rank: UInt8 = 0
  }

  private enum Work { case count, sum, mean, min, max }

  private let items: ItemList
  /// Where the sources of the items are among those of the composer.
  private let sources: [UInt32]
  private let aggregates: [Aggregate]
  private let work: [Work]
  /// The paths that are to be found in each item.
  let paths: [Path]
  /// By aggregate: the place of its path.
  private let places: [Int]
  /// By group, and in it by aggregate.
  private var totals = ContiguousArray<Total>()
  /// By place in `totals`, if anything is compared: the best value.
  private var best = ContiguousArray<Composition.Slice>()
  /// By place in `totals`: what does not fit there.
  private var wide: [Int: WideSum] = [:]
  /// Keeps the reading ahead from being left out.
  private var seen = 0

  init(_ items: ItemList, _ aggregates: [Aggregate], _ composer: inout RecordComposer) {
    self.items = items
    self.aggregates = aggregates
    sources = composer.places(of: items.composition)
    paths = aggregates.compactMap(\.function.path)
    work = aggregates.map { aggregate in
      switch aggregate.function {
      case .count: .count
      case .sum: .sum
      case .mean: .mean
      case .min: .min
      case .max: .max
      }
    }
    var next = 0
    places = aggregates.map { aggregate in
      defer { if aggregate.function.path != nil { next += 1 } }
      return next
    }
  }

  /// Makes room for so many groups.
  mutating func grow(to groups: Int) {
    let more = groups * work.count - totals.count
    guard more > 0 else { return }
    totals.append(contentsOf: repeatElement(Total(), count: more))
    if work.contains(.min) || work.contains(.max) {
      best.append(contentsOf: repeatElement(.null, count: more))
    }
  }

  /// Adds some items.
  ///
  /// - Parameters:
  ///   - groups: the group of each.
  ///   - found: what the paths lead to in each, from `start` on, and for each next item `stride` places further.
  /// - Throws: what is no number where one is summed.
  mutating func add(
    _ range: Range<Int>, _ groups: UnsafeMutableBufferPointer<Int>, _ found: [Found], from start: Int, stride: Int,
    _ composer: inout RecordComposer
  ) throws(DataError) {
    let width = work.count
    if width > 0 { for place in 0..<range.count { seen &+= totals[groups[place] * width].count } }
    for (place, item) in range.enumerated() {
      try add(item, group: groups[place], found, from: start + place * stride, &composer)
    }
  }

  /// Adds an item to a group; what the paths lead to in it stands in `found` from `start` on.
  @inline(__always)
  mutating func add(
    _ item: Int, group: Int, _ found: [Found], from start: Int, _ composer: inout RecordComposer
  ) throws(DataError) {
    let width = work.count
    for index in 0..<width {
      let total = group * width + index
      if work[index] == .count {
        totals[total].count += 1
      } else {
        try add(found[start + places[index]], item, index, at: total, &composer)
      }
    }
  }

  @inline(__always)
  private mutating func add(
    _ value: Found, _ item: Int, _ index: Int, at place: Int, _ composer: inout RecordComposer
  ) throws(DataError) {
    if value.isNull { return }
    totals[place].count += 1
    switch work[index] {
    case .count: break
    case .min: compare(value, at: place, sign: -1, &composer)
    case .max: compare(value, at: place, sign: 1, &composer)
    case .sum, .mean: try sum(value, item, index, at: place)
    }
  }

  /// Takes a value if it is better than the best so far.
  @inline(__always)
  private mutating func compare(_ value: Found, at place: Int, sign: Int, _ composer: inout RecordComposer) {
    let (rank, prefix, isWhole) = ValuePrefix.of(value)
    let total = totals[place]
    if total.count > 1 {
      var order =
        rank == total.rank ? (prefix == total.bits ? 0 : prefix < total.bits ? -1 : 1) : rank < total.rank ? -1 : 1
      if order == 0, !isWhole { order = Value.compare(items.value(value) ?? .null, composer.value(of: best[place])) }
      if order * sign <= 0 { return }
    }
    totals[place].rank = rank
    totals[place].bits = prefix
    best[place] = composer.slice(value, of: items, sources)
  }

  @inline(__always)
  private mutating func sum(_ value: Found, _ item: Int, _ index: Int, at place: Int) throws(DataError) {
    guard value.kind == .number else {
      throw error(.type, item, index, "\(value.kind.name), where a number is summed")
    }
    var isAdded = true
    if case .text(let slice, _) = value {
      isAdded = add(slice.all, at: place)
    } else {
      var text = items.value(value)?.numberText ?? "0"
      isAdded = text.withUTF8 { add($0, at: place) }
    }
    guard isAdded else {
      throw error(
        .size, item, index,
        "a number with digits above 10^\(WideSum.limit) or below 10^-\(WideSum.limit) can't be summed")
    }
  }

  private func error(_ kind: DataError.Kind, _ item: Int, _ index: Int, _ message: String) -> DataError {
    items.error(kind, item: item, path: aggregates[index].function.path?.description, message)
  }

  @inline(__always)
  private mutating func add(_ text: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    if let number = ShortNumber(text) {
      let sum = ShortNumber(value: Int64(bitPattern: totals[place].bits), scale: totals[place].scale)
      if let sum = sum.adding(number) {
        totals[place].bits = UInt64(bitPattern: sum.value)
        totals[place].scale = sum.scale
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
    let place = group * work.count + index
    let count = totals[place].count
    switch work[index] {
    case .count: return composer.slice(Value(count))
    case .min, .max: return count > 0 ? best[place] : .null
    case .sum:
      if wide.isEmpty || wide[place] == nil {
        let sum = ShortNumber(value: Int64(bitPattern: totals[place].bits), scale: totals[place].scale)
        if let slice = sum.withText({ composer.made($0, .number) }) { return slice }
      }
      return composer.made(sum(at: place).text.utf8, .number)
    case .mean: return count == 0 ? .null : composer.made(sum(at: place).divided(by: count).text.utf8, .number)
    }
  }

  private func sum(at place: Int) -> ExactNumber {
    let short = ExactNumber(Int64(bitPattern: totals[place].bits), scale: Int(totals[place].scale))
    return wide[place]?.total(plus: short) ?? short
  }
}
