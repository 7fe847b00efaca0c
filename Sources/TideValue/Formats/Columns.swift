/// The fields of a list of objects as the columns of a table: the names of all of them, in the order in which they
/// appear first.
final class Columns {
  private let items: ItemList
  private let table = KeyTable(expecting: 64)
  private(set) var names: [[UInt8]] = []
  /// By column: the field of the item that was read last.
  private(set) var cells: [Found] = []

  /// - Throws: the first item that is no object.
  init(_ items: ItemList) throws(DataError) {
    self.items = items
    for index in 0..<items.count {
      try items.requireObject(index)
      items.forEachField(index) { key, _ in _ = column(of: key) }
    }
    cells = Array(repeating: .nothing, count: names.count)
  }

  func read(_ item: Int) {
    for column in cells.indices { cells[column] = .nothing }
    items.forEachField(item) { key, value in cells[column(of: key)] = value }
  }

  private func column(of key: TextSlice) -> Int {
    key.withDecoded { name in
      let known = table.count
      let column = table.number(of: KeyTable.Key(bytes: name, tag: KeyEncoder.Tag.text, isTransient: true))
      if column == known { names.append(Array(name)) }
      return column
    }
  }
}

extension ItemList {
  /// Calls `body` with what stands in a cell for a value: texts as they are, nothing for null, JSON for anything else.
  func withCell<R>(_ found: Found, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    if found.isNull { return body(UnsafeBufferPointer(start: nil, count: 0)) }
    if case .text(let slice, _) = found {
      switch slice.form {
      case .text, .escapedText, .plain: return slice.withDecoded { body($0) }
      case .number: return body(slice.all)
      default: break
      }
    }
    guard let value = value(found) else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
    let isText = value.kind == .string
    let bytes =
      isText ? value.utf8Text ?? [] : value.kind == .bytes ? Array(value.json().dropFirst().dropLast()) : value.json()
    return bytes.withUnsafeBufferPointer { body($0) }
  }
}
