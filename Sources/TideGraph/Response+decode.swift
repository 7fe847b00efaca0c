import TideValue

extension Response {
  private enum MediaKind { case json, text, bytes, unknown }

  private var mediaKind: MediaKind {
    guard let header = header("Content-Type") else { return .unknown }
    let type = header.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
    if type == "application/json" || type == "text/json" || type.hasSuffix("+json") { return .json }
    let textual = ["application/xml", "application/javascript", "application/x-www-form-urlencoded"]
    if type.hasPrefix("text/") || type.hasSuffix("+xml") || textual.contains(type) { return .text }
    return type.isEmpty ? .unknown : .bytes
  }

  /// The body as a value: JSON as data, text as a text, anything else as bytes. A body without a byte is null. A body
  /// without a type is JSON if it reads as JSON.
  ///
  /// - Parameter asData: somebody looks inside (`expect.body`, `extract`): the body is JSON whatever its type says.
  /// - Throws: a body that is not what its type says, with line and column.
  public func decoded(asData: Bool) throws(Failure) -> Value {
    if body.count == 0 { return .null }
    // Whoever looks inside need not know the type, which takes longer to read than a small body.
    switch asData ? .json : mediaKind {
    case .json:
      do {
        return try Value.parse(body)
      } catch {
        let declared =
          mediaKind == .json ? "the body is no valid JSON" : "the body is not JSON (its type is \(typeName))"
        throw Failure(.body, "\(declared): \(error)", status: status)
      }
    case .text: return text ?? Value(bytes: body)
    case .bytes: return Value(bytes: body)
    case .unknown: return (try? Value.parse(body)) ?? text ?? Value(bytes: body)
    }
  }

  /// The body as a text, without its byte order mark; nil if it is not UTF-8.
  private var text: Value? {
    guard unsafe body.bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return Value(text: body) }
    return unsafe Value(text: Buffer(copying: body.bytes.dropFirst(3)))
  }

  private var typeName: String { header("Content-Type") ?? "not said" }

  /// `tide.response(h)`. Header names are in lower case; one that repeats is a list.
  public func asValue(body: Value, attempts: Int) -> Value {
    var names: [String] = []
    var lines: [String: [Value]] = [:]
    for header in headers {
      let name = header.name.lowercased()
      if lines[name] == nil { names.append(name) }
      lines[name, default: []].append(Value(header.value))
    }
    let fields = names.map { name in
      let values = lines[name] ?? []
      return (key: name, value: values.count == 1 ? values[0] : .array(values))
    }
    return .object([
      ("status", Value(status)), ("headers", .object(fields)), ("body", body), ("url", Value(url)),
      ("elapsed", Value(elapsed.milliseconds / 1000) ?? .null), ("attempts", Value(attempts)),
    ])
  }
}

extension RequestSpec {
  /// Whether somebody looks inside the body.
  public var readsBody: Bool { extract != nil || expectation.body.isPaths }

  /// The body, if the status and the condition on paths allow it. What an `expect` function says comes on top.
  ///
  /// - Parameter wanted: the values of the condition's requirements, in their order.
  public func accept(_ response: Response, wanted: [Value]) throws(Failure) -> Value {
    // A function decides alone, and sees every status.
    guard expectation.function != nil || expectation.accepts(status: response.status) else {
      let body = try? response.decoded(asData: expectation.message != nil)
      throw refusal("answered \(response.status)", .status, response, body)
    }
    let body = try response.decoded(asData: readsBody)
    if case .paths(let requirements)? = expectation.body {
      for (requirement, wanted) in zip(requirements, wanted) {
        guard let complaint = requirement.complaint(about: body, wanted: wanted) else { continue }
        throw refusal(complaint, .expectation, response, body)
      }
    }
    return body
  }

  /// The part of an accepted body that becomes the node's value.
  public func extracted(from body: Value) throws(Failure) -> Value {
    guard let extract else { return body }
    if let found = try extract.found(in: body, of: "extract: ") { return found }
    throw Failure(.missing, "extract: \(extract.missing(in: body) ?? "'\(extract)' matches nothing")", body: body)
  }

  private func refusal(_ message: String, _ kind: Failure.Kind, _ response: Response, _ body: Value?) -> Failure {
    var message = message
    if let path = expectation.message, let body, let text = (try? path.find(in: body))?.scalarText {
      message += ": \(text)"
    }
    var failure = Failure(kind, message, status: response.status, body: body)
    failure.retryAfter = response.header("Retry-After")
    return failure
  }
}

extension Condition? {
  fileprivate var isPaths: Bool {
    if case .paths? = self { return true }
    return false
  }
}

extension Path {
  /// `find(in:)`, whose error is the node's failure.
  func found(in value: Value, of option: String = "") throws(Failure) -> Value? {
    do {
      return try find(in: value)
    } catch {
      throw Failure(.tooLarge, option + error.description)
    }
  }
}
