import TideValue

/// How a run ended, worked out from how its nodes ended (DESIGN: what happens when).
public struct Verdict: Sendable {
  /// How one node ended.
  @frozen
  public struct Ending: Sendable {
    public var outcome: Outcome
    public var tookOtherwise: Bool

    @inlinable
    public init(_ outcome: Outcome, tookOtherwise: Bool = false) {
      self.outcome = outcome
      self.tookOtherwise = tookOtherwise
    }
  }

  public let status: RunStatus
  /// Failed or blocked nodes that nobody handled, in declared order.
  public let unhandled: [NodeID]
  /// Cleanup that failed (`always`), in declared order: it makes no run fail, but none is whole with it.
  public let failedCleanup: [NodeID]
  /// Nodes whose failure, though handled, left a gap in the result, in declared order.
  public let missing: [NodeID]

  /// - Parameter ending: of every node of the plan.
  public init(of plan: Plan, wasCancelled: Bool, ranOutOfTime: Bool, ending: (NodeID) -> Ending) {
    let excused = Verdict.excused(plan, ending)
    let failed = plan.nodeIDs.filter { ending($0).outcome.isFailure && !excused[$0] }
    unhandled = failed.filter { plan.nodes[$0].options?.isAlways != true }
    // One that is blocked could not clean up what never came to be.
    failedCleanup = failed.filter { plan.nodes[$0].options?.isAlways == true && ending($0).outcome == .failed }
    missing = plan.gaps(ending)
    if wasCancelled {
      status = .cancelled
    } else if ranOutOfTime || !unhandled.isEmpty {
      status = .failed
    } else {
      status = missing.isEmpty && failedCleanup.isEmpty ? .ok : .partial
    }
  }

  /// A failure is excused if somebody expects it, or if it blocks others and each of these blocks is excused; that it keeps
  /// cleanup from running counts for nothing. Dependents
  /// come later in the plan, so one pass from its end is enough.
  private static func excused(_ plan: Plan, _ ending: (NodeID) -> Ending) -> [Bool] {
    var excused = [Bool](repeating: false, count: plan.nodes.count)
    var isAskedAbout = excused
    plan.result?.forEachUse { node, need in if need == .question { isAskedAbout[node] = true } }
    for node in plan.nodeIDs.reversed() where ending(node).outcome.isFailure {
      var isExpected = isAskedAbout[node]
      var blocked = 0
      var excusedBlocks = 0
      for edge in plan.dependents(of: node) {
        let dependent = ending(edge.node)
        if plan.expectsFailure(edge) || edge.need != .end && dependent.tookOtherwise {
          isExpected = true
        } else if edge.need != .end, dependent.outcome.isFailure, plan.nodes[edge.node].options?.isAlways != true {
          blocked += 1
          if excused[edge.node] { excusedBlocks += 1 }
        }
      }
      excused[node] = isExpected || (blocked > 0 && blocked == excusedBlocks)
    }
    return excused
  }
}

extension Plan {
  /// Whether the end of this edge expects that its beginning may fail: a join that settles or counts, a question.
  /// `after` alone expects nothing.
  fileprivate func expectsFailure(_ dependent: Edge) -> Bool {
    switch dependent.need {
    case .success, .end: false
    case .input: wait(of: dependent.node) != .all
    case .question: true
    }
  }

  /// What a join waits for; nil for any other node.
  public func wait(of node: NodeID) -> Wait? {
    switch nodes[node].verb {
    case .merge(let spec): spec.wait
    case .barrier(let spec): spec.wait
    case .fallback: .first
    default: nil
    }
  }

  /// Whether a join stops what is still going on when it is decided.
  public func cancelsRest(_ node: NodeID) -> Bool {
    switch nodes[node].verb {
    case .merge(let spec): spec.cancelsRest
    case .barrier(let spec): spec.cancelsRest
    default: false
    }
  }

  /// What is missing in the result: nodes that it is made of and that took their `otherwise`, failed inputs of joins that
  /// only settle, and failed nodes that the result itself names.
  fileprivate func gaps(_ ending: (NodeID) -> Verdict.Ending) -> [NodeID] {
    var gaps: Set<NodeID> = []
    var seen = [Bool](repeating: false, count: nodes.count)
    var pending: [NodeID] = []
    result?.forEachUse { node, need in
      guard need != .question else { return }
      if ending(node).outcome.isFailure { gaps.insert(node) }
      pending.append(node)
    }
    while let node = pending.popLast() {
      guard !seen[node] else { continue }
      seen[node] = true
      if ending(node).tookOtherwise { gaps.insert(node) }
      guard ending(node).outcome == .ok, !ending(node).tookOtherwise else { continue }
      for edge in dependencies(of: node) where edge.need == .success || edge.need == .input {
        if edge.need == .input, wait(of: node) == .settled, ending(edge.node).outcome.isFailure {
          gaps.insert(edge.node)
        }
        pending.append(edge.node)
      }
    }
    return gaps.sorted()
  }
}

extension Plan.Result {
  /// Every node that the result is made of, in the order of its text.
  public func forEachNode(_ body: (NodeID) -> Void) {
    forEachUse { node, _ in body(node) }
  }

  fileprivate func forEachUse(_ body: (NodeID, Need) -> Void) {
    forEachExpression { $0.forEachDependency(body) }
  }

  func forEachExpression(_ body: (Expression) -> Void) {
    switch self {
    case .expression(let expression): body(expression)
    case .list(let items): for item in items { item.forEachExpression(body) }
    case .table(let fields): for field in fields { field.value.forEachExpression(body) }
    }
  }
}
