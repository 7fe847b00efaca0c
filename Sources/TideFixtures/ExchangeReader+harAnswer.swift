import TideGraph
import TideValue

extension ExchangeReader {
  /// What came back. A status of 0 is a request that failed.
  mutating func readHARAnswer(_ entry: Value, url: String, at path: [JSONStep]) -> Answer? {
    let path = path + [.key("response")]
    guard let response = entry["response"], response.kind == .object else {
      let kind = entry["response"].map(\.kind.name) ?? "missing"
      complain(Array(path.dropLast()), "'response' is \(kind), where an object is expected")
      return nil
    }
    let status = response["status"] ?? Value(0)
    guard let number = status.int64, number <= 599 else {
      complain(path + [.key("status")], "is \(status.excerpt), where a status up to 599 is expected")
      return nil
    }
    if number <= 0 {
      let told = (response["_error"] ?? entry["_error"])?.string ?? ""
      return Answer(outcome: .failure(harFailure(told), message: nil), delay: nil)
    }
    guard number >= 200 else { return nil }
    guard let body = readContent(response["content"] ?? .null, at: path + [.key("content")]) else { return nil }
    let headers = readHARHeaders(response, at: path)
    return Answer(outcome: .response(status: Int(number), headers: headers, body: body), delay: nil)
  }

  /// Chromium's names of what went wrong (net/base/net_error_list.h).
  private func harFailure(_ told: String) -> FailureName {
    let name = told.uppercased()
    let failures: [(String, FailureName)] = [
      ("NAME_NOT_RESOLVED", .dns), ("ERR_CERT", .tls), ("ERR_SSL", .tls), ("TIMED_OUT", .timeout),
      ("CONNECTION_RESET", .reset), ("CONNECTION_CLOSED", .reset), ("EMPTY_RESPONSE", .reset),
      ("CONTENT_LENGTH_MISMATCH", .truncated), ("INCOMPLETE_CHUNKED", .truncated), ("INVALID_HTTP", .malformed),
    ]
    return failures.first { name.contains($0.0) }?.1 ?? .refused
  }

  /// `content.text` is the body with its encodings undone, so the headers that speak of them are dropped; so are HTTP/2's
  /// pseudo headers (RFC 9113 section 8.3). Chromium writes a repeated header as one with line breaks.
  private mutating func readHARHeaders(_ response: Value, at path: [JSONStep]) -> [NamedText] {
    let dropped = ["content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive"]
    var headers: [NamedText] = []
    for header in namedTexts(response["headers"], at: path + [.key("headers")]) {
      guard !header.name.hasPrefix(":"), !dropped.contains(header.name.lowercased()) else { continue }
      guard header.isNameToken else {
        complain(path + [.key("headers")], "'\(header.name)' is no name of a header")
        continue
      }
      for line in header.value.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
        headers.append(NamedText(header.name, line.filter { $0 != "\0" }))
      }
    }
    if headers.first(named: "Content-Type") == nil, let type = response["content"]?["mimeType"]?.string, !type.isEmpty,
      type != "x-unknown", !type.contains(where: \.isNewline)
    {
      headers.append(NamedText("Content-Type", type))
    }
    if headers.first(named: "Location") == nil, let place = response["redirectURL"]?.string, !place.isEmpty,
      !place.contains(where: \.isNewline)
    {
      headers.append(NamedText("Location", place))
    }
    return headers
  }

  private mutating func readContent(_ content: Value, at path: [JSONStep]) -> Buffer? {
    guard content.kind == .object else {
      if content.isNull { return Buffer(copying: []) }
      mismatch(path, "an object", content)
      return nil
    }
    let place = path + [.key("text")]
    guard let given = content["text"], !given.isNull else { return Buffer(copying: []) }
    guard let text = text(given, at: place) else { return nil }
    switch content["encoding"]?.string?.lowercased() ?? "" {
    case "": return Buffer(copying: text.utf8)
    case "base64":
      if let bytes = base64Decoded(text.utf8.filter { $0 > 0x20 }) { return Buffer(copying: bytes) }
      complain(place, "is no base64")
    case let other:
      complain(path + [.key("encoding")], "is \(Value(other).excerpt), where only \"base64\" is known")
    }
    return nil
  }
}

extension NamedText {
  /// Whether the name is one of a header (RFC 9110 section 5.1).
  var isNameToken: Bool {
    !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3A }
  }
}
