import TideValue

extension Plan {
  /// The nodes by when they can start at the earliest: wave 0 waits for nothing, each later one for the one before. Inputs
  /// and secrets are given before the run, and stand in no wave.
  public var waves: [[NodeID]] {
    var waves: [[NodeID]] = []
    var level = [Int](repeating: -1, count: nodes.count)
    for node in nodeIDs where !nodes[node].verb.isGiven {
      level[node] = 1 + (dependencies(of: node).map { level[$0.node] }.max() ?? -1)
      if level[node] == waves.count { waves.append([]) }
      waves[level[node]].append(node)
    }
    return waves
  }

  /// The origins that the requests go to, as far as it is known before the run, in declared order. A URL that
  /// begins with an input is known by the input's default.
  public var origins: [String] {
    var found: [String] = []
    for node in nodes {
      guard case .request(let spec) = node.verb, let origin = origin(of: spec.url) else { continue }
      if !found.contains(origin) { found.append(origin) }
    }
    return found
  }

  /// The origin of a URL, or the handle that decides it in brackets.
  public func origin(of url: Expression) -> String? {
    switch url {
    case .literal(let value): return value.string.flatMap { URLText.origin(of: $0) }
    case .text(let parts):
      var known = ""
      for part in parts {
        switch part {
        case .text(let text): known += text
        case .joined(let inner), .raw(let inner):
          guard let text = fallback(of: inner)?.scalarText else {
            return URLText.origin(of: known + "/") ?? "{\(name(of: inner))}"
          }
          known += text
        }
      }
      return URLText.origin(of: known)
    default: return fallback(of: url)?.string.flatMap { URLText.origin(of: $0) } ?? "{\(name(of: url))}"
    }
  }

  private func fallback(of expression: Expression) -> Value? {
    guard case .value(let node) = expression, case .input(let spec) = nodes[node].verb else { return nil }
    return spec.fallback
  }

  private func name(of expression: Expression) -> String {
    var name = "unknown"
    expression.forEachDependency { node, _ in name = nodes[node].name }
    return name
  }

  /// Nodes whose value is a secret: declared so, or computed from one.
  public var secretNodes: Set<NodeID> {
    var secret: Set<NodeID> = []
    guard nodes.contains(where: \.declaresSecret) else { return secret }
    for node in nodeIDs {
      let isSecret = nodes[node].declaresSecret
      let uses = dependencies(of: node).contains { $0.need != .end && secret.contains($0.node) }
      // A request that carries a secret answers with data of its own; a step computes from what it gets.
      if case .request = nodes[node].verb, !isSecret { continue }
      if isSecret || uses { secret.insert(node) }
    }
    return secret
  }
}

extension Node {
  fileprivate var declaresSecret: Bool {
    if case .secret = verb { return true }
    return options?.isSecret ?? false
  }
}

extension Verb {
  /// Known before the run begins.
  public var isGiven: Bool {
    switch self {
    case .input, .secret: true
    default: false
    }
  }
}
