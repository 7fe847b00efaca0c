extension Value {
  public var isNull: Bool { form == .null }

  /// The value of a boolean, else nil.
  public var bool: Bool? {
    switch form {
    case .yes: true
    case .no: false
    default: nil
    }
  }

  /// A number that is exactly a 64-bit integer, also one written "2.0" or "2e0"; else nil.
  public var int64: Int64? {
    switch form {
    case .integer: inlineInteger
    case .number: withSlice { Decimal($0).int64 }
    default: nil
    }
  }

  /// The Double nearest to a number; nil if this is no number, or one beyond the range of a Double.
  public var double: Double? {
    switch form {
    case .integer: return Double(inlineInteger)
    case .number:
      if let integer = int64 { return integer == 0 && isNegativeText ? -0.0 : Double(integer) }
      guard let value = numberText.flatMap({ Double($0) }), value.isFinite else { return nil }
      return value
    default: return nil
    }
  }

  private var isNegativeText: Bool { withSlice { $0.start.pointee == UInt8(ascii: "-") } }

  /// The text of a number as it was written, else nil.
  public var numberText: String? {
    switch form {
    case .integer: String(inlineInteger)
    case .number: withSlice { String(decoding: $0.all, as: UTF8.self) }
    default: nil
    }
  }

  /// What a text stands for, its escapes decoded; else nil. A surrogate without its partner reads as U+FFFD.
  public var string: String? {
    guard kind == .string else { return nil }
    return withSlice { $0.withDecoded { String(decoding: $0, as: UTF8.self) } }
  }

  /// The UTF-8 of `string`, else nil.
  public var utf8Text: [UInt8]? {
    guard kind == .string else { return nil }
    return withSlice { $0.form == .escapedText ? Escapes.decoded($0.content) : Array($0.content) }
  }

  /// The bytes of a `bytes` value, else nil.
  public var rawBytes: [UInt8]? {
    form == .bytes ? withSlice { Array($0.all) } : nil
  }

  /// How many bytes a text has in UTF-8, or bytes have; of anything else, how many its JSON has as it stands.
  public var byteCount: Int {
    switch form {
    case .null, .yes: 4
    case .no: 5
    case .integer: String(inlineInteger).utf8.count
    case .escapedText: withSlice { Escapes.decoded($0.content).count }
    case .text, .plain: withSlice { $0.content.count }
    case .list, .record: json(.verbatim).count
    default: withSlice { $0.count }
    }
  }
}
