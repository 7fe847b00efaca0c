import TideGraph
import TideValue

extension ExchangeReader {
  private static let bodyKeys = ["body", "jsonBody", "base64Body", "bodyFileName"]
  private static let faults: [String: FailureName] = [
    "EMPTY_RESPONSE": .reset, "CONNECTION_RESET_BY_PEER": .reset, "MALFORMED_RESPONSE_CHUNK": .malformed,
    "RANDOM_DATA_THEN_CLOSE": .malformed,
  ]

  /// A status line's text (`statusMessage`) means nothing in HTTP (RFC 9112 section 4), and is not kept.
  mutating func readMappedResponse(_ value: Value, at path: [JSONStep]) -> Answer? {
    let known = ["fault", "fixedDelayMilliseconds", "headers", "status", "statusMessage"] + ExchangeReader.bodyKeys
    guard let fields = supported(value, at: path, known) else { return nil }
    let delay = readMilliseconds(fields["fixedDelayMilliseconds"], at: path + [.key("fixedDelayMilliseconds")])
    if let fault = fields["fault"], !fault.isNull { return readFault(fault, delay, at: path + [.key("fault")]) }
    let status = fields["status"] ?? Value(200)
    guard let number = status.int64, (200...599).contains(number) else {
      complain(path + [.key("status")], "is \(status.excerpt), where a status from 200 to 599 is expected")
      return nil
    }
    var headers = headers(fields["headers"], at: path + [.key("headers")])
    guard let body = readMappedBody(fields, at: path) else { return nil }
    if fields["jsonBody"] != nil, headers.first(named: "Content-Type") == nil {
      headers.append(NamedText("Content-Type", "application/json"))
    }
    return Answer(outcome: .response(status: Int(number), headers: headers, body: body), delay: delay)
  }

  private mutating func readFault(_ value: Value, _ delay: Duration?, at path: [JSONStep]) -> Answer? {
    guard let name = text(value, at: path) else { return nil }
    guard let failure = ExchangeReader.faults[name] else {
      complain(
        path, "is \(Value(name).excerpt), which is no fault",
        help: "one of: \(ExchangeReader.faults.keys.sorted().joined(separator: ", "))")
      return nil
    }
    return Answer(outcome: .failure(failure, message: nil), delay: delay)
  }

  private mutating func readMilliseconds(_ value: Value?, at path: [JSONStep]) -> Duration? {
    guard let value, !value.isNull else { return nil }
    if let number = value.int64, (0...31_536_000_000).contains(number) { return .milliseconds(number) }
    complain(path, "is \(value.excerpt), where a number of milliseconds is expected")
    return nil
  }

  private mutating func readMappedBody(_ fields: [String: Value], at path: [JSONStep]) -> Buffer? {
    guard let key = oneOf(ExchangeReader.bodyKeys, in: fields, at: path), let value = fields[key] else {
      return Buffer(copying: [])
    }
    let place = path + [.key(key)]
    if key == "jsonBody" { return Buffer(copying: value.json()) }
    guard let text = text(value, at: place) else { return nil }
    switch key {
    case "body": return Buffer(copying: text.utf8)
    case "base64Body":
      if let bytes = base64Decoded(text.utf8.filter { $0 > 0x20 }) { return Buffer(copying: bytes) }
      complain(place, "is no base64")
    default:
      do throws(Unreadable) {
        return try bodies(text)
      } catch {
        complain(place, "can't read the body '\(text)': \(error.reason)")
      }
    }
    return nil
  }
}
