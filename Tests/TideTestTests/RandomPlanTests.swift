import Foundation
import Testing
import TideTest

/// Random plans against the model. `scripts/explore` asks for more of them, or for one again.
@Suite struct RandomPlanTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let first = UInt64(environment["TIDEGATE_EXPLORE_SEED"] ?? "") ?? 1
  private static let count = UInt64(environment["TIDEGATE_EXPLORE_PLANS"] ?? "") ?? 2_000
  private static let parts: UInt64 = 20

  @Test(arguments: 0..<parts) func `random plans end as the model says`(_ part: UInt64) async {
    var checked: UInt64 = 0
    var failed = 0
    for offset in stride(from: part, to: Self.count, by: Int(Self.parts)) {
      // Other tests want their turn, too.
      await Task.yield()
      let trial = Trial(seed: Self.first &+ offset)
      checked += 1
      guard !trial.complaints().isEmpty else { continue }
      failed += 1
      if failed <= 3 {
        let again = "scripts/explore --plans 1 --seed \(trial.random.seed)"
        Issue.record("\(again)\n\(trial)\nits smallest part that is wrong as well: \(trial.shrunk())")
      }
    }
    #expect(failed == 0, "\(failed) of \(checked) plans ended in another way than the model says")
    #expect(checked == (Self.count + Self.parts - 1 - part) / Self.parts)
  }

  @Test(arguments: 0..<20) func `random plans end the same in every order, except where they race`(_ part: UInt64) async
  {
    var runs = 0
    for seed in part * 10 + 1...part * 10 + 10 {
      await Task.yield()
      var exploration = RandomPlan(seed: seed).exploration
      exploration.keepsDelays = false
      exploration.faults = [.twice, .late]
      let summary = exploration.orders(limit: 20, seeds: 0..<20)
      runs += summary.runs
      for finding in summary.findings.prefix(1) { Issue.record("plan \(seed): \(finding)") }
    }
    #expect(runs >= 100)
  }
}
