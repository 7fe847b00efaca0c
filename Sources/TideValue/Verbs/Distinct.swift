/// The items of a list without those whose key was there before: of equal ones the first stays. Without paths the item
/// itself is the key. A key that is null, or that an item lacks, is a key like any other. A null counts as an empty list.
///
/// - Throws: what the value is if it is no list.
public func distinct(_ list: Value, by paths: [Path] = []) throws(DataError) -> Value {
  let items = try ItemList(list)
  let keys = KeyReader(paths)
  let table = KeyTable(expecting: items.count)
  var kept = ContiguousArray<Composition.Slice>()
  for index in 0..<items.count {
    let known = table.count
    if table.number(of: keys.read(index, of: items)) == known { kept.append(items.slice(index)) }
  }
  return items.list(kept)
}
