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
  var totals = Totals(items, aggregates, &composer)
  let groups = try paths.isEmpty ? totals.addAll(items, &composer) : totals.addAll(items, by: paths, &composer)
  let count = groups?.count ?? 1
  for group in 0..<count {
    if let groups {
      for (name, key) in zip(names, groups.keys(of: group)) {
        composer.append(name)
        composer.append(key)
      }
    }
    for index in aggregates.indices {
      composer.append(names[paths.count + index])
      composer.append(totals.slice(index, of: group, &composer))
    }
    composer.endRecord()
  }
  return groups == nil ? try composer.record() : try composer.list()
}

extension Totals {
  /// Adds all items as one group.
  fileprivate mutating func addAll(_ items: ItemList, _ composer: inout RecordComposer) throws(DataError) -> Groups? {
    let set = PathSet(paths)
    var found = set.places
    grow(to: 1)
    for item in 0..<items.count {
      try set.find(item, in: items, &found)
      try add(item, group: 0, found, from: 0, &composer)
    }
    return nil
  }

  /// Adds each item to the group of its key.
  fileprivate mutating func addAll(
    _ items: ItemList, by keys: [Path], _ composer: inout RecordComposer
  ) throws(DataError) -> Groups? {
    var groups = Groups(items, by: keys, and: paths)
    try groups.read(&composer) { (groups, range, numbers, reader, composer) throws(DataError) -> Void in
      grow(to: groups.count)
      try add(range, numbers, reader.found, from: reader.width, stride: reader.stride, &composer)
    }
    return groups
  }
}
