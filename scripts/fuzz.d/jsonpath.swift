/// A path in the first line, a document in the rest. A path that is accepted must be found, or explained, in anything.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPath(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: data, count: count)
  let line = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
  // Segments multiply: a query of many of them over a wide document takes as long as it takes.
  guard line < 200, let text = String(validating: bytes[..<line], as: UTF8.self), let path = try? Path(text),
    text.utf8.count(where: { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }) < 6,
    text.ranges(of: "..").count < 3
  else { return 0 }
  guard path == (try? Path(path.description)) else { fatalError("its text is another path") }
  let document = bytes.dropFirst(line + 1).prefix(800)
  guard let value = try? Value.parse(Buffer(copying: document)) else { return 0 }
  let found: Value?
  do {
    found = try path.find(in: value)
  } catch {
    // Beyond the limit of a search: nothing to compare.
    return 0
  }
  guard (path.missing(in: value) == nil) == (found != nil) else { fatalError("found and missing, or neither") }
  guard let found else { return 0 }
  // The same path over the same document put together.
  let opened = value.kind == .array ? Value.array(value.items) : value
  guard (try? path.find(in: opened)) == found else { fatalError("another value in what was put together") }
  let mapping = [MapField(name: "x", path: path)]
  guard (try? mapped(.array([value]), fields: mapping))?[0]?["x"] == found else {
    fatalError("a map finds another value")
  }
  return 0
}
