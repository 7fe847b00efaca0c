/// Some of the items of a list: at most `limit` of them from `offset` on, which counts from the end if it is negative.
/// What lies outside of the list is left out. A null counts as an empty list.
///
/// - Throws: what the value is if it is no list.
public func sliced(_ list: Value, offset: Int = 0, limit: Int? = nil) throws(DataError) -> Value {
  guard list.kind == .array || list.isNull else {
    throw DataError(.type, "\(list.kind.name), where a list is expected")
  }
  let limit = max(0, limit ?? .max)
  var first = offset
  if first < 0 {
    // Only from the end does the length matter; an offset of `Int.min` has no positive counterpart.
    first = max(0, list.count + max(offset, -Int(UInt32.max)))
  }
  if list.form == .list {
    first = min(first, Int(list.length))
    let count = min(limit, Int(list.length) - first)
    guard count > 0 else { return .array([]) }
    return Value(
      storage: list.storage, offset: list.offset + UInt32(first), length: UInt32(count), form: .list)
  }
  guard list.form.isArrayText, limit > 0 else { return .array([]) }
  let buffer = list.buffer
  var composer = Composer()
  let source = composer.source(buffer)
  list.withSlice { slice in
    var items = ItemCursor(slice)
    var index = 0
    while let item = items.next() {
      if index >= first { composer.append(item, of: source, at: buffer.start) }
      index += 1
      if composer.slices.count == limit { break }
    }
  }
  return composer.list()
}
