import TideValue

extension Node {
  /// Calls `body` with every node that this one waits for, and why. A node that is needed several times comes several
  /// times.
  func forEachDependency(_ body: (NodeID, Need) -> Void) {
    verb.forEachDependency(body)
    guard let options else { return }
    for node in options.needs { body(node, .success) }
    for node in options.after { body(node, .end) }
    if let when = options.when {
      when.subject.forEachDependency(body)
      when.condition?.forEachDependency(body)
    }
  }
}

extension Verb {
  fileprivate func forEachDependency(_ body: (NodeID, Need) -> Void) {
    switch self {
    case .input, .secret: break
    case .request(let spec): spec.forEachDependency(body)
    case .step(let spec): for argument in spec.arguments { argument.forEachDependency(body) }
    case .sort(let spec): spec.input.forEachDependency(body)
    case .merge(let spec): spec.inputs.forEachInput(body)
    case .barrier(let spec): spec.inputs.forEachInput(body)
    }
  }
}

extension [Expression] {
  /// A join counts what its inputs say; a question among them is only waited for.
  fileprivate func forEachInput(_ body: (NodeID, Need) -> Void) {
    for input in self { input.forEachDependency { body($0, $1 == .success ? .input : $1) } }
  }
}

extension RequestSpec {
  fileprivate func forEachDependency(_ body: (NodeID, Need) -> Void) {
    url.forEachDependency(body)
    query?.forEachDependency(body)
    headers?.forEachDependency(body)
    switch self.body {
    case .none: break
    case .json(let content), .form(let content), .raw(let content): content.forEachDependency(body)
    }
    switch authorization {
    case nil: break
    case .bearer(let token): token.forEachDependency(body)
    case .basic(let user, let password):
      user.forEachDependency(body)
      password.forEachDependency(body)
    }
    expectation.body?.forEachDependency(body)
  }
}

extension Condition {
  fileprivate func forEachDependency(_ body: (NodeID, Need) -> Void) {
    guard case .paths(let requirements) = self else { return }
    for requirement in requirements { requirement.wanted.forEachDependency(body) }
  }
}
