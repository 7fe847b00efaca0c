/// What must hold of an item: a test of what a path leads to.
public struct Requirement: Sendable {
  public enum Test: Sendable {
    /// The value, of the same kind. 2 and 2.0 are equal, 2 and "2" are not.
    case equals(Value)
    /// One of the values, each compared as with `equals`.
    case oneOf([Value])
    /// Not below the first and not above the second, by the total order, and of the same kind as them.
    case range(minimum: Value?, maximum: Value?)
    /// Whether the path leads anywhere; a null is somewhere.
    case exists(Bool)
    /// Anything else. It is asked only about what is there.
    case satisfies(@Sendable (Value) throws -> Bool)
  }

  public let path: Path
  public let test: Test

  public init(path: Path, test: Test) {
    self.path = path
    self.test = test
  }
}

extension Requirement.Test {
  /// Whether it holds for what was found in an item of `list`.
  func holds(_ found: Found, in list: ItemList) throws -> Bool {
    if case .nothing = found {
      if case .exists(false) = self { return true }
      return false
    }
    switch self {
    case .exists(let wanted): return wanted
    case .equals(let value): return Requirement.order(found, value, in: list) == 0
    case .oneOf(let values): return values.contains { Requirement.order(found, $0, in: list) == 0 }
    case .range(let minimum, let maximum):
      if let minimum {
        guard let order = Requirement.order(found, minimum, in: list), order >= 0 else { return false }
      }
      if let maximum {
        guard let order = Requirement.order(found, maximum, in: list), order <= 0 else { return false }
      }
      return true
    case .satisfies(let holds): return try list.value(found).map(holds) ?? false
    }
  }
}

extension Requirement {
  /// The order of what was found against a value; nil if they are of different kinds.
  @inline(__always)
  static func order(_ found: Found, _ value: Value, in list: ItemList) -> Int? {
    guard found.kind == value.kind else { return nil }
    if case .text(let slice, _) = found {
      switch value.form {
      case .text, .escapedText, .plain:
        return value.withSlice { wanted in
          if wanted.form == .escapedText { return slice.order(ofText: wanted) }
          return slice.withDecoded { $0.order(against: wanted.content) }
        }
      case .number: return value.withSlice { Decimal(slice).order(against: Decimal($0)) }
      case .null: return 0
      default: break
      }
    }
    return list.value(found).map { Value.compare($0, value) }
  }
}

extension TextSlice {
  fileprivate func order(ofText other: TextSlice) -> Int {
    withDecoded { mine in other.withDecoded { mine.order(against: $0) } }
  }
}

/// The items of a list for which all requirements hold, in their order. A null counts as an empty list. A requirement
/// about a path that leads to nothing does not hold, unless it is that it doesn't exist.
///
/// - Throws: `DataError` if the value is no list, or what a test throws.
public func filtered(_ list: Value, where requirements: [Requirement]) throws -> Value {
  let items = try ItemList(list)
  let paths = PathSet(requirements.map(\.path))
  var found = paths.places
  var kept = ContiguousArray<Composition.Slice>()
  kept.reserveCapacity(min(items.count, 1_024))
  for index in 0..<items.count {
    try paths.find(index, in: items, &found)
    var holds = true
    for (place, requirement) in requirements.enumerated() where holds {
      holds = try requirement.test.holds(found[place], in: items)
    }
    if holds { kept.append(items.slice(index)) }
  }
  return items.list(kept)
}

/// The items of a list for which `predicate` is true, in their order. A null counts as an empty list.
///
/// - Throws: `DataError` if the value is no list, or what `predicate` throws.
public func filtered(_ list: Value, where predicate: (Value) throws -> Bool) throws -> Value {
  let items = try ItemList(list)
  var kept = ContiguousArray<Composition.Slice>()
  for index in 0..<items.count where try predicate(items.value(index)) { kept.append(items.slice(index)) }
  return items.list(kept)
}
