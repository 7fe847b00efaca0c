#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

extension Value {
  /// The list of the JSON values that the lines of `buffer` are (NDJSON). Lines end with LF or CRLF; a byte order mark
  /// and lines without anything but white space are left out. The values are slices of the buffer.
  ///
  /// - Throws: where and why a line is not JSON.
  public static func parseNDJSON(
    _ buffer: Buffer, maximumDepth: Int = Value.defaultMaximumDepth
  ) throws(JSONError) -> Value {
    try buffer.requireSize()
    var composer = Composer()
    let source = composer.source(buffer)
    var p = buffer.start + (buffer.hasByteOrderMark ? 3 : 0)
    while p < buffer.end {
      let end = buffer.endOfLine(p)
      if !Buffer.isBlank(p, end) {
        var validator = Validator(end: end, maximumDepth: maximumDepth)
        do throws(Validator.Fault) {
          let line = try validator.run(p)
          composer.append(
            TextSlice(start: line.start, end: line.end, limit: buffer.end, form: line.form), of: source,
            at: buffer.start)
        } catch {
          throw JSONError(
            error.message.replacingEnd("the end of the text", with: "the end of the line"), at: error.place, in: buffer)
        }
      }
      p = end + 1
    }
    return composer.list()
  }

  /// Writes each item of a list as compact JSON in a line of its own; what is no list, in one line.
  public func writeNDJSON(to output: inout ByteWriter) {
    guard kind == .array else {
      write(to: &output)
      output.append(UInt8(ascii: "\n"))
      return
    }
    forEachItem { item in
      if output.isStopped { return }
      item.write(to: &output)
      output.append(UInt8(ascii: "\n"))
    }
  }
}

extension Buffer {
  /// - Throws: that there are more bytes than a value can point into.
  func requireSize() throws(JSONError) {
    guard count < UInt32.max else {
      throw JSONError(message: "a text of \(count) bytes: 4 GB is the limit", offset: 0, line: 1, column: 1)
    }
  }

  /// The next LF from `p` on, or the end.
  fileprivate func endOfLine(_ p: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    guard let found = memchr(p, 0x0A, end - p) else { return end }
    return UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
  }

  fileprivate static func isBlank(_ p: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
    var p = p
    while p < end, p.pointee == 0x20 || p.pointee == 0x09 || p.pointee == 0x0D { p += 1 }
    return p == end
  }
}

extension String {
  fileprivate func replacingEnd(_ end: String, with other: String) -> String {
    hasSuffix(end) ? dropLast(end.count) + other : self
  }
}
