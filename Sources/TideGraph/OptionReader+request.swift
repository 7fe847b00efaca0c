import TideValue

extension OptionReader {
  static let methods = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]

  mutating func readRequest() -> Verb {
    noInputs()
    var (method, url) = methodAndURL()
    checkURL(url, method: method)
    if method.isEmpty { method = "GET" }
    var spec = RequestSpec(method: method, url: url)
    spec.query = pairs("query")
    spec.headers = pairs("headers")
    spec.body = readBody()
    spec.authorization = readAuthorization()
    spec.idempotencyKey = readIdempotencyKey()
    spec.expectation = readExpectation()
    spec.extract = path("extract")
    spec.maximumRedirects = integer("redirects", in: 0...100) ?? spec.maximumRedirects
    spec.maximumBytes = integer("max_bytes", in: 0...Int64(UInt32.max)) ?? spec.maximumBytes
    spec.compressed = boolean("compressed") ?? true
    if case .table(let entries)? = argument("timeout"), let connect = entries.first(where: { $0.key == "connect" }) {
      spec.connectTimeout = duration(connect.value, named: "timeout.connect")
    }
    spec.certificateAuthorities = readTLS()
    return .request(spec)
  }

  private mutating func methodAndURL() -> (method: String, url: Expression) {
    var found: [(String, Expression)] = []
    for method in Self.methods {
      guard let url = expression(method) else { continue }
      found.append((method, url))
    }
    if found.count > 1 {
      let names = found.map(\.0).joined(separator: " and ")
      complain(.badValue, "has two methods, \(names)", at: found[1].0, help: "one request is one node")
    }
    if let first = found.first { return first }
    if declaration.options.allSatisfy({ !Self.methods.contains($0.key) }) {
      missing("the method with its URL", help: "write GET = url, POST = url, PUT = url, ...")
    }
    return ("", .literal(Value("")))
  }

  /// A URL that is known now is checked now.
  private mutating func checkURL(_ url: Expression, method: String) {
    guard !method.isEmpty else { return }
    switch url {
    case .literal(let value):
      guard let text = value.string else {
        complain(.wrongType, "the URL is \(value.kind.name), where a text is expected", at: method)
        return
      }
      if let complaint = URLText.complaint(about: text) { complain(.badValue, complaint, at: method) }
    case .list, .object: complain(.wrongType, "the URL is a table, where a text is expected", at: method)
    default: break
    }
  }

  /// A table of names and values, a list of `{name, value}` pairs, or a handle on one.
  private mutating func pairs(_ key: String) -> Expression? {
    guard let found = expression(key) else { return nil }
    if let value = found.constant, value.kind != .object, value.kind != .array {
      complain(.wrongType, "'\(key)' is \(value.kind.name), where a table is expected", at: key)
      return nil
    }
    return found
  }

  private mutating func readBody() -> RequestSpec.Body {
    var found: [(key: String, body: RequestSpec.Body)] = []
    if let json = expression("json") { found.append(("json", .json(json))) }
    if let form = pairs("form") { found.append(("form", .form(form))) }
    if let raw = expression("body") { found.append(("body", .raw(raw))) }
    if found.count > 1 {
      complain(.badValue, "has two bodies, '\(found[0].key)' and '\(found[1].key)'", at: found[1].key)
    }
    return found.first?.body ?? .none
  }

  private mutating func readAuthorization() -> RequestSpec.Authorization? {
    let bearer = expression("bearer").map { RequestSpec.Authorization.bearer($0) }
    guard let basic = argument("basic") else { return bearer }
    if bearer != nil { complain(.badValue, "has both 'bearer' and 'basic'", at: "basic") }
    guard case .list(let parts) = basic, parts.count == 2,
      let user = expression(parts[0], named: "basic"), let password = expression(parts[1], named: "basic")
    else {
      mismatch("basic", "{ user, password }", basic)
      return bearer
    }
    return .basic(user: user, password: password)
  }

  /// A text, a handle on one, or true for one that is made up.
  private mutating func readIdempotencyKey() -> RequestSpec.IdempotencyKey? {
    guard let key = expression("idempotency_key") else { return nil }
    guard let value = key.constant else { return .given(key) }
    if value.bool == true { return .made }
    if value.bool == false || value.isNull { return nil }
    if value.scalarText?.isEmpty == false { return .given(key) }
    complain(
      .wrongType, "'idempotency_key' is \(value.excerpt), where a text, or true for one that is made up, is expected",
      at: "idempotency_key")
    return nil
  }

  private mutating func readTLS() -> String? {
    guard let argument = argument("tls") else { return nil }
    guard case .table(let entries) = argument else {
      mismatch("tls", "a table", argument)
      return nil
    }
    var authorities: String?
    for entry in entries {
      guard entry.key == "ca" else {
        complain(.unknownOption, "unknown option 'tls.\(entry.key)'", at: entry.key, help: "'tls' knows: ca")
        continue
      }
      if case .value(let value) = entry.value, let file = value.string {
        authorities = sources.path(besideScript: file)
      } else {
        mismatch("tls.ca", "a file's name", entry.value)
      }
    }
    return authorities
  }
}

extension Sources {
  /// A path that is relative to the script's folder, made relative to where the script's own name is.
  func path(besideScript file: String) -> String {
    guard !file.hasPrefix("/"), let script = files.first?.name, let slash = script.lastIndex(of: "/") else {
      return file
    }
    return script[...slash] + file
  }
}
