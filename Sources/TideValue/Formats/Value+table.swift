extension Value {
  /// Writes a table for people: a list of objects with a column for each name of a field, any other list with one column,
  /// an object with a row for each field, anything else as by `writeRaw`. Columns are aligned, numbers to the right;
  /// nothing stands for null and for what is missing. Control characters are shown as escapes, so that no text can
  /// steer the terminal.
  ///
  /// - Parameter cellWidth: how many columns of the terminal a cell takes at most; what is longer ends with '…'.
  public func writeTable(to output: inout ByteWriter, cellWidth: Int = 40) {
    switch kind {
    case .array: Table.list(self, cellWidth, to: &output)
    case .object:
      let rows = Value.array(fields.map { .object([("field", Value($0.key)), ("value", $0.value)]) })
      Table.list(rows, cellWidth, to: &output)
    default: writeRaw(to: &output)
    }
  }
}

private struct Table {
  private let items: ItemList
  private let columns: Columns
  private let cellWidth: Int
  /// By column: how wide it is, and whether all that stands in it are numbers.
  private var widths: [Int]
  private var areNumbers: [Bool]

  static func list(_ list: Value, _ cellWidth: Int, to output: inout ByteWriter) {
    guard let items = try? ItemList(list), items.count > 0 else { return }
    if let columns = try? Columns(items) {
      let table = Table(items, columns, max(1, cellWidth))
      return table.write(to: &output)
    }
    // Not all items are objects.
    let wrapped = Value.array(list.items.map { .object([("value", $0)]) })
    self.list(wrapped, cellWidth, to: &output)
  }

  private init(_ items: ItemList, _ columns: Columns, _ cellWidth: Int) {
    self.items = items
    self.columns = columns
    self.cellWidth = cellWidth
    widths = columns.names.map { name in name.withUnsafeBufferPointer { CellText($0, limit: cellWidth).width } }
    areNumbers = columns.names.map { _ in true }
    for index in 0..<items.count {
      columns.read(index)
      for (column, cell) in columns.cells.enumerated() where !cell.isNull {
        widths[column] = max(widths[column], items.withCell(cell) { CellText($0, limit: cellWidth).width })
        if cell.kind != .number { areNumbers[column] = false }
      }
    }
  }

  private func write(to output: inout ByteWriter) {
    row(columns.names.map { name in name.withUnsafeBufferPointer { CellText($0, limit: cellWidth) } }, to: &output)
    row(
      widths.map { width in
        Array(repeating: UInt8(ascii: "-"), count: width).withUnsafeBufferPointer { CellText($0, limit: width) }
      }, to: &output)
    for index in 0..<items.count where !output.isStopped {
      columns.read(index)
      row(columns.cells.map { cell in items.withCell(cell) { CellText($0, limit: cellWidth) } }, to: &output)
    }
  }

  private func row(_ cells: [CellText], to output: inout ByteWriter) {
    // Spaces wait until something follows them.
    var spaces = 0
    for (column, cell) in cells.enumerated() {
      if column > 0 { spaces += 2 }
      let padding = widths[column] - cell.width
      if areNumbers[column] { spaces += padding }
      if cell.width > 0 {
        for _ in 0..<spaces { output.append(UInt8(ascii: " ")) }
        spaces = 0
        output.append(cell.text)
      }
      if !areNumbers[column] { spaces += padding }
    }
    output.append(UInt8(ascii: "\n"))
  }
}

/// A text as it is shown in a cell, and how many columns of a terminal it takes.
struct CellText {
  private(set) var text = ""
  private(set) var width = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int) {
    // Where to cut if the text turns out to be too long.
    var cut = (text: "", width: 0)
    // No scalar has more than 4 bytes; marks without a width of their own could go on for ever.
    for scalar in String(decoding: bytes.prefix(limit * 16 + 16), as: UTF8.self).unicodeScalars {
      let shown = CellText.shown(scalar)
      text += shown.text
      width += shown.width
      if width > limit {
        (text, width) = (cut.text + "…", cut.width + 1)
        return
      }
      if width < limit { cut = (text, width) }
    }
    if bytes.count > limit * 16 + 16 { (text, width) = (cut.text + "…", cut.width + 1) }
  }

  private static func shown(_ scalar: Unicode.Scalar) -> (text: String, width: Int) {
    switch scalar {
    case "\n": return ("\\n", 2)
    case "\r": return ("\\r", 2)
    case "\t": return ("\\t", 2)
    default: break
    }
    if scalar.isASCII, scalar.value >= 0x20, scalar.value != 0x7F { return (String(scalar), 1) }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return (String(scalar), 0)
    case .format where scalar == "\u{200D}": return (String(scalar), 0)
    case .control, .lineSeparator, .paragraphSeparator, .format:
      let text = "\\u{\(String(scalar.value, radix: 16))}"
      return (text, text.utf8.count)
    default: return (String(scalar), isWide(scalar.value) ? 2 : 1)
    }
  }

  /// East Asian wide and full-width letters and emoji (Unicode Standard Annex 11, by blocks).
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF,
      0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
