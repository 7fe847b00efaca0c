/// Why a text is not JSON, NDJSON or CSV, and where.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What was expected and what was found, as in "expected ',' or ']' in a list, found 'x'".
  public let message: String
  /// How many bytes lie before the place.
  public let offset: Int
  /// The line of the place, from 1.
  public let line: Int
  /// The column of the place in characters (code points), from 1.
  public let column: Int

  public init(message: String, offset: Int, line: Int, column: Int) {
    self.message = message
    self.offset = offset
    self.line = line
    self.column = column
  }

  public var description: String { "line \(line), column \(column): \(message)" }

  /// Counts line and column of `place`.
  init(_ message: String, at place: UnsafePointer<UInt8>, in buffer: Buffer) {
    var line = 1
    var column = 1
    var p = buffer.start
    if buffer.hasByteOrderMark { p = min(p + 3, place) }
    while p < place {
      if p.pointee == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if p.pointee & 0xC0 != 0x80 {
        column += 1
      }
      p += 1
    }
    self.init(message: message, offset: place - buffer.start, line: line, column: column)
  }
}

extension Buffer {
  var hasByteOrderMark: Bool { count >= 3 && start[0] == 0xEF && start[1] == 0xBB && start[2] == 0xBF }
}
