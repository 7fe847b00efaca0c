import TideEngine
import TideGraph
import TideValue

/// What must become of a plan: an interpreter that knows the rules of DESIGN sections 3 and 7, and knows no queue, no lane
/// and no clock. It goes from node to node, asks what each needs first, and takes the answers that a run got.
///
/// Where the order of things decides (a join that opens at N, a time limit, a breaker, a cancelled run, the losers of a
/// join), it takes what the run saw as given, checks that it was possible, and goes on from there.
package struct Model {
  let plan: Plan
  let run: Observation
  private let inputs: [NodeID: Value]
  let signals: [(name: String, value: Value)]
  /// For an input of a fallback that is not its first: the fallback, and the place among its inputs.
  private let turns: [NodeID: (fallback: NodeID, before: NodeID)]

  private(set) var endings: [NodeID: Verdict.Ending] = [:]
  private(set) var values: [NodeID: Value] = [:]
  private(set) var failures: [NodeID: Failure] = [:]
  var responses: [NodeID: Value] = [:]
  /// Inputs of fallbacks that were not needed.
  private var spared: Set<NodeID> = []
  /// Those of which it depends on when their fallback ended.
  private var perhapsSpared: Set<NodeID> = []
  /// Nodes that were stopped by their deadline.
  var stopped: Set<NodeID> = []
  /// How many asks of each subject were taken.
  var asksTaken: [String: Int] = [:]
  package private(set) var complaints: [String] = []

  /// - Parameter run: one that ended.
  package init(
    _ plan: Plan, inputs: [NodeID: Value], signals: [(name: String, value: Value)], run: Observation
  ) {
    self.plan = plan
    self.inputs = inputs
    self.signals = signals
    self.run = run
    var turns: [NodeID: (fallback: NodeID, before: NodeID)] = [:]
    for fallback in plan.fallbacks {
      guard case .fallback(let spec) = plan.nodes[fallback].verb else { continue }
      let tried = spec.inputs.compactMap(\.onlyNode)
      for (before, input) in zip(tried, tried.dropFirst()) { turns[input] = (fallback, before) }
    }
    self.turns = turns
  }

  /// Interprets the whole plan, and returns in what the run differs from what had to be; empty if in nothing.
  package mutating func check() -> [String] {
    guard let report = run.report else { return ["the run never ended"] }
    for node in plan.nodeIDs { settle(node, report) }
    for node in plan.nodeIDs { compare(node, report) }
    compareRun(report)
    for (subject, count) in asksTaken.sorted(by: { $0.key < $1.key }) {
      let made = run.asks.count { $0.subject == subject }
      // Of a node that was stopped nobody knows how far it came.
      if made > count { complaints.append("\(subject) was asked for \(made) times, and \(count) are accounted for") }
    }
    for subject in Set(run.asks.map(\.subject)).sorted() where asksTaken[subject] == nil {
      complaints.append("\(subject) was asked for, and nobody should have")
    }
    return complaints
  }

  mutating func complain(_ what: String) {
    complaints.append(what)
  }

  mutating func complain(_ node: NodeID, _ what: String) {
    complain("'\(plan.nodes[node].name)' \(what)")
  }

  /// How a node ended; only of those that were settled.
  func outcome(of node: NodeID) -> Outcome { endings[node]?.outcome ?? .cancelled }

  // MARK: One node

  private mutating func settle(_ node: NodeID, _ report: RunReport) {
    guard endings[node] == nil else { return }
    for edge in plan.dependencies(of: node) { settle(edge.node, report) }
    if let turn = turns[node] { settle(turn.before, report) }
    if report.ending(of: node).outcome == .cancelled, mayBeCancelled(node, report) {
      forgetAsks(of: node)
      return end(node, .cancelled)
    }
    if let early = endBeforeStart(node, report) { return end(node, early.outcome, failure: early.failure) }
    work(node, report)
  }

  mutating func end(_ node: NodeID, _ outcome: Outcome, value: Value = .null, failure: Failure? = nil) {
    if let failure { failures[node] = failure }
    if outcome.isFailure, let otherwise = plan.nodes[node].options?.otherwise {
      endings[node] = Verdict.Ending(.ok, tookOtherwise: true)
      values[node] = otherwise
    } else {
      endings[node] = Verdict.Ending(outcome)
      values[node] = outcome == .ok ? value : .null
    }
  }

  mutating func fail(_ node: NodeID, _ failure: Failure) {
    end(node, .failed, failure: failure)
  }

  /// What is given from outside.
  func given(_ node: NodeID) -> Value { inputs[node] ?? .null }

  /// How a node ends that never starts, by what it waits for; nil for one that starts.
  private mutating func endBeforeStart(
    _ node: NodeID, _ report: RunReport
  ) -> (outcome: Outcome, failure: Failure?)? {
    if let turn = turns[node], isSpared(node, turn, report) { return (.skipped, nil) }
    let needs = plan.dependencies(of: node).filter { $0.need == .success }.map { outcome(of: $0.node) }
    let inputs = plan.dependencies(of: node).filter { $0.need == .input }.map { outcome(of: $0.node) }
    let wait = plan.wait(of: node) ?? .all
    let stops = wait == .all ? needs + inputs : needs
    if stops.contains(where: \.isFailure), stops.contains(.cancelled) {
      // Whichever was first.
      return (report.ending(of: node).outcome == .cancelled ? .cancelled : .blocked, nil)
    }
    if stops.contains(where: \.isFailure) { return (.blocked, nil) }
    if stops.contains(.cancelled) { return (.cancelled, nil) }
    let succeeded = inputs.count { $0 == .ok }
    let failed = inputs.count { $0.isFailure || $0 == .cancelled }
    switch wait {
    case .all, .first: break
    case .settled: if succeeded == 0, failed > 0 { return (.failed, Failure(.barrier, "none succeeded")) }
    case .atLeast(let count): if succeeded < count { return (.failed, Failure(.barrier, "too few succeeded")) }
    }
    return needs.contains(.skipped) ? (.skipped, nil) : nil
  }

  /// Whether an input of a fallback is not tried, since one before it was enough, or was not needed either.
  private mutating func isSpared(
    _ node: NodeID, _ turn: (fallback: NodeID, before: NodeID), _ report: RunReport
  ) -> Bool {
    if outcome(of: turn.before) == .ok || spared.contains(turn.before) {
      spared.insert(node)
      return true
    }
    // A fallback that ended by itself spares the rest, if it ended before their turn came: taken as given.
    let end = report.ending(of: turn.fallback)
    let endedEarly = end.outcome != .ok && end.outcome != .failed || end.tookOtherwise
    let wasAsked = run.asks.contains { $0.subject == Ask.subject(ofStep: plan.nodes[node].name) }
    guard endedEarly || perhapsSpared.contains(turn.before), report.ending(of: node).outcome == .skipped, !wasAsked
    else { return false }
    perhapsSpared.insert(node)
    return true
  }

  /// Whether somebody may have stopped a node: who cancelled the run, or a join that was decided without it.
  private func mayBeCancelled(_ node: NodeID, _ report: RunReport) -> Bool {
    let isCleanup = plan.nodes[node].options?.isAlways == true
    if !isCleanup, run.wasCancelled || report.failure?.kind == .timeout { return true }
    return isLoser(node, report)
  }

  private func isLoser(_ node: NodeID, _ report: RunReport) -> Bool {
    var isNamed = false
    plan.result?.forEachNode { if $0 == node { isNamed = true } }
    guard !isNamed else { return false }
    return plan.dependents(of: node).contains { edge in
      if edge.need == .input, plan.cancelsRest(edge.node) { return true }
      guard edge.need == .input || edge.need == .success else { return false }
      return report.ending(of: edge.node).outcome == .cancelled && isLoser(edge.node, report)
    }
  }

  // MARK: Comparing

  private mutating func compare(_ node: NodeID, _ report: RunReport) {
    guard let expected = endings[node] else { return }
    let seen = report.ending(of: node)
    guard seen.outcome == expected.outcome, seen.tookOtherwise == expected.tookOtherwise else {
      let (saw, wanted) = (said(seen, report.failure(of: node)), said(expected, failures[node]))
      return complain(node, "is \(saw), where \(wanted) is right")
    }
    let value = values[node] ?? .null
    if report.value(of: node).json() != value.json() {
      complain(node, "has the value \(report.value(of: node).excerpt), where \(value.excerpt) is right")
    }
    if let failure = failures[node], report.failure(of: node)?.kind != failure.kind {
      let seen = report.failure(of: node).map { "\($0.kind): \($0.message)" } ?? "without a reason"
      complain(node, "failed (\(seen)), where \(failure.kind) is right: \(failure.message)")
    }
  }

  private func said(_ ending: Verdict.Ending, _ failure: Failure?) -> String {
    "\(ending.outcome.name)\(ending.tookOtherwise ? "+" : "")\(failure.map { " (\($0.message))" } ?? "")"
  }
}
