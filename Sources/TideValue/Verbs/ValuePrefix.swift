/// The first part of a value in its order: most comparisons end there.
enum ValuePrefix {
  /// The kind of a value, the first part of it in its order, and whether that is all of it.
  @inline(__always)
  static func of(_ value: Found) -> (rank: UInt8, prefix: UInt64, isWhole: Bool) {
    if case .text(let slice, _) = value {
      switch slice.form {
      case .number:
        if let prefix = SortPrefix.shortNumber(slice.all) { return (Value.Kind.number.rawValue, prefix, true) }
        let prefix = SortPrefix.number(Decimal(slice))
        return (Value.Kind.number.rawValue, prefix, !SortPrefix.numberGoesOn(prefix))
      case .text, .plain:
        let prefix = SortPrefix.text(slice.content, skip: 0)
        return (Value.Kind.string.rawValue, prefix, !SortPrefix.textGoesOn(prefix))
      case .escapedText:
        let prefix = slice.withDecoded { SortPrefix.text($0, skip: 0) }
        return (Value.Kind.string.rawValue, prefix, !SortPrefix.textGoesOn(prefix))
      default: break
      }
    }
    return of(value: value)
  }

  private static func of(value: Found) -> (rank: UInt8, prefix: UInt64, isWhole: Bool) {
    // The same prefixes as above: text and composed items may be mixed in one list.
    if case .value(let value) = value {
      if value.form == .integer {
        var text = String(value.inlineInteger)
        return text.withUTF8 { bytes in
          let end = bytes.baseAddress.map { $0 + bytes.count }
          guard let start = bytes.baseAddress, let end else { return (value.kind.rawValue, 0, false) }
          return of(.text(TextSlice(start: start, end: end, limit: end, form: .number), source: 0))
        }
      }
      if value.form.isText, value.kind == .number || value.kind == .string {
        return value.withSlice { of(.text($0, source: 0)) }
      }
    }
    return (value.kind.rawValue, 0, false)
  }
}
