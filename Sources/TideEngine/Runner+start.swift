import TideBarrier
import TideGraph
import TideValue

extension Runner {
  /// All that a node waits for has ended: its `when` is asked, then its queue, then it works.
  func startNode(_ node: NodeID) {
    nodes[node].phase = .active
    if !cancellingJoins.isEmpty, cancellingJoins.contains(node) { stopRest(of: node) }
    guard let options = plan.nodes[node].options else { return prepare(node) }
    limit(node, options)
    guard let when = options.when else { return prepare(node) }
    attempt(node) { () throws(Failure) in
      let subject = try when.subject.evaluate(self)
      switch when.condition {
      case nil: goOn(node, when: subject.isTruthy)
      case .function(let function)?:
        set(.condition, of: node)
        run(function, of: node, [subject])
      case .paths(let requirements)?:
        for requirement in requirements {
          let wanted = try requirement.wanted.evaluate(self)
          if requirement.complaint(about: subject, wanted: wanted) != nil { return goOn(node, when: false) }
        }
        prepare(node)
      }
    }
  }

  func goOn(_ node: NodeID, when isWanted: Bool) {
    if isWanted { prepare(node) } else { end(node, .skipped) }
  }

  /// Makes what can be made before a permit is held, and stands in line.
  private func prepare(_ node: NodeID) {
    if case .request(let spec) = plan.nodes[node].verb {
      return attempt(node) { () throws(Failure) in try prepareRequest(node, spec) }
    }
    if let queue = plan.nodes[node].options?.queue {
      nodes[node].hasMore = true
      lines.stand(node, in: queue, origin: nil, rank(of: node))
    } else {
      work(node)
    }
  }

  /// Serves the lines until nobody can have more.
  func grantPermits() {
    while let node = lines.nextServed(now: { [executor = configuration.executor] in executor.now }) {
      if case .backingOff? = activity(of: node) { beginAttempt(of: node) } else { work(node) }
    }
    guard let due = lines.nextToken, tokenTimer.map({ due < $0.due }) ?? true else { return }
    tokenTimer?.timer.cancel()
    let wait = configuration.executor.now.duration(to: due)
    tokenTimer = (due, configuration.executor.after(wait) { [inbox] in inbox.post(.tokensGrew) })
  }

  /// The node holds what it needs.
  private func work(_ node: NodeID) {
    if guests.contains(node) { return send(node) }
    record(.nodeStarted(Instance(node)))
    switch plan.nodes[node].verb {
    case .input, .secret: end(node, .ok)
    case .barrier(let spec):
      attempt(node) { () throws(Failure) in end(node, .ok, value: .array(try inputValues(spec.inputs))) }
    case .merge(let spec):
      attempt(node) { () throws(Failure) in
        let names = spec.inputs.map { $0.title(self) }
        limitAttempt(of: node, grace: .zero)
        submit(.merge(try inputValues(spec.inputs), spec, names: names), of: node)
      }
    case .sort(let spec):
      attempt(node) { () throws(Failure) in
        let list = try spec.input.evaluate(self)
        limitAttempt(of: node, grace: .zero)
        submit(.sort(list, spec), of: node)
      }
    case .fallback(let spec): attempt(node) { () throws(Failure) in try chooseFallback(node, spec) }
    case .signal: awaitSignal(node)
    case .sleep(let length): attempt(node) { () throws(Failure) in sleep(node, try length.evaluate(self)) }
    case .step(let spec): runStep(node, spec)
    case .data(let spec): attempt(node) { () throws(Failure) in try workOnData(node, spec) }
    case .file(let spec):
      attempt(node) { () throws(Failure) in
        guard let path = try spec.path.evaluate(self).string else {
          throw Failure(.type, "'path' is no text")
        }
        limitAttempt(of: node, grace: .zero)
        submit(.file(spec, path: path, configuration.files), of: node)
      }
    case .request: send(node)
    }
  }

  /// Runs a step's function: an attempt.
  func runStep(_ node: NodeID, _ spec: StepSpec) {
    attempt(node) { () throws(Failure) in
      var arguments: [Value] = []
      for argument in spec.arguments { arguments.append(try argument.evaluate(self)) }
      if plan.nodes[node].options?.retry != nil {
        set(.running, of: node)
        record(.attemptStarted(instance(of: node), attempt: course(of: node).attempt))
      }
      limitAttempt(of: node, grace: .zero)
      run(spec.function, of: node, arguments)
    }
  }

  private func workOnData(_ node: NodeID, _ spec: DataSpec) throws(Failure) {
    let list = try spec.input.evaluate(self)
    limitAttempt(of: node, grace: .zero)
    switch spec.operation {
    case .filter(.function(let function)): runEach(function, of: node, over: list, .filter)
    case .mapEach(let function): runEach(function, of: node, over: list, .map)
    case .filter(.paths(let requirements)):
      var tests: [TideValue.Requirement] = []
      for requirement in requirements {
        tests += try requirement.tests(wanted: try requirement.wanted.evaluate(self))
      }
      submit(.data(list, spec.operation, where: tests), of: node)
    default: submit(.data(list, spec.operation, where: []), of: node)
    }
  }

  /// The values of a join's inputs in declared order, null for what is not there.
  private func inputValues(_ inputs: [Expression]) throws(Failure) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(inputs.count)
    for input in inputs {
      var isThere = true
      input.forEachDependency { node, need in
        if need == .success, nodes[node].phase != .ended || endings[node].outcome != .ok { isThere = false }
      }
      values.append(isThere ? try input.evaluate(self) : .null)
    }
    return values
  }

  /// What `body` throws is the node's failure.
  func attempt(_ node: NodeID, _ body: () throws(Failure) -> Void) {
    do { try body() } catch { fail(node, error) }
  }
}

extension Value {
  /// False and null say no to `when` and conditions.
  var isTruthy: Bool { !isNull && bool != false }
}
