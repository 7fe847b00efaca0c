import TideGraph
import TideValue

extension FileInput {
  /// The fields of the JSON object that the file is.
  ///
  /// - Parameter isSecret: no excerpt of it is shown.
  /// - Throws: why it can't be read, or where it is not a JSON object.
  func object(isSecret: Bool = false) throws(Stop) -> [(key: String, value: Value)] {
    let bytes: Buffer
    do { bytes = try read() } catch { throw stop(error) }
    let value: Value
    do {
      value = try Value.parse(bytes)
    } catch {
      let why = isSecret ? "" : ": \(error.message)"
      throw stop(
        Diagnostic(.inputsFile, "the \(noun) are no valid JSON\(why)", at: location(error, bytes)),
        isSecret ? nil : bytes)
    }
    guard value.kind == .object else {
      throw stop(
        Diagnostic(
          .inputsFile, "the \(noun) are \(value.kind.name), where an object is expected",
          at: Location(file: name, line: 1), help: #"write { "name": value, ... }"#), isSecret ? nil : bytes)
    }
    return value.fields
  }

  /// The column counts bytes, as everywhere in a location.
  private func location(_ error: JSONError, _ bytes: Buffer) -> Location {
    let start = min(error.offset, bytes.count)
    let lineStart = bytes.bytes[..<start].lastIndex(of: 0x0A).map { $0 + 1 } ?? markLength(bytes)
    let column = max(0, start - lineStart) + 1
    return Location(file: name, line: error.line, columns: column..<(column + 1))
  }

  private func markLength(_ bytes: Buffer) -> Int { bytes.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

  /// An excerpt is cut from a text of a reasonable size.
  private func stop(_ diagnostic: Diagnostic, _ bytes: Buffer? = nil) -> Stop {
    var sources = Sources()
    if let bytes, bytes.count <= 16 << 20 {
      _ = sources.add(name: name, text: String(decoding: bytes.bytes.dropFirst(markLength(bytes)), as: UTF8.self))
    }
    return .diagnostics(Diagnostics([diagnostic], sources: sources))
  }
}
