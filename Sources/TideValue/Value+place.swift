extension Value {
  /// Where the text of a list or an object lies that is one piece of a buffer; nil for everything else.
  public var place: (buffer: Buffer, range: Range<Int>)? {
    guard form.isArrayText || form.isObjectText else { return nil }
    return (buffer, Int(offset)..<(Int(offset) + Int(length)))
  }

  /// The list or the object whose text lies at `range` of this value's buffer.
  ///
  /// - Parameter range: exactly the brackets and what is between them, of JSON that was parsed.
  /// - Returns: null if nothing like that lies there, or if this value has no place itself.
  public func neighbour(at range: Range<Int>) -> Value {
    guard let place, range.lowerBound >= 0, range.upperBound <= place.buffer.count, range.count >= 2 else {
      return .null
    }
    // Only inside of a text without white space is it known that there is none.
    let isSpaced =
      form.isSpaced || !(place.range.lowerBound <= range.lowerBound && range.upperBound <= place.range.upperBound)
    let form: Form
    switch place.buffer.start[range.lowerBound] {
    case UInt8(ascii: "["): form = isSpaced ? .spacedArray : .array
    case UInt8(ascii: "{"): form = isSpaced ? .spacedObject : .object
    default: return .null
    }
    return Value(
      storage: place.buffer, offset: UInt32(truncatingIfNeeded: range.lowerBound),
      length: UInt32(truncatingIfNeeded: range.count), form: form)
  }
}
