import TideEngine
import TideGraph
import TideValue

extension Model {
  /// The node starts: its `when` is asked, then it works. One that is given needs no `when`.
  mutating func work(_ node: NodeID, _ report: RunReport) {
    do throws(Failure) {
      guard try isWanted(node) else { return end(node, .skipped) }
      try workOnce(node)
    } catch {
      fail(node, error)
    }
  }

  private mutating func isWanted(_ node: NodeID) throws(Failure) -> Bool {
    guard let when = plan.nodes[node].options?.when else { return true }
    let subject = try when.subject.evaluate(self)
    switch when.condition {
    case nil: return isTruthy(subject)
    case .function?:
      switch try nextAnswer(Ask.subject(ofStep: plan.nodes[node].name), node, isAttempt: false) {
      case .value(let value): return isTruthy(value)
      case .response: return false
      case .failure(let failure): throw failure
      }
    case .paths(let requirements)?:
      for requirement in requirements {
        let wanted = try requirement.wanted.evaluate(self)
        if requirement.complaint(about: subject, wanted: wanted) != nil { return false }
      }
      return true
    }
  }

  func isTruthy(_ value: Value) -> Bool { !value.isNull && value.bool != false }

  private mutating func workOnce(_ node: NodeID) throws(Failure) {
    // It may have waited for its queue until its deadline.
    if !hasMoreAsks(node) { try checkDeadline(node) }
    switch plan.nodes[node].verb {
    case .input, .secret: end(node, .ok, value: given(node))
    case .barrier(let spec): end(node, .ok, value: try list(node, spec.inputs, spec.wait) { .array($0) })
    case .merge(let spec):
      let names = spec.inputs.map { $0.title(self) }
      end(
        node, .ok,
        value: try list(node, spec.inputs, spec.wait) { inputs throws(Failure) in
          try Data.merged(inputs, spec, names)
        })
    case .fallback(let spec): try fallBack(node, spec)
    case .sort(let spec): end(node, .ok, value: try Data.sorted(try spec.input.evaluate(self), spec))
    case .data(let spec): try workOnData(node, spec)
    case .sleep(let length):
      guard Duration(try length.evaluate(self)) != nil else { throw Failure(.type, "no length of time") }
      end(node, .ok)
    case .signal(let spec): try awaitSignal(node, spec)
    case .step(let spec):
      for argument in spec.arguments { _ = try argument.evaluate(self) }
      end(node, .ok, value: try attempts(node))
    case .request(let spec):
      let wanted = try wantedValues(spec)
      _ = try spec.request(self, timeout: nil)
      end(node, .ok, value: try attempts(node, spec, wanted))
    // Files are read from where no model looks: what the run got is given.
    case .file:
      if run.report?.ending(of: node).outcome == .ok { end(node, .ok, value: run.report?.value(of: node) ?? .null) }
      if let failure = run.report?.failure(of: node) { throw failure }
    }
  }

  private func wantedValues(_ spec: RequestSpec) throws(Failure) -> [Value] {
    guard case .paths(let requirements)? = spec.expectation.body else { return [] }
    var wanted: [Value] = []
    for requirement in requirements { wanted.append(try requirement.wanted.evaluate(self)) }
    return wanted
  }

  // MARK: Joins

  /// What a join makes of its inputs. One that opens at N may have any N of them, or more.
  private mutating func list(
    _ node: NodeID, _ inputs: [Expression], _ wait: Wait, _ make: ([Value]) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var isThere: [Bool] = []
    for input in inputs {
      var isPresent = true
      input.forEachDependency { other, need in
        if need == .success, outcome(of: other) != .ok { isPresent = false }
      }
      isThere.append(isPresent)
    }
    guard case .atLeast(let count) = wait, let report = run.report else {
      return try make(try values(inputs, isThere))
    }
    let seen = report.value(of: node).json()
    let present = inputs.indices.filter { isThere[$0] }
    // The run's own choice, if it was one that could be made.
    for choice in 0..<(1 << min(present.count, 12)) where choice.nonzeroBitCount >= min(count, present.count) {
      var chosen = [Bool](repeating: false, count: inputs.count)
      for (bit, place) in present.enumerated() { chosen[place] = choice >> bit & 1 == 1 }
      do throws(Failure) {
        let value = try make(try values(inputs, chosen))
        let ending = report.ending(of: node)
        if ending.outcome == .ok, !ending.tookOtherwise, value.json() == seen { return value }
      } catch {
        if report.failure(of: node)?.kind == error.kind { throw error }
      }
    }
    return try make(try values(inputs, isThere))
  }

  private func values(_ inputs: [Expression], _ isThere: [Bool]) throws(Failure) -> [Value] {
    var values: [Value] = []
    for (input, isThere) in zip(inputs, isThere) { values.append(isThere ? try input.evaluate(self) : .null) }
    return values
  }

  /// The first input that succeeded; a plain value always does.
  private mutating func fallBack(_ node: NodeID, _ spec: FallbackSpec) throws(Failure) {
    for input in spec.inputs {
      guard let tried = input.onlyNode, outcome(of: tried) != .ok else {
        return end(node, .ok, value: try input.evaluate(self))
      }
    }
    let outcomes = spec.inputs.compactMap { $0.onlyNode.map { outcome(of: $0) } }
    if outcomes.allSatisfy({ $0 == .skipped }) { return end(node, .skipped) }
    throw Failure(.barrier, "none of its inputs succeeded")
  }

  private mutating func awaitSignal(_ node: NodeID, _ spec: SignalSpec) throws(Failure) {
    let came = signals.filter { $0.name == plan.nodes[node].name }.map(\.value)
    if came.count < spec.count { throw Failure(.signal, "signalled \(came.count) of \(spec.count) times") }
    // They all come before the run begins.
    end(node, .ok, value: came[came.count - 1])
  }

  // MARK: Data

  private mutating func workOnData(_ node: NodeID, _ spec: DataSpec) throws(Failure) {
    let list = try spec.input.evaluate(self)
    switch spec.operation {
    case .filter(.function), .mapEach:
      switch try nextAnswer(Ask.subject(ofStep: plan.nodes[node].name), node) {
      case .value(let value): end(node, .ok, value: value)
      case .response: break
      case .failure(let failure): throw failure
      }
    case .filter(.paths(let requirements)):
      var tests: [TideValue.Requirement] = []
      for requirement in requirements {
        tests += try requirement.tests(wanted: try requirement.wanted.evaluate(self))
      }
      end(node, .ok, value: try Data.applied(spec.operation, to: list, tests))
    default: end(node, .ok, value: try Data.applied(spec.operation, to: list, []))
    }
  }
}
