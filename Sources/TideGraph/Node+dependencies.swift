import TideValue

extension Node {
  /// Calls `body` with every node that this one waits for, and why. A node that is needed several times comes several
  /// times.
  func forEachDependency(_ body: (NodeID, Need) -> Void) {
    verb.forEachDependency(body)
    guard let options else { return }
    options.edges.forEach { body($0.node, $0.need) }
    options.when?.forEachExpression { $0.forEachDependency(body) }
  }

  /// Calls `body` with every node whose whole response this one uses.
  func forEachResponse(_ body: (NodeID) -> Void) {
    verb.forEachExpression { $0.forEachResponse(body) }
    options?.when?.forEachExpression { $0.forEachResponse(body) }
  }
}

extension Verb {
  fileprivate func forEachDependency(_ body: (NodeID, Need) -> Void) {
    switch self {
    case .merge, .barrier, .fallback:
      // A join counts what its inputs say; a question among them is only waited for.
      forEachExpression { $0.forEachDependency { node, need in body(node, need == .success ? .input : need) } }
    default: forEachExpression { $0.forEachDependency(body) }
    }
  }

  fileprivate func forEachExpression(_ body: (Expression) -> Void) {
    switch self {
    case .input, .secret, .signal: break
    case .request(let spec): spec.forEachExpression(body)
    case .step(let spec): for argument in spec.arguments { body(argument) }
    case .sort(let spec): body(spec.input)
    case .merge(let spec): for input in spec.inputs { body(input) }
    case .barrier(let spec): for input in spec.inputs { body(input) }
    case .fallback(let spec): for input in spec.inputs { body(input) }
    case .sleep(let length): body(length)
    case .data(let spec):
      body(spec.input)
      if case .filter(let condition) = spec.operation { condition.forEachExpression(body) }
    case .file(let spec): body(spec.path)
    }
  }
}

extension RequestSpec {
  fileprivate func forEachExpression(_ body: (Expression) -> Void) {
    body(url)
    if let query { body(query) }
    if let headers { body(headers) }
    switch self.body {
    case .none: break
    case .json(let content), .form(let content), .raw(let content): body(content)
    }
    switch authorization {
    case nil: break
    case .bearer(let token): body(token)
    case .basic(let user, let password):
      body(user)
      body(password)
    }
    if case .given(let key)? = idempotencyKey { body(key) }
    expectation.body?.forEachExpression(body)
  }
}

extension When {
  fileprivate func forEachExpression(_ body: (Expression) -> Void) {
    body(subject)
    condition?.forEachExpression(body)
  }
}

extension Condition {
  fileprivate func forEachExpression(_ body: (Expression) -> Void) {
    guard case .paths(let requirements) = self else { return }
    for requirement in requirements { body(requirement.wanted) }
  }
}
