import TideEngine
import TideGraph
import TideValue

/// How the run as a whole ends.
extension Model {
  /// Holds the run's status, result and gaps against the rules.
  mutating func compareRun(_ report: RunReport) {
    var result: Value?
    var resultFailed = false
    do throws(Failure) {
      result = try plan.result?.value(self) { [endings] in endings[$0]?.outcome == .ok }
    } catch {
      resultFailed = true
    }
    if report.result?.json() != result?.json() {
      complain("the result is \(report.result?.excerpt ?? "none"), where \(result?.excerpt ?? "none") is right")
    }
    let failing = plan.nodeIDs.filter { outcome(of: $0).isFailure }
    var memo: [NodeID: Bool] = [:]
    let unhandled = failing.filter { !isCleanup($0) && !isHandled($0, &memo) }
    let missing = gaps()
    let failedCleanup = failing.filter { isCleanup($0) && outcome(of: $0) == .failed && !isHandled($0, &memo) }
    if report.verdict.unhandled != unhandled {
      complain("unhandled are \(names(report.verdict.unhandled)), where \(names(unhandled)) is right")
    }
    if report.verdict.missing != missing {
      complain("missing are \(names(report.verdict.missing)), where \(names(missing)) is right")
    }
    var status = missing.isEmpty && failedCleanup.isEmpty ? RunStatus.ok : .partial
    if !unhandled.isEmpty || resultFailed || report.failure?.kind == .timeout { status = .failed }
    // Who cancels may come too late.
    if run.wasCancelled, report.status == .cancelled { status = .cancelled }
    if report.status != status { complain("the run is \(report.status.rawValue), where \(status.rawValue) is right") }
  }

  private func names(_ nodes: [NodeID]) -> String { "[\(nodes.map { plan.nodes[$0].name }.joined(separator: " "))]" }

  private func isCleanup(_ node: NodeID) -> Bool { plan.nodes[node].options?.isAlways == true }

  /// Whether somebody expects that a node may fail, or every block that its failure causes is handled, and there is one.
  /// That it keeps cleanup from running is no block.
  private func isHandled(_ node: NodeID, _ memo: inout [NodeID: Bool]) -> Bool {
    if let known = memo[node] { return known }
    var isAskedAbout = false
    plan.result?.forEachQuestion { if $0 == node { isAskedAbout = true } }
    var blocks: [NodeID] = []
    for edge in plan.dependents(of: node) {
      switch edge.need {
      case .end: continue
      case .question: isAskedAbout = true
      case .input where plan.wait(of: edge.node) != .all: isAskedAbout = true
      case .input, .success:
        if endings[edge.node]?.tookOtherwise == true { isAskedAbout = true }
        if outcome(of: edge.node).isFailure, !isCleanup(edge.node) { blocks.append(edge.node) }
      }
    }
    var isHandled = isAskedAbout
    if !isHandled, !blocks.isEmpty {
      isHandled = true
      for block in blocks where !self.isHandled(block, &memo) { isHandled = false }
    }
    memo[node] = isHandled
    return isHandled
  }

  /// What is missing in the result, in declared order.
  private func gaps() -> [NodeID] {
    var gaps: Set<NodeID> = []
    var visited: Set<NodeID> = []
    plan.result?.forEachValue { node in
      if outcome(of: node).isFailure { gaps.insert(node) }
      addGaps(above: node, &gaps, &visited)
    }
    return gaps.sorted()
  }

  private func addGaps(above node: NodeID, _ gaps: inout Set<NodeID>, _ visited: inout Set<NodeID>) {
    guard visited.insert(node).inserted, let ending = endings[node], ending.outcome == .ok else { return }
    if ending.tookOtherwise {
      gaps.insert(node)
      return
    }
    for edge in plan.dependencies(of: node) where edge.need == .success || edge.need == .input {
      if edge.need == .input, plan.wait(of: node) == .settled, outcome(of: edge.node).isFailure {
        gaps.insert(edge.node)
      }
      addGaps(above: edge.node, &gaps, &visited)
    }
  }
}

extension Plan.Result {
  private func forEachUse(_ body: (NodeID, Need) -> Void) {
    switch self {
    case .expression(let expression): expression.forEachDependency(body)
    case .list(let items): for item in items { item.forEachUse(body) }
    case .table(let fields): for field in fields { field.value.forEachUse(body) }
    }
  }

  fileprivate func forEachQuestion(_ body: (NodeID) -> Void) {
    forEachUse { if $1 == .question { body($0) } }
  }

  fileprivate func forEachValue(_ body: (NodeID) -> Void) {
    forEachUse { if $1 != .question { body($0) } }
  }
}
