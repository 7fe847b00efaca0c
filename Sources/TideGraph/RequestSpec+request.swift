import TideValue

extension RequestSpec {
  /// The request that is sent, once the values that it uses are known.
  ///
  /// - Parameters:
  ///   - timeout: of this attempt.
  ///   - key: what `idempotency_key = true` sends.
  /// - Throws: a value that is missing, or can't stand where it is used.
  public func request(
    _ answers: some Answers, timeout: Duration?, key: @autoclosure () -> String = ""
  ) throws(Failure) -> Request {
    var address = try url.evaluateURL(answers)
    if let complaint = URLText.complaint(about: address) { throw Failure(.request, complaint) }
    if let query {
      let text = try query.evaluate(answers).namedTexts(of: "query").formEncoded
      if !text.isEmpty { address = address.appending(query: text) }
    }
    var request = Request(
      method: method, url: address, timeout: timeout, connectTimeout: connectTimeout,
      maximumRedirects: maximumRedirects, maximumBytes: maximumBytes, compressed: compressed,
      certificateAuthorities: certificateAuthorities)
    if let headers { request.headers = try headers.evaluate(answers).namedTexts(of: "headers").asHeaders() }
    try setBody(of: &request, answers)
    if let authorization, request.header("Authorization") == nil {
      request.headers.append(NamedText("Authorization", try authorization.text(answers)))
    }
    if let idempotencyKey, request.header("Idempotency-Key") == nil {
      request.headers.append(NamedText("Idempotency-Key", try idempotencyKey.text(answers, made: key())))
    }
    return request
  }

  private func setBody(of request: inout Request, _ answers: some Answers) throws(Failure) {
    let type: String
    switch body {
    case .none: return
    case .json(let content):
      request.body = Buffer(copying: try content.evaluate(answers).json())
      type = "application/json"
    case .form(let content):
      let form = try content.evaluate(answers).namedTexts(of: "form")
      request.form = form
      request.body = Buffer(copying: form.formEncoded.utf8)
      type = "application/x-www-form-urlencoded"
    case .raw(let content):
      let value = try content.evaluate(answers)
      guard let bytes = value.utf8Text ?? value.rawBytes else {
        throw Failure(
          .type, "'body' is \(value.kind.name), where a text or bytes are expected", help: "json = sends data")
      }
      request.body = Buffer(copying: bytes)
      type = value.kind == .bytes ? "application/octet-stream" : "text/plain; charset=utf-8"
    }
    if request.header("Content-Type") == nil { request.headers.append(NamedText("Content-Type", type)) }
  }
}

extension RequestSpec.Authorization {
  fileprivate func text(_ answers: some Answers) throws(Failure) -> String {
    switch self {
    case .bearer(let token): return "Bearer \(try header(token, answers, named: "bearer"))"
    case .basic(let user, let password):
      // RFC 7617 section 2: the user's name ends at the first colon.
      let name = try header(user, answers, named: "basic")
      if name.contains(":") { throw Failure(.request, "the user of 'basic' holds a colon") }
      return "Basic \(base64("\(name):\(try header(password, answers, named: "basic"))".utf8))"
    }
  }

  private func header(_ expression: Expression, _ answers: some Answers, named key: String) throws(Failure) -> String {
    try expression.evaluate(answers).headerText(of: key)
  }
}

extension RequestSpec.IdempotencyKey {
  fileprivate func text(_ answers: some Answers, made: String) throws(Failure) -> String {
    switch self {
    case .made: return made
    case .given(let key):
      let text = try key.evaluate(answers).headerText(of: "idempotency_key")
      if text.isEmpty { throw Failure(.request, "'idempotency_key' is empty") }
      return text
    }
  }
}

extension Value {
  fileprivate func headerText(of key: String) throws(Failure) -> String {
    guard let text = scalarText else {
      throw Failure(.type, "'\(key)' holds \(kind.name), where a text is expected")
    }
    guard text.isHeaderSafe else { throw Failure(.request, "'\(key)' holds a line break, which no header can") }
    return text
  }
}

extension Value {
  /// The lines of a `query`, a `form` or the `headers`: null is dropped, a list repeats its name.
  func namedTexts(of option: String) throws(Failure) -> [NamedText] {
    var lines: [NamedText] = []
    if kind == .array {
      for (index, pair) in items.enumerated() {
        guard pair.count == 2, let name = pair[0]?.string, let value = pair[1] else {
          throw Failure(.type, "'\(option)[\(index + 1)]' is \(pair.excerpt), where {name, value} is expected")
        }
        try lines.append(name, value, of: option)
      }
    } else if kind == .object {
      for field in fields { try lines.append(field.key, field.value, of: option) }
    } else if !isNull {
      throw Failure(.type, "'\(option)' is \(kind.name), where a table is expected")
    }
    return lines
  }
}

extension [NamedText] {
  fileprivate mutating func append(_ name: String, _ value: Value, of option: String) throws(Failure) {
    for item in value.kind == .array ? value.items : [value] where !item.isNull {
      guard let text = item.scalarText else {
        throw Failure(
          .type, "'\(option).\(name)' is \(item.kind.name), where a text, a number or a boolean is expected",
          help: "tide.json(v) makes a text of it")
      }
      append(NamedText(name, text))
    }
  }

  var formEncoded: String {
    map { "\(URLText.encodeForm($0.name))=\(URLText.encodeForm($0.value))" }.joined(separator: "&")
  }

  fileprivate func asHeaders() throws(Failure) -> [NamedText] {
    for line in self {
      // RFC 9110 section 5.1 and 5.5: a name is a token, a value has no line break.
      let isToken = !line.name.isEmpty && line.name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3A }
      guard isToken else { throw Failure(.request, "the header name \(Value(line.name)) can't be sent") }
      guard line.value.isHeaderSafe else {
        throw Failure(.request, "the header '\(line.name)' holds a line break, which no header can")
      }
    }
    return self
  }
}

extension String {
  fileprivate var isHeaderSafe: Bool { !utf8.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 } }

  /// Puts the query in before a fragment, behind a query that is there already.
  fileprivate func appending(query: String) -> String {
    let end = firstIndex(of: "#") ?? endIndex
    let start = self[..<end]
    let separator = start.hasSuffix("?") || start.hasSuffix("&") ? "" : start.contains("?") ? "&" : "?"
    return start + separator + query + self[end...]
  }
}
