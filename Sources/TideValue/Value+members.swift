extension Value {
  /// How many items a list has, or how many fields an object has in its text, repeats included; else 0.
  public var count: Int {
    switch form {
    case .array, .spacedArray:
      withSlice { slice in
        var items = ItemCursor(slice)
        var count = 0
        while items.next() != nil { count += 1 }
        return count
      }
    case .object, .spacedObject:
      withSlice { slice in
        var fields = FieldCursor(slice)
        var count = 0
        while fields.next() != nil { count += 1 }
        return count
      }
    case .list, .record: Int(length)
    default: 0
    }
  }

  /// The item at a 0-based index; nil if there is none, or if this is no list.
  public subscript(index: Int) -> Value? {
    guard index >= 0 else { return nil }
    switch form {
    case .array, .spacedArray:
      return withSlice { slice in
        var items = ItemCursor(slice)
        var left = index
        while let item = items.next() {
          if left == 0 { return part(item) }
          left -= 1
        }
        return nil
      }
    case .list:
      guard index < Int(length) else { return nil }
      return composition?[Int(offset) + index]
    default: return nil
    }
  }

  /// The field of this name, the last one if there are several; nil if there is none, or if this is no object.
  public subscript(key: String) -> Value? {
    var key = key
    return key.withUTF8 { field($0) }
  }

  /// The last field whose name is these bytes.
  func field(_ name: UnsafeBufferPointer<UInt8>) -> Value? {
    switch form {
    case .object, .spacedObject:
      return withSlice { slice in
        if slice.count >= LargeTexts.threshold, let large = buffer.large {
          return FieldCursor.find(name, in: slice, large, from: buffer.start).map { part($0) }
        }
        return FieldCursor.find(name, in: slice).map { part($0) }
      }
    case .record:
      guard let composition else { return nil }
      for field in (0..<Int(length)).reversed() {
        let place = Int(offset) + field * 2
        if composition.text(of: composition.slices[place]).decodes(to: name) { return composition[place + 1] }
      }
      return nil
    default: return nil
    }
  }

  /// Calls `body` with each item of a list in order; does nothing if this is no list.
  public func forEachItem<E: Error>(_ body: (Value) throws(E) -> Void) throws(E) {
    switch form {
    case .array, .spacedArray:
      try withSlice { (slice) throws(E) -> Void in
        var items = ItemCursor(slice)
        while let item = items.next() { try body(part(item)) }
      }
    case .list:
      guard let composition else { return }
      for index in Int(offset)..<Int(offset) + Int(length) { try body(composition[index]) }
    default: return
    }
  }

  /// Calls `body` with each field in the order of the text, repeats included; does nothing if this is no object.
  public func forEachField<E: Error>(_ body: (_ key: String, _ value: Value) throws(E) -> Void) throws(E) {
    try forEachMember { (key, value) throws(E) -> Void in
      try body(key.withDecoded { String(decoding: $0, as: UTF8.self) }, value)
    }
  }

  func forEachMember<E: Error>(_ body: (TextSlice, Value) throws(E) -> Void) throws(E) {
    switch form {
    case .object, .spacedObject:
      try withSlice { (slice) throws(E) -> Void in
        var fields = FieldCursor(slice)
        while let field = fields.next() { try body(field.key, part(field.value)) }
      }
    case .record:
      guard let composition else { return }
      for field in 0..<Int(length) {
        let place = Int(offset) + field * 2
        try body(composition.text(of: composition.slices[place]), composition[place + 1])
      }
    default: return
    }
  }

  /// All items of a list; empty if this is no list.
  public var items: [Value] {
    var items: [Value] = []
    if form == .list { items.reserveCapacity(Int(length)) }
    forEachItem { items.append($0) }
    return items
  }

  /// The fields of an object, each name once with its last value, in the order in which the names appear first; empty
  /// if this is no object.
  public var fields: [(key: String, value: Value)] {
    var fields: [(key: String, value: Value)] = []
    var places: [[UInt8]: Int] = [:]
    forEachMember { key, value in
      key.withDecoded { name in
        if let place = places.updateValue(fields.count, forKey: Array(name)) {
          places[Array(name)] = place
          fields[place].value = value
        } else {
          fields.append((String(decoding: name, as: UTF8.self), value))
        }
      }
    }
    return fields
  }

  /// A slice of this value's own buffer.
  @inline(__always)
  func part(_ slice: TextSlice) -> Value {
    guard slice.form.isText else { return Value(storage: nil, offset: 0, length: 0, form: slice.form) }
    let base = buffer.start
    return Value(
      storage: storage, offset: UInt32(truncatingIfNeeded: slice.start - base),
      length: UInt32(truncatingIfNeeded: slice.count), form: slice.form)
  }
}
