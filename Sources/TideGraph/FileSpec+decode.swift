import TideValue

extension FileSpec {
  /// The value of a file's bytes. A file without a byte is null, a byte order mark is dropped.
  ///
  /// - Parameter path: as messages call it.
  /// - Throws: bytes that are not what the format says, with line and column.
  public func decoded(_ buffer: Buffer, path: String) throws(Failure) -> Value {
    do {
      switch format ?? Format(ending: path) {
      case .json: return buffer.count == 0 ? .null : try Value.parse(buffer)
      case .ndjson: return try Value.parseNDJSON(buffer)
      case .csv: return try Value.parseCSV(buffer)
      case .text:
        if let text = Value(text: buffer) { return text }
        throw Failure(.body, "'\(path)' is no UTF-8", help: "format = \"bytes\" takes it as it is")
      case .bytes: return Value(bytes: buffer)
      case nil: return Value(text: buffer) ?? Value(bytes: buffer)
      }
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(.body, "'\(path)': \(error)")
    }
  }
}

extension FileSpec.Format {
  /// By what the name ends in; nil for an ending that says nothing.
  fileprivate init?(ending path: String) {
    switch path.lowercased().split(separator: "/").last?.split(separator: ".").last {
    case "json": self = .json
    case "ndjson", "jsonl": self = .ndjson
    case "csv": self = .csv
    case "txt", "md": self = .text
    default: return nil
    }
  }
}
