/// A JSON value: a slice of the text that it was parsed from, a constant, or a composition of such slices.
///
/// Values are immutable and may be read from any thread. What a list or an object holds is found by scanning its
/// text, each time it is asked; nothing of that is kept in the value. So a value costs 24 bytes, whatever its size.
public struct Value: Sendable {
  typealias Storage = any AnyObject & Sendable

  /// What a value is, bytes being the one kind that JSON does not have.
  public enum Kind: UInt8, Sendable {
    case null, boolean, number, string, array, object, bytes

    /// The kind as it reads in an error message.
    public var name: String {
      switch self {
      case .null: "null"
      case .boolean: "a boolean"
      case .number: "a number"
      case .string: "a text"
      case .array: "a list"
      case .object: "an object"
      case .bytes: "bytes"
      }
    }
  }

  /// A `Buffer` or a `Composition`, as `form` says.
  let storage: Storage?
  let offset: UInt32
  let length: UInt32
  let form: Form

  init(storage: Storage?, offset: UInt32, length: UInt32, form: Form) {
    self.storage = storage
    self.offset = offset
    self.length = length
    self.form = form
  }

  /// What the value is.
  public var kind: Kind { form.kind }

  /// JSON's null.
  public static var null: Value { Value(storage: nil, offset: 0, length: 0, form: .null) }
}

extension Value {
  /// `true` or `false`.
  public init(_ value: Bool) {
    self.init(storage: nil, offset: 0, length: 0, form: value ? .yes : .no)
  }

  /// A number without a fraction.
  public init(_ value: Int) {
    self.init(Int64(value))
  }

  /// A number without a fraction.
  public init(_ value: Int64) {
    let bits = UInt64(bitPattern: value)
    self.init(
      storage: nil, offset: UInt32(truncatingIfNeeded: bits), length: UInt32(truncatingIfNeeded: bits >> 32),
      form: .integer)
  }

  /// A number, written as the shortest text that reads back as `value` (3 is "3.0"); nil for NaN and the infinities.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    self.init(numberText: value.description)
  }

  /// A number that keeps exactly this text; nil if it is not a number by RFC 8259, section 6.
  public init?(numberText: String) {
    var text = numberText
    let buffer: Buffer? = text.withUTF8 { bytes in
      guard let start = bytes.baseAddress, bytes.count < UInt32.max else { return nil }
      let end = start + bytes.count
      guard NumberText.end(of: start, end) == end else { return nil }
      return Buffer(copying: bytes)
    }
    guard let buffer else { return nil }
    self.init(storage: buffer, offset: 0, length: UInt32(buffer.count), form: .number)
  }

  /// A text.
  public init(_ text: String) {
    self.init(wholeOf: Buffer(copying: text.utf8), form: .plain)
  }

  /// Bytes that are no text, or not known to be. They print as a JSON text of their base64 (RFC 4648, section 4).
  public init(bytes: Buffer) {
    self.init(wholeOf: bytes, form: .bytes)
  }

  /// The whole buffer as a text, a byte order mark included; nil if it is not UTF-8.
  public init?(text: Buffer) {
    guard UTF8Text.isValid(text.start, text.end) else { return nil }
    self.init(wholeOf: text, form: .plain)
  }

  private init(wholeOf buffer: Buffer, form: Form) {
    self.init(storage: buffer, offset: 0, length: UInt32(clamping: buffer.count), form: form)
  }
}

extension Value {
  /// The buffer of a form that has one.
  var buffer: Buffer { unsafeDowncast(storage.unsafelyUnwrapped, to: Buffer.self) }

  /// The composition of a form that has one; an empty list or object has none.
  var composition: Composition? { storage.map { unsafeDowncast($0, to: Composition.self) } }

  /// Calls `body` with the slice of a form that has a buffer, and with the end of that buffer.
  @inline(__always)
  func withSlice<R, E: Error>(_ body: (TextSlice) throws(E) -> R) throws(E) -> R {
    let buffer = buffer
    defer { withExtendedLifetime(buffer) {} }
    return try body(TextSlice(in: buffer.start, end: buffer.end, offset: offset, length: length, form: form))
  }

  var inlineInteger: Int64 { Int64(bitPattern: UInt64(length) << 32 | UInt64(offset)) }
}
