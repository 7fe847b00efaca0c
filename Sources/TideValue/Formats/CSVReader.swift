extension Value {
  /// The rows of a CSV text (RFC 4180) as a list of objects, whose names are the first row's fields. All values are
  /// texts; an empty field is null, a quoted empty one (`""`) is the empty text. Rows end with CRLF, LF or CR. A byte
  /// order mark is dropped, and so are empty lines, unless there is one column: then they are null. No row at all is an
  /// empty list.
  ///
  /// - Parameter separator: what stands between two fields of a row.
  /// - Throws: where the text is not UTF-8, a quote stands where none may, a row has more or fewer fields than the
  ///   first, or two names are equal.
  public static func parseCSV(_ buffer: Buffer, separator: UInt8 = UInt8(ascii: ",")) throws(JSONError) -> Value {
    try buffer.requireSize()
    if let place = UTF8Text.invalid(buffer.start, buffer.end) {
      throw JSONError("not valid UTF-8", at: place, in: buffer)
    }
    var reader = CSVReader(buffer, separator)
    return try reader.list()
  }
}

/// Reads CSV. Fields are slices of the text, those aside in which a quote is doubled.
private struct CSVReader {
  typealias Pointer = UnsafePointer<UInt8>

  private let buffer: Buffer
  private let separator: UInt8
  private var p: Pointer
  private var composer = RecordComposer(reserving: 0, fields: 0)
  private let source: UInt32
  private var row: [Composition.Slice] = []

  init(_ buffer: Buffer, _ separator: UInt8) {
    self.buffer = buffer
    self.separator = separator
    p = buffer.start + (buffer.hasByteOrderMark ? 3 : 0)
    source = composer.source(buffer)
  }

  mutating func list() throws(JSONError) -> Value {
    let start = p
    guard try readRow() else { return .array([]) }
    let names = row.map { slice in
      // An empty name is a name.
      slice.form == .null ? Composition.Slice(source: source, offset: 0, length: 0, form: .plain) : slice
    }
    let texts = names.map { composer.string(of: $0) }
    if let name = firstRepeat(texts) { throw fault("two columns are named '\(name)'", at: start) }
    while true {
      let start = p
      guard try readRow() else { break }
      if row.count != names.count {
        // An empty line.
        if row.count == 1, row[0].form == .null { continue }
        throw fault("a row of \(fields(row.count)), where the first has \(fields(names.count))", at: start)
      }
      for (name, value) in zip(names, row) {
        composer.append(name)
        composer.append(value)
      }
      composer.endRecord()
    }
    do {
      return try composer.list()
    } catch {
      throw JSONError(error.message, at: buffer.start, in: buffer)
    }
  }

  private func fields(_ count: Int) -> String { count == 1 ? "1 field" : "\(count) fields" }

  private func fault(_ message: String, at place: Pointer) -> JSONError { JSONError(message, at: place, in: buffer) }

  /// Reads the fields of the next row into `row`; false at the end of the text.
  private mutating func readRow() throws(JSONError) -> Bool {
    guard p < buffer.end else { return false }
    row.removeAll(keepingCapacity: true)
    while true {
      row.append(p < buffer.end && p.pointee == UInt8(ascii: "\"") ? try quoted() : try unquoted())
      guard p < buffer.end else { return true }
      let byte = p.pointee
      p += 1
      if byte == separator { continue }
      if byte == UInt8(ascii: "\r"), p < buffer.end, p.pointee == UInt8(ascii: "\n") { p += 1 }
      return true
    }
  }

  private mutating func unquoted() throws(JSONError) -> Composition.Slice {
    let start = p
    while p < buffer.end {
      let byte = p.pointee
      if byte == separator || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { break }
      if byte == UInt8(ascii: "\"") { throw fault("a quote inside of a field that does not start with one", at: p) }
      p += 1
    }
    return p == start ? .null : slice(start, p)
  }

  private mutating func quoted() throws(JSONError) -> Composition.Slice {
    let open = p
    p += 1
    let start = p
    var isDoubled = false
    while true {
      while p < buffer.end, p.pointee != UInt8(ascii: "\"") { p += 1 }
      guard p < buffer.end else { throw fault("a quote that is never closed", at: open) }
      guard p + 1 < buffer.end, p[1] == UInt8(ascii: "\"") else { break }
      isDoubled = true
      p += 2
    }
    let end = p
    p += 1
    guard
      p == buffer.end || p.pointee == separator || p.pointee == UInt8(ascii: "\n") || p.pointee == UInt8(ascii: "\r")
    else { throw fault("expected the end of the field after its closing quote", at: p) }
    return isDoubled ? composer.made(unescaped(start, end), .plain) : slice(start, end)
  }

  private func slice(_ start: Pointer, _ end: Pointer) -> Composition.Slice {
    Composition.Slice(
      TextSlice(start: start, end: end, limit: buffer.end, form: .plain), of: source, at: buffer.start)
  }

  /// The content of a field with one quote for each two.
  private func unescaped(_ start: Pointer, _ end: Pointer) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(end - start)
    var p = start
    while p < end {
      bytes.append(p.pointee)
      p += p.pointee == UInt8(ascii: "\"") ? 2 : 1
    }
    return bytes
  }
}
