extension Value {
  /// How deep lists and objects may be nested if nobody says otherwise.
  public static let defaultMaximumDepth = 1_000

  /// The JSON value that is the whole of `buffer` (RFC 8259, in strict UTF-8), white space and a byte order mark around
  /// it left out. The value is a slice of the buffer, and keeps it alive.
  ///
  /// A text is accepted with escapes of lone surrogates, and an object with repeated keys (the last one counts). Runs
  /// in one pass without recursion, whatever the depth.
  ///
  /// - Throws: where and why the text is no JSON, also when it is nested deeper than `maximumDepth` or has 4 GB or more.
  public static func parse(
    _ buffer: Buffer, maximumDepth: Int = Value.defaultMaximumDepth
  ) throws(JSONError) -> Value {
    guard buffer.count < UInt32.max else {
      throw JSONError(
        message: "a text of \(buffer.count) bytes: 4 GB is the limit", offset: 0, line: 1, column: 1)
    }
    var validator = Validator(end: buffer.end, maximumDepth: maximumDepth)
    do throws(Validator.Fault) {
      let slice = try validator.run(buffer.start + (buffer.hasByteOrderMark ? 3 : 0))
      let large = validator.large
      let storage =
        !slice.form.isText
        ? nil : large.isEmpty ? buffer : Buffer(sharing: buffer, large: LargeTexts(large, from: buffer.start))
      let offset = storage == nil ? 0 : UInt32(slice.start - buffer.start)
      return Value(
        storage: storage, offset: offset, length: storage == nil ? 0 : UInt32(slice.count), form: slice.form)
    } catch {
      throw JSONError(error.message, at: error.place, in: buffer)
    }
  }

  /// The JSON value that `text` is.
  ///
  /// - Throws: where and why it is none.
  public static func parse(_ text: String) throws(JSONError) -> Value {
    try parse(Buffer(copying: text.utf8))
  }
}
