extension Value {
  /// The value in a buffer of its own, if it would else keep one alive that is more than four times as large: for small
  /// parts that are kept for long.
  public func detached() -> Value {
    if form.isText {
      let isSmall = withSlice { $0.count } < buffer.count / 4
      return isSmall ? copied() : self
    }
    guard form.isComposed, let composition else { return self }
    let kept = composition.retainedBytes
    return kept > 4_096 && json(.verbatim).count < kept / 4 ? copied() : self
  }

  /// The value in a buffer of its own; of a composed value every part in one of its own.
  private func copied() -> Value {
    switch form {
    case .list: return .array(items.map { $0.form.isText ? $0.copied() : $0.detached() })
    case .record:
      var fields: [(key: String, value: Value)] = []
      forEachField { key, value in fields.append((key, value.form.isText ? value.copied() : value.detached())) }
      return .object(fields)
    default:
      guard form.isText else { return self }
      let copy = withSlice { Buffer(copying: $0.all) }
      return Value(storage: copy, offset: 0, length: length == .max ? .max : UInt32(copy.count), form: form)
    }
  }
}

extension Composition {
  /// How many bytes of buffers its own sources keep alive.
  fileprivate var retainedBytes: Int {
    sources.reduce(0) { $0 + (($1 as? Buffer)?.count ?? 0) }
  }
}
