/// Any bytes to the readers of JSON, NDJSON and CSV. What one of them accepts is written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReader(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let buffer = Buffer(copying: UnsafeBufferPointer(start: data, count: count))
  if let value = try? Value.parse(buffer) { checkJSON(value) }
  if let list = try? Value.parseNDJSON(buffer) { checkNDJSON(list) }
  if let rows = try? Value.parseCSV(buffer) { checkCSV(rows) }
  return 0
}

private func checkJSON(_ value: Value) {
  for style in [JSONStyle.compact, .pretty, .verbatim] {
    guard let again = try? Value.parse(Buffer(copying: value.json(style))) else { fatalError("\(style) is no JSON") }
    guard again == value else { fatalError("\(style) is another value") }
    guard (try? distinct(.array([value, again])))?.count == 1 else { fatalError("\(style) has another key") }
  }
  let opened = open(value, depth: 0)
  guard opened == value else { fatalError("put together again it is another value") }
  guard Value.compare(value, opened) == 0, (try? distinct(.array([opened, value])))?.count == 1 else {
    fatalError("put together again it has another key")
  }
  // The verbs must not mind what the items are.
  guard value.kind == .array, let key = try? Path("a") else { return }
  let items = value.count
  guard (try? sorted(value, by: []))?.count == items else { fatalError("a sort lost items") }
  guard (try? sorted(value, by: [SortKey(path: key, kind: .time)]))?.count == items else {
    fatalError("a sort by time lost items")
  }
  let groups = (try? grouped(value, by: [key])) ?? .null
  guard groups.items.reduce(0, { $0 + ($1["items"]?.count ?? 0) }) == items else { fatalError("a group lost items") }
}

/// The same value, put together from its parts.
private func open(_ value: Value, depth: Int) -> Value {
  guard depth < 60 else { return value }
  switch value.kind {
  case .array: return .array(value.items.map { open($0, depth: depth + 1) })
  case .object:
    // Lone surrogates don't survive as names.
    if value.json().contains(UInt8(ascii: "\\")) { return value }
    return .object(value.fields.map { ($0.key, open($0.value, depth: depth + 1)) })
  default: return value
  }
}

private func checkNDJSON(_ list: Value) {
  var writer = ByteWriter()
  list.writeNDJSON(to: &writer)
  guard let again = try? Value.parseNDJSON(Buffer(copying: writer.bytes)) else { fatalError("no NDJSON") }
  guard again == list else { fatalError("another list") }
}

private func checkCSV(_ rows: Value) {
  var writer = ByteWriter()
  guard (try? rows.writeCSV(to: &writer)) != nil else { fatalError("rows that are no CSV") }
  guard let again = try? Value.parseCSV(Buffer(copying: writer.bytes)) else { fatalError("no CSV") }
  guard again == rows else { fatalError("other rows") }
  var table = ByteWriter()
  rows.writeTable(to: &table)
}
