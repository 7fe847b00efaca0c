import Testing
import TideEngine
import TideGraph
import TideTest
import TideValue

/// What the random plans come across: a rule that none of them meets is tested by none of them.
@Suite struct CoverageTests {
  private static let wanted: Set<String> = [
    "ok", "failed", "skipped", "blocked", "cancelled", "otherwise", "cleanup failed", "a loser", "a spared input",
    "three attempts", "a fallback's second", "a join at N without one", "a join out of reach", "run ok", "run partial",
    "run failed", "run cancelled", "a late answer", "a signal", "blocked and handled", "run timeout",
    // Kinds of failures.
    "tripped", "timeout", "barrier", "status", "expect", "body", "missing", "type", "step", "lost", "connect", "signal",
    "deadline", "a hopeless retry",
  ]

  @Test func `the random plans come across every rule`() {
    var met: Set<String> = []
    for seed in UInt64(1)...1_500 where !met.isSuperset(of: Self.wanted) {
      let trial = Trial(seed: seed)
      let run = trial.run()
      guard let report = run.report else { continue }
      met.insert("run \(report.status.rawValue)")
      if report.failure?.kind == .timeout { met.insert("run timeout") }
      for event in run.events {
        switch event.kind {
        case .lateAnswer: met.insert("a late answer")
        case .attemptStarted(_, attempt: 3): met.insert("three attempts")
        case .attemptEnded(_, _, let failure?) where failure.kind == .tripped: met.insert("tripped")
        default: break
        }
      }
      for node in report.plan.nodeIDs { note(node, report, run, &met) }
    }
    #expect(Self.wanted.subtracting(met).sorted() == [])
  }

  private func note(_ node: NodeID, _ report: RunReport, _ run: Observation, _ met: inout Set<String>) {
    let plan = report.plan
    let ending = report.ending(of: node)
    let isCleanup = plan.nodes[node].options?.isAlways == true
    met.insert(ending.outcome.name)
    if ending.tookOtherwise { met.insert("otherwise") }
    if let failure = report.failure(of: node) {
      met.insert(failure.kind.description)
      if failure.message.contains("its 'deadline'") { met.insert("deadline") }
      if failure.message.contains("would come after") { met.insert("a hopeless retry") }
    }
    if isCleanup, ending.outcome == .failed { met.insert("cleanup failed") }
    if ending.outcome == .cancelled, !run.wasCancelled, report.failure == nil { met.insert("a loser") }
    if ending.outcome == .blocked, !report.verdict.unhandled.contains(node) { met.insert("blocked and handled") }
    let inputs = plan.dependencies(of: node).filter { $0.need == .input }.map { report.ending(of: $0.node).outcome }
    switch plan.nodes[node].verb {
    case .signal: if ending.outcome == .ok { met.insert("a signal") }
    case .fallback:
      if ending.outcome == .ok, inputs.first?.isFailure == true { met.insert("a fallback's second") }
      if ending.outcome == .ok, inputs.first == .ok, inputs.last == .skipped { met.insert("a spared input") }
    case .barrier(let spec):
      guard case .atLeast = spec.wait else { break }
      if ending.outcome == .ok, inputs.contains(where: \.isFailure) { met.insert("a join at N without one") }
      if ending.outcome == .failed { met.insert("a join out of reach") }
    default: break
    }
  }
}
