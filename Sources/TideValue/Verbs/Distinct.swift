/// The items of a list without those whose key was there before: of equal ones the first stays. Without paths the item
/// itself is the key. A key that is null, or that an item lacks, is a key like any other. A null counts as an empty list.
///
/// - Throws: what the value is if it is no list; a path whose search was given up.
public func distinct(_ list: Value, by paths: [Path] = []) throws(DataError) -> Value {
  let items = try ItemList(list)
  let table = KeyTable(expecting: items.count)
  var kept = ContiguousArray<Composition.Slice>()
  var known = 0
  try table.forEach(items, KeyReader(paths)) { item, _, number in
    guard number == known else { return }
    known += 1
    kept.append(items.slice(item))
  }
  return items.list(kept)
}
