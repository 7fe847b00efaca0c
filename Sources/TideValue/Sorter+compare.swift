extension Sorter {
  /// Sorts a run by comparing its entries, and leaves what still ties for the next key.
  func sortByComparing(_ run: Run, _ order: (SortEntry, SortEntry) -> Int) {
    let sign = keys[run.key].descending ? -1 : 1
    let ordered = run.range.map { entries[$0] }.sorted { left, right in
      let order = order(left, right) * sign
      return order == 0 ? left.index < right.index : order < 0
    }
    settle(run, ordered) { order($0, $1) == 0 }
  }

  /// The same by values, one for each entry of the run.
  func sortByComparing(_ run: Run, _ values: [Value], _ order: (Value, Value) -> Int) {
    let sign = keys[run.key].descending ? -1 : 1
    let places = values.indices.sorted { left, right in
      let order = order(values[left], values[right]) * sign
      return order == 0 ? left < right : order < 0
    }
    let ordered = places.map { entries[run.range.lowerBound + $0] }
    var sortedValues: [UInt32: Value] = [:]
    for place in places { sortedValues[entries[run.range.lowerBound + place].index] = values[place] }
    settle(run, ordered) { left, right in
      guard let a = sortedValues[left.index], let b = sortedValues[right.index] else { return false }
      return order(a, b) == 0
    }
  }

  private func settle(_ run: Run, _ ordered: [SortEntry], _ same: (SortEntry, SortEntry) -> Bool) {
    // Ranks of their own make the split see what is equal.
    var group: UInt64 = 0
    for (index, entry) in ordered.enumerated() {
      if index > 0, !same(ordered[index - 1], entry) { group += 1 }
      entries[run.range.lowerBound + index] = entry
      entries[run.range.lowerBound + index].prefix = group
    }
    split(run) { _ in .key }
  }

  /// The keys of a run as values.
  func values(of run: Run) -> [Value] {
    let path = keys[run.key].path
    // What can't be found any more was found before, with the same steps.
    return run.range.map { (try? path.find(in: list[items.lowerBound + Int(entries[$0].index)])) ?? .null }
  }
}
