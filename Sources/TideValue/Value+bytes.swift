extension Value {
  /// Whether it is bytes, or holds some. What was parsed from JSON holds none, so that only compositions are looked
  /// through.
  public var holdsBytes: Bool {
    if form == .bytes { return true }
    guard form.isComposed, let composition else { return false }
    let width = form == .list ? Int(length) : Int(length) * 2
    var pending = [(composition, Int(offset)..<(Int(offset) + width))]
    while let (composition, range) = pending.popLast() {
      for slice in composition.slices[range] {
        if slice.form == .bytes { return true }
        guard slice.form.isComposed, slice.length > 0 else { continue }
        let inner = composition.value(of: slice)
        guard let nested = inner.composition else { continue }
        let width = inner.form == .list ? Int(inner.length) : Int(inner.length) * 2
        pending.append((nested, Int(inner.offset)..<(Int(inner.offset) + width)))
      }
    }
    return false
  }
}
