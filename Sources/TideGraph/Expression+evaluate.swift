import TideValue

/// What the nodes of a run have said so far.
public protocol Answers {
  func value(of node: NodeID) -> Value
  func response(of node: NodeID) -> Value
  func answer(_ question: Question, about node: NodeID) -> Value
  func name(of node: NodeID) -> String
}

extension Expression {
  /// The value, once everything that this waits for has ended.
  ///
  /// - Throws: a field or a path that is not there (`missing`), a join with what is no text (`type`).
  public func evaluate(_ answers: some Answers) throws(Failure) -> Value {
    switch self {
    case .literal(let value): return value
    case .value(let node): return answers.value(of: node)
    case .response(let node): return answers.response(of: node)
    case .question(let question, let node): return answers.answer(question, about: node)
    case .field(let inner, let key):
      let object = try inner.evaluate(answers)
      if let found = object[key] { return found }
      throw inner.missing("'\(key)' is missing", in: object, answers)
    case .path(let inner, let path, let fallback):
      let object = try inner.evaluate(answers)
      if let found = try path.found(in: object) ?? fallback { return found }
      throw inner.missing(path.missing(in: object) ?? "'\(path)' matches nothing", in: nil, answers)
    case .text(let parts):
      var joined = ""
      for part in parts { joined += try part.text(answers) }
      return Value(joined)
    case .list(let items):
      var values: [Value] = []
      values.reserveCapacity(items.count)
      for item in items { values.append(try item.evaluate(answers)) }
      return .array(values)
    case .object(let fields):
      var values: [(key: String, value: Value)] = []
      values.reserveCapacity(fields.count)
      for field in fields { values.append((field.key, try field.value.evaluate(answers))) }
      return .object(values)
    }
  }

  /// The text of a URL: what is joined is percent-encoded as one segment, unless it stands first or is raw.
  func evaluateURL(_ answers: some Answers) throws(Failure) -> String {
    guard case .text(let parts) = self else {
      let value = try evaluate(answers)
      guard let text = value.string else {
        throw Failure(.request, "the URL is \(value.kind.name), where a text is expected")
      }
      return URLText.encodeIllegal(text)
    }
    var url = ""
    for (index, part) in parts.enumerated() {
      let text = try part.text(answers)
      guard index > 0, case .joined(let inner) = part else {
        url += URLText.encodeIllegal(text)
        continue
      }
      if text.isEmpty || text == "." || text == ".." {
        throw Failure(
          .request, "the value of \(inner.title(answers)) is \(Value(text)), which can't be a segment of a URL",
          help: "a joined value is one segment; tide.raw(h) joins it as it is")
      }
      url += URLText.encodeSegment(text)
    }
    return url
  }

  private func missing(_ message: String, in object: Value?, _ answers: some Answers) -> Failure {
    var shown = ""
    if let object {
      let names = object.fields.prefix(8).map(\.key).joined(separator: ", ")
      shown = object.kind == .object ? ", which has \(names.isEmpty ? "no fields" : names)" : " (\(object.kind.name))"
    }
    return Failure(
      .missing, "\(message) in \(title(answers))\(shown)",
      help: "tide.path(h, \"...\", { default = v }) gives v where nothing is found")
  }

  /// How the handle reads in the script: `detail.items`.
  public func title(_ answers: some Answers) -> String {
    switch self {
    case .literal(let value): value.excerpt
    case .value(let node): answers.name(of: node)
    case .response(let node): "tide.response(\(answers.name(of: node)))"
    case .question(let question, let node): "tide.\(question.rawValue)(\(answers.name(of: node)))"
    case .field(let inner, let key): "\(inner.title(answers)).\(key)"
    case .path(let inner, let path, _): "tide.path(\(inner.title(answers)), \"\(path)\")"
    case .text: "a joined text"
    case .list: "a list"
    case .object: "a table"
    }
  }
}

extension TextPart {
  func text(_ answers: some Answers) throws(Failure) -> String {
    switch self {
    case .text(let text): return text
    case .joined(let inner), .raw(let inner):
      let value = try inner.evaluate(answers)
      if let text = value.scalarText { return text }
      throw Failure(
        .type, "the value of \(inner.title(answers)) is \(value.kind.name), which can't be joined to a text",
        help: value.isNull ? "tide.path(h, \"...\", { default = \"\" }) gives a text in its place" : nil)
    }
  }
}

extension Value {
  /// A text, a number or a boolean as it stands in a text; nil for everything else.
  public var scalarText: String? {
    switch kind {
    case .string: string
    case .number: numberText
    case .boolean: bool == true ? "true" : "false"
    default: nil
    }
  }
}
