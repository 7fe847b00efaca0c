/// What is computed of the items of a list, or of each group of them.
public struct Aggregate: Sendable {
  public enum Function: Sendable {
    /// How many items there are.
    case count
    /// The exact sum of the numbers there; 0 of none.
    case sum(Path)
    /// The smallest value by the total order of `Value.compare`, the first of equal ones; null of none.
    case min(Path)
    /// The largest value, the first of equal ones; null of none.
    case max(Path)
    /// The sum divided by how many numbers there are; null of none. Exact if it has at most 34 digits, or no more than
    /// the sum, else rounded to 17 digits, half to even, but never within the digits before the point.
    case mean(Path)

    var path: Path? {
      switch self {
      case .count: nil
      case .sum(let path), .min(let path), .max(let path), .mean(let path): path
      }
    }
  }

  public let name: String
  public let function: Function

  public init(name: String, _ function: Function) {
    self.name = name
    self.function = function
  }
}

/// Without `paths` one object with what was computed of all items; with them a list of such objects, one for each
/// different key in the order in which they appear first, in which the values of the key come first, each named by the
/// last name of its path. Null, or a path that leads to nothing, counts for nothing, but is a key like any other. A null
/// counts as an empty list.
///
/// Sums are exact: integers do not wrap, 0.1 and 0.2 are 0.3.
/// - Throws: what the value is if it is no list; two fields of one name; the first item that has no number where one is
///   summed, or one with digits above 10^1024 or below 10^-1024.
public func aggregated(
  _ list: Value, by paths: [Path] = [], _ aggregates: [Aggregate]
) throws(DataError) -> Value {
  let items = try ItemList(list)
  if let name = firstRepeat(paths.map(\.lastName) + aggregates.map(\.name)) {
    throw DataError(.collision, path: name, "two fields of this name")
  }
  var composer = RecordComposer(reserving: 0, fields: 0)
  let names = composer.names(paths.map(\.lastName) + aggregates.map(\.name))
  let groups = paths.isEmpty ? nil : Groups(items, by: paths, &composer)
  let count = groups?.count ?? 1
  var totals = try Totals(items, groups, aggregates)
  let places = composer.places(of: items.composition)
  for group in 0..<count {
    if let groups {
      for (name, key) in zip(names, groups.keys(of: group)) {
        composer.append(name)
        composer.append(key)
      }
    }
    for (index, aggregate) in aggregates.enumerated() {
      composer.append(names[paths.count + index])
      composer.append(totals.slice(index, aggregate.function, of: group, &composer, places))
    }
    composer.endRecord()
  }
  return groups == nil ? try composer.record() : try composer.list()
}

/// What was seen of each group so far.
private struct Totals {
  private let items: ItemList
  private let width: Int
  /// By group, and in it by aggregate: how many values there were.
  private var counts: [Int]
  private var sums: [DecimalSum]
  private var best: [Found]

  init(_ items: ItemList, _ groups: Groups?, _ aggregates: [Aggregate]) throws(DataError) {
    self.items = items
    width = aggregates.count
    let size = width * (groups?.count ?? 1)
    counts = Array(repeating: 0, count: size)
    let sums = aggregates.contains { if case .sum = $0.function { true } else if case .mean = $0.function { true } else { false } }
    self.sums = sums ? Array(repeating: DecimalSum(), count: size) : []
    let compares = aggregates.contains { if case .min = $0.function { true } else if case .max = $0.function { true } else { false } }
    best = compares ? Array(repeating: .nothing, count: size) : []
    let paths = PathSet(aggregates.compactMap(\.function.path))
    var found = paths.places
    for item in 0..<items.count {
      paths.find(item, in: items, &found)
      let start = width * (groups.map { Int($0.numbers[item]) } ?? 0)
      var next = 0
      for (index, aggregate) in aggregates.enumerated() {
        guard let path = aggregate.function.path else {
          counts[start + index] += 1
          continue
        }
        try add(found[next], item, aggregate.function, path, at: start + index)
        next += 1
      }
    }
  }

  private mutating func add(
    _ found: Found, _ item: Int, _ function: Aggregate.Function, _ path: Path, at place: Int
  ) throws(DataError) {
    if found.isNull { return }
    counts[place] += 1
    switch function {
    case .count: break
    case .min: if counts[place] == 1 || items.order(found, best[place]) < 0 { best[place] = found }
    case .max: if counts[place] == 1 || items.order(found, best[place]) > 0 { best[place] = found }
    case .sum, .mean:
      guard found.kind == .number else {
        throw items.error(.type, item: item, path: path.description, "\(found.kind.name), where a number is summed")
      }
      guard add(found, at: place) else {
        throw items.error(
          .size, item: item, path: path.description,
          "a number with digits above 10^\(DecimalSum.limit) or below 10^-\(DecimalSum.limit) can't be summed")
      }
    }
  }

  private mutating func add(_ found: Found, at place: Int) -> Bool {
    if case .text(let slice, _) = found { return sums[place].add(slice.all) }
    var text = items.value(found)?.numberText ?? "0"
    return text.withUTF8 { sums[place].add($0) }
  }

  mutating func slice(
    _ index: Int, _ function: Aggregate.Function, of group: Int, _ composer: inout RecordComposer, _ places: [UInt32]
  ) -> Composition.Slice {
    let place = group * width + index
    switch function {
    case .count: return composer.slice(Value(counts[place]))
    case .min, .max: return composer.slice(best[place], of: items, places)
    case .sum: return composer.made(sums[place].total.text.utf8, .number)
    case .mean:
      if counts[place] == 0 { return .null }
      return composer.made(sums[place].total.divided(by: counts[place]).text.utf8, .number)
    }
  }
}

extension ItemList {
  /// The total order of what was found in two items.
  fileprivate func order(_ left: Found, _ right: Found) -> Int {
    if case .text(let a, _) = left, case .text(let b, _) = right, a.form.kind == b.form.kind {
      switch a.form {
      case .number: return Decimal(a).order(against: Decimal(b))
      case .text, .escapedText, .plain:
        return a.withDecoded { a in b.withDecoded { b in a.order(against: b) } }
      default: break
      }
    }
    return Value.compare(value(left) ?? .null, value(right) ?? .null)
  }
}
