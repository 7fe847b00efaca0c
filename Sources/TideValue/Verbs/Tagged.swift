/// A list whose items, objects all of them, have one more field at their end. A null counts as an empty list.
///
/// - Throws: the first item that is no object, or has a field of this name already.
public func tagged(_ list: Value, field: String, value: Value) throws(DataError) -> Value {
  let items = try ItemList(list)
  var composer = RecordComposer(reserving: items.count, fields: 8)
  let name = composer.names([field])[0]
  let wanted = composer.text(of: name).content
  let slice = composer.slice(value)
  let places = composer.places(of: items.composition)
  for index in 0..<items.count {
    try items.requireObject(index)
    var isTaken = false
    composer.forEachField(index, of: items, places) { composer, _, key, value in
      if composer.text(of: key).decodes(to: wanted) { isTaken = true }
      composer.append(key)
      composer.append(value)
    }
    guard !isTaken else { throw items.error(.collision, item: index, path: field, "the item has this field already") }
    composer.append(name)
    composer.append(slice)
    composer.endRecord()
  }
  return try composer.list()
}
