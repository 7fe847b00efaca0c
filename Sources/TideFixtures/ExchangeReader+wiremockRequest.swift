import TideGraph
import TideValue

extension ExchangeReader {
  private static let urlKeys = ["url", "urlPath", "urlPattern", "urlPathPattern", "urlPathTemplate"]

  mutating func readMappedRequest(_ value: Value, at path: [JSONStep]) -> ExpectedRequest? {
    let known =
      ["basicAuthCredentials", "bodyPatterns", "formParameters", "headers", "method", "queryParameters"]
      + ExchangeReader.urlKeys
    guard let fields = supported(value, at: path, known) else { return nil }
    let method = text(fields["method"], at: path + [.key("method")]) ?? "ANY"
    guard var request = readMappedURL(fields, at: path) else { return nil }
    request.method = method == "ANY" ? nil : method
    if let parameters = fields["queryParameters"] {
      let place = path + [.key("queryParameters")]
      if case .pairs = request.query {
        complain(
          place, "'queryParameters' beside 'url', which is the whole query", help: "write 'urlPath'", aboutKey: true)
      }
      request.query = .tests(readFieldTests(parameters, at: place))
    }
    if let headers = fields["headers"] { request.headers = readFieldTests(headers, at: path + [.key("headers")]) }
    if let credentials = fields["basicAuthCredentials"] {
      let place = path + [.key("basicAuthCredentials")]
      let given = supported(credentials, at: place, ["password", "username"]) ?? [:]
      let name = text(given["username"], at: place + [.key("username")]) ?? ""
      let password = text(given["password"], at: place + [.key("password")]) ?? ""
      let encoded = base64("\(name):\(password)".utf8)
      request.headers.append(FieldTest(name: "Authorization", test: .equals("Basic \(encoded)")))
    }
    if let parameters = fields["formParameters"] {
      request.body.append(.formTests(readFieldTests(parameters, at: path + [.key("formParameters")])))
    }
    if let patterns = fields["bodyPatterns"] {
      request.body += readBodyPatterns(patterns, at: path + [.key("bodyPatterns")])
    }
    return request
  }

  /// The one key that says what the URL is like; without any, every URL is.
  private mutating func readMappedURL(_ fields: [String: Value], at path: [JSONStep]) -> ExpectedRequest? {
    guard let key = oneOf(ExchangeReader.urlKeys, in: fields, at: path), let value = fields[key] else {
      return ExpectedRequest(path: .any, query: .any)
    }
    let place = path + [.key(key)]
    guard let text = text(value, at: place) else { return nil }
    if key == "urlPattern" || key == "urlPathPattern" {
      guard let pattern = regexp(text, at: place) else { return nil }
      return ExpectedRequest(path: .matches(pattern, withQuery: key == "urlPattern"), query: .any)
    }
    guard text.hasPrefix("/"), let address = Address(text, isPattern: key == "urlPathTemplate") else {
      complain(place, "is \(value.excerpt), where a path that begins with / is expected")
      return nil
    }
    if key == "url" {
      return ExpectedRequest(path: .equals(address.path), query: .pairs(ExpectedPairs(exact: address.query)))
    }
    if address.hasQuery { complain(place, "has a query", help: "write 'url', or 'queryParameters' beside it") }
    return ExpectedRequest(
      path: key == "urlPath" ? .equals(address.path) : readPath(address.path, at: place), query: .any)
  }

  mutating func regexp(_ text: String, at path: [JSONStep]) -> Regexp? {
    do {
      return try Regexp(java: text)
    } catch {
      complain(path, "\(Value(text).excerpt) \(error.reason)")
      return nil
    }
  }

  private mutating func readFieldTests(_ value: Value, at path: [JSONStep]) -> [FieldTest] {
    guard value.kind == .object else {
      mismatch(path, "an object", value)
      return []
    }
    return value.fields.compactMap { field in
      let place = path + [.key(field.key)]
      if field.value["absent"]?.bool == true, field.value.count == 1 { return FieldTest(name: field.key, test: nil) }
      return readTextTest(field.value, at: place).map { FieldTest(name: field.key, test: $0) }
    }
  }

  private mutating func readBodyPatterns(_ value: Value, at path: [JSONStep]) -> [ExpectedRequest.Body] {
    guard value.kind == .array else {
      mismatch(path, "a list", value)
      return []
    }
    return value.items.enumerated().compactMap { index, item in
      let place = path + [.item(index)]
      if item["absent"]?.bool == true, item.count == 1 { return .test(nil) }
      switch readTextTest(item, at: place) {
      // So that differences are told by their place in the body.
      case .json(let test)?: return .json(test)
      case let test?: return .test(test)
      case nil: return nil
      }
    }
  }
}
