extension Path {
  /// The same as `find(in:)` within text that somebody else keeps alive.
  @inline(__always)
  func find(in slice: TextSlice) -> TextSlice? {
    guard case .singular(let steps) = query else { return nil }
    return Path.find(steps, in: slice)
  }

  @inline(__always)
  static func find(_ steps: [Step], in slice: TextSlice) -> TextSlice? {
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

  /// The name that what the path leads to has in an object made of it: the last name of the path if it ends with one,
  /// else the path as it was written.
  public var lastName: String {
    if case .singular(let steps) = query, case .name(let name)? = steps.last {
      return String(decoding: name, as: UTF8.self)
    }
    return description
  }
}
