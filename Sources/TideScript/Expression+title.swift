import TideGraph

extension Expression {
  /// How a handle reads in the script: `login.user.id`.
  func title(_ name: (NodeID) -> String) -> String {
    switch self {
    case .literal(let value): value.excerpt
    case .value(let node): name(node)
    case .response(let node): "tide.response(\(name(node)))"
    case .question(let question, let node): "tide.\(question.rawValue)(\(name(node)))"
    case .field(let inner, let key): "\(inner.title(name)).\(key)"
    case .path(let inner, let path, _): "tide.path(\(inner.title(name)), \"\(path)\")"
    case .text(let parts): parts.map { $0.title(name) }.joined(separator: " .. ")
    case .list: "a list"
    case .object: "a table"
    }
  }
}

extension TextPart {
  func title(_ name: (NodeID) -> String) -> String {
    switch self {
    case .text(let text): "\"\(text)\""
    case .joined(let inner): inner.title(name)
    case .raw(let inner): "tide.raw(\(inner.title(name)))"
    }
  }
}
