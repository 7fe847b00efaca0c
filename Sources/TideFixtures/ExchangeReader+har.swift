import TideGraph
import TideValue

/// HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), as browsers and proxies write it. What Tidegate has no use
/// for (timings, cookies, pages, a request's headers) is not looked at, and what may be missing may be missing.
extension ExchangeReader {
  /// One request, and every answer that it got.
  private struct Recorded {
    var request: ExpectedRequest
    var answers: [Answer]
  }

  /// Entries of one request (method, URL, body) are one exchange, with their answers in turn.
  ///
  /// Left out is what a request of ours can't be: another scheme than http and https (a browser's `data:` and
  /// `chrome-extension:`, a WebSocket), and an answer that is none yet (1xx).
  mutating func readHAR(_ log: Value) -> [Exchange] {
    let path: [JSONStep] = [.key("log"), .key("entries")]
    guard log.kind == .object, let entries = log["entries"] else {
      complain([.key("log")], "has no list 'entries', as a HAR has one")
      return []
    }
    guard entries.kind == .array else {
      complain(path, "'log.entries' is \(entries.kind.name), where a list is expected")
      return []
    }
    var recorded: [Recorded] = []
    var places: [HARKey: Int] = [:]
    for (index, entry) in entries.items.enumerated() {
      let path = path + [.item(index)]
      guard entry.kind == .object else {
        mismatch(path, "an object", entry)
        continue
      }
      guard let (key, request) = readHARRequest(entry["request"], at: path),
        let answer = readHARAnswer(entry, url: key.url, at: path)
      else { continue }
      if let place = places[key] {
        recorded[place].answers.append(answer)
      } else {
        places[key] = recorded.count
        recorded.append(Recorded(request: request, answers: [answer]))
      }
    }
    return recorded.enumerated().map { index, recorded in
      let answers: Exchange.Answers =
        recorded.answers.count == 1 ? .always(recorded.answers[0]) : .inTurn(recorded.answers)
      return Exchange(number: index + 1, request: recorded.request, answers: answers)
    }
  }

  private mutating func readHARRequest(_ value: Value?, at path: [JSONStep]) -> (HARKey, ExpectedRequest)? {
    let path = path + [.key("request")]
    guard let value, value.kind == .object else {
      let kind = value.map(\.kind.name) ?? "missing"
      complain(Array(path.dropLast()), "'request' is \(kind), where an object is expected")
      return nil
    }
    guard let url = text(value["url"], at: path + [.key("url")]) else {
      if value["url"] == nil { complain(path, "'url' is missing") }
      return nil
    }
    guard let scheme = url.firstRange(of: ":").map({ url[..<$0.lowerBound].lowercased() }) else {
      complain(path + [.key("url")], "is \(Value(url).excerpt), which is no URL")
      return nil
    }
    guard scheme == "http" || scheme == "https" else { return nil }
    guard let address = Address(url) else {
      complain(path + [.key("url")], "is \(Value(url).excerpt), which is no URL")
      return nil
    }
    let method = text(value["method"], at: path + [.key("method")]) ?? "GET"
    let posted = value["postData"]
    let body = readPosted(posted ?? .null, at: path + [.key("postData")])
    let request = ExpectedRequest(
      method: method, origin: address.origin, path: .equals(address.path),
      query: .pairs(ExpectedPairs(exact: address.query)), body: body.map { [$0] } ?? [])
    return (HARKey(method: method, url: url, body: posted.map { $0.json() } ?? []), request)
  }

  /// What was sent: a form as one, JSON by its meaning, another text as it is. A multipart body, whose boundary is another
  /// every time, is not compared.
  private mutating func readPosted(_ value: Value, at path: [JSONStep]) -> ExpectedRequest.Body? {
    guard !value.isNull else { return nil }
    guard value.kind == .object else {
      mismatch(path, "an object", value)
      return nil
    }
    let type = (text(value["mimeType"], at: path + [.key("mimeType")]) ?? "").prefix { $0 != ";" }.lowercased()
    let sent = text(value["text"], at: path + [.key("text")])
    switch type {
    case "application/x-www-form-urlencoded":
      if let sent { return .form(ExpectedPairs(exact: FormText.pairs(of: Array(sent.utf8)[...]))) }
      guard let parameters = value["params"], parameters.kind == .array else { return nil }
      return .form(ExpectedPairs(exact: namedTexts(parameters, at: path + [.key("params")])))
    case _ where type.hasPrefix("multipart/"): return nil
    default:
      guard let sent, !sent.isEmpty else { return nil }
      if type.hasSuffix("json"), let value = try? Value.parse(sent) { return .json(.like(value, .equal)) }
      return .text(sent)
    }
  }

  /// HAR's lists of names and values.
  mutating func namedTexts(_ list: Value?, at path: [JSONStep]) -> [NamedText] {
    guard let list, !list.isNull else { return [] }
    guard list.kind == .array else {
      mismatch(path, "a list", list)
      return []
    }
    return list.items.enumerated().compactMap { index, item in
      guard let name = item["name"]?.string else {
        complain(path + [.item(index)], "is \(item.excerpt), where an object with 'name' and 'value' is expected")
        return nil
      }
      return NamedText(name, item["value"]?.scalarText ?? "")
    }
  }
}

/// What makes two entries the same request.
private struct HARKey: Hashable {
  let method: String
  let url: String
  let body: [UInt8]
}
