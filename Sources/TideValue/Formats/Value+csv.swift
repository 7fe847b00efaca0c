extension Value {
  /// Writes a list of objects as CSV: a row of names, then a row for each object. The columns are all names of fields in
  /// the order in which they appear first. Null and what is missing is an empty field, the empty text `""`; texts stand
  /// as they are, quoted as RFC 4180 wants it; lists and objects are JSON, bytes are base64. Rows end with LF. An empty
  /// list, or null, writes nothing.
  ///
  /// - Throws: what the value is if it is no list, or its first item that is no object.
  public func writeCSV(to output: inout ByteWriter, separator: UInt8 = UInt8(ascii: ",")) throws(DataError) {
    let items = try ItemList(self)
    let columns = try Columns(items)
    guard !columns.names.isEmpty else { return }
    for (column, name) in columns.names.enumerated() {
      if column > 0 { output.append(separator) }
      name.withUnsafeBufferPointer { CSVWriter.field($0, separator, to: &output) }
    }
    output.append(UInt8(ascii: "\n"))
    for index in 0..<items.count where !output.isStopped {
      columns.read(index)
      for (column, cell) in columns.cells.enumerated() {
        if column > 0 { output.append(separator) }
        if !cell.isNull { items.withCell(cell) { CSVWriter.field($0, separator, to: &output) } }
      }
      output.append(UInt8(ascii: "\n"))
    }
  }
}

private enum CSVWriter {
  /// Writes a field that is not null, in quotes if it would else be read as something else.
  static func field(_ text: UnsafeBufferPointer<UInt8>, _ separator: UInt8, to output: inout ByteWriter) {
    // What begins with a byte order mark would lose it, if it were the first thing in the file.
    let needsQuotes =
      text.isEmpty || text.starts(with: [0xEF, 0xBB, 0xBF])
      || text.contains {
        $0 == separator || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
      }
    guard needsQuotes else { return output.append(UnsafeRawBufferPointer(text)) }
    output.append(UInt8(ascii: "\""))
    var rest = text[...]
    while let quote = rest.firstIndex(of: UInt8(ascii: "\"")) {
      output.append(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: rest[...quote])))
      output.append(UInt8(ascii: "\""))
      rest = rest[(quote + 1)...]
    }
    output.append(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: rest)))
    output.append(UInt8(ascii: "\""))
  }
}
