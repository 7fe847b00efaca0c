import TideGraph
import TideValue

extension Fixtures {
  /// Reads exchanges from the text of a file.
  ///
  /// - Parameter name: of the file, as errors show it.
  /// - Throws: where the text is no JSON; or else everything in which it is not as the format says, each with the number
  ///   of its exchange and its place. After twenty the rest is only counted.
  public static func parse(file name: String, text: String) throws(Diagnostics) -> Fixtures {
    try parse(file: name, bytes: Buffer(copying: text.utf8))
  }

  /// Reads exchanges from the bytes of a file.
  ///
  /// - Throws: as ``parse(file:text:)``.
  public static func parse(file name: String, bytes: Buffer) throws(Diagnostics) -> Fixtures {
    try parse(file: name, bytes: bytes) { _ in }
  }

  /// - Parameter prepare: tells the reader what else belongs to the file.
  static func parse(
    file name: String, bytes: Buffer, prepare: (inout ExchangeReader) -> Void
  ) throws(Diagnostics) -> Fixtures {
    var reader = ExchangeReader()
    prepare(&reader)
    let exchanges = reader.readAny(try root(of: bytes, name: name))
    try reader.conclude(file: name, bytes: bytes)
    return Fixtures(exchanges)
  }

  static func root(of bytes: Buffer, name: String) throws(Diagnostics) -> Value {
    do {
      return try Value.parse(bytes)
    } catch {
      let start = min(max(0, error.offset), bytes.count)
      let location = Location(file: name, span: start..<min(start + 1, bytes.count), of: bytes)
      throw Diagnostics(
        [Diagnostic(.fixture, "the fixtures are no valid JSON: \(error.message)", at: location)],
        sources: Sources(name: name, bytes: bytes))
    }
  }
}

extension ExchangeReader {
  /// - Throws: all that it complained of.
  func conclude(file name: String, bytes: Buffer) throws(Diagnostics) {
    guard problems.isEmpty else {
      throw Diagnostics(problems.located(in: bytes, name: name), sources: Sources(name: name, bytes: bytes))
    }
  }
}

extension [FixtureProblem] {
  fileprivate func located(in bytes: Buffer, name: String) -> [Diagnostic] {
    let shown = prefix(20)
    var diagnostics = shown.map { problem in
      let span = JSONPlace.span(of: problem.path, asKey: problem.isAboutKey, in: bytes)
      let location = span.map { Location(file: name, span: $0, of: bytes) }
      return Diagnostic(.fixture, problem.description, at: location, help: problem.help)
    }
    if count > shown.count, let last = diagnostics.indices.last {
      diagnostics[last].notes.append("and \(count - shown.count) more errors in \(name)")
    }
    return diagnostics
  }
}

extension Location {
  /// - Parameter span: of bytes; what lies on the lines after the first is left out.
  fileprivate init(file: String, span: Range<Int>, of buffer: Buffer) {
    let bytes = buffer.bytes
    let newline = UInt8(ascii: "\n")
    let lineStart = bytes[..<span.lowerBound].lastIndex(of: newline).map { $0 + 1 } ?? 0
    let lineEnd = bytes[span].firstIndex(of: newline) ?? span.upperBound
    var column = span.lowerBound - lineStart + 1
    if lineStart == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { column = Swift.max(1, column - 3) }
    self.init(
      file: file, line: bytes[..<lineStart].count { $0 == newline } + 1,
      columns: column..<Swift.max(column + 1, column + lineEnd - span.lowerBound))
  }
}

extension Sources {
  /// What excerpts are cut from; nothing of a file that is too large to be read twice.
  fileprivate init(name: String, bytes: Buffer) {
    self.init()
    guard bytes.count <= 16 << 20 else { return }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let content = bytes.bytes.starts(with: mark) ? bytes.bytes.dropFirst(3) : bytes.bytes[...]
    _ = add(name: name, text: String(decoding: content, as: UTF8.self))
  }
}
