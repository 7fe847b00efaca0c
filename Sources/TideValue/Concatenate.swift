/// The items of all lists in one list, in the order given. A null counts as an empty list. No item is copied: the result
/// keeps the buffers of the inputs.
///
/// - Throws: the first input that is neither a list nor null.
public func concatenate(_ lists: [Value]) throws(DataError) -> Value {
  for (input, list) in lists.enumerated() where list.kind != .array && list.kind != .null {
    throw DataError(.type, input: input, "\(list.kind.name), where a list is expected")
  }
  let lists = lists.filter { $0.kind == .array }
  if lists.count == 1 { return lists[0] }
  return itemized(lists)
}

/// The items of all lists as slices of one composition.
func itemized(_ lists: [Value]) -> Value {
  var composer = Composer()
  for list in lists {
    if list.form.isArrayText {
      let buffer = list.buffer
      let source = composer.source(buffer)
      list.withSlice { slice in
        var items = ItemCursor(slice)
        let before = composer.slices.count
        while let item = items.next() {
          composer.append(item, of: source, at: buffer.start)
          if composer.slices.count - before == 1_024 {
            // As many as there are if all are as long as these, and some: memory that is not used costs nothing, growing does.
            let share = max(1, (item.end - slice.start) / 1_024)
            composer.reserve(before + slice.count / share * 5 / 4)
          }
        }
      }
    } else if let composition = list.composition {
      let first = Int(list.offset)
      composer.append(first..<first + Int(list.length), of: composition)
    }
  }
  return composer.list()
}
