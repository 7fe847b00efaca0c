import TideValue

/// How a result is written.
enum ResultFormat: String, CaseIterable {
  case json, pretty, ndjson, csv, table, raw

  /// - Throws: a result that the format can't hold: what is no list of objects, as CSV.
  func write(_ result: Value, to writer: inout ByteWriter) throws(DataError) {
    switch self {
    case .json, .pretty:
      result.write(to: &writer, style: self == .json ? .compact : .pretty)
      writer.append(UInt8(ascii: "\n"))
    case .ndjson: result.writeNDJSON(to: &writer)
    case .csv: try result.writeCSV(to: &writer)
    case .table: result.writeTable(to: &writer)
    case .raw: result.writeRaw(to: &writer)
    }
  }
}
