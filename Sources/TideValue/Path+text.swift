extension Path {
  /// The same as `find(in:)` within text that somebody else keeps alive.
  @inline(__always)
  func find(in slice: TextSlice) -> TextSlice? {
    guard case .singular(let steps) = query else { return nil }
    var slice = slice
    for step in steps {
      switch step {
      case .name(let name):
        guard slice.form.isObjectText, let next = name.withUnsafeBufferPointer({ FieldCursor.find($0, in: slice) })
        else { return nil }
        slice = next
      case .index(let index):
        guard slice.form.isArrayText, let next = ItemCursor.find(index, in: slice) else { return nil }
        slice = next
      }
    }
    return slice
  }
}
