import Testing
import TideBarrier
import TideEngine
import TideFixtures
import TideGraph
import TideTest
import TideValue

/// What is wrong is found, shown and found again.
@Suite struct FindingTests {
  /// Answers every function with how often it was asked before, which no function may depend on.
  private final class Counting: StepRunner {
    private let executor: any Executor
    private let count = Locked(0)

    init(_ executor: any Executor) {
      self.executor = executor
    }

    func run(
      _ function: FunctionID, arguments: [Value], context: StepContext,
      completion: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> any Abortable {
      let number = count.withLock { count in
        count += 1
        return count
      }
      executor.submit { completion(.success(Value(number))) }
      return NothingGoingOn()
    }
  }

  /// Forgets what it is asked, and keeps it from being noticed.
  private final class Forgetting: StepRunner {
    private let kept = Locked<[@Sendable (Result<Value, Failure>) -> Void]>([])

    func run(
      _ function: FunctionID, arguments: [Value], context: StepContext,
      completion: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> any Abortable {
      kept.withLock { $0.append(completion) }
      return NothingGoingOn()
    }
  }

  private static func steps(
    after count: Int, _ runner: @escaping @Sendable (any Executor) -> any StepRunner
  ) -> Exploration {
    var gather = Gather(count)
    for index in 0..<count { _ = gather.step("s\(index)", [NodeID(index)], index) }
    let replies = gather.replies
    return Exploration(gather.plan, transport: { ScriptedWorld(replies, on: $0) }, stepRunner: runner)
  }

  @Test func `two orders that differ are both shown, and each is found again`() throws {
    let exploration = Self.steps(after: 2) { Counting($0) }
    let summary = exploration.orders()
    let finding = try #require(summary.findings.first)
    guard case .differs(let other, let differences) = finding.kind else {
      Issue.record("\(finding)")
      return
    }
    #expect(differences == ["'s0' is ok with 2, and was ok with 1", "'s1' is ok with 1, and was ok with 2"])
    #expect(
      finding.description == """
        's0' is ok with 2, and was ok with 1
        's1' is ok with 1, and was ok with 2
        one run: ok (choices 1,0,0,0)
          answers came in this order: GET http://api.test/r1 #1, GET http://api.test/r0 #1, step "s1" #1, step "s0" #1
        the other: ok (choices 0,0,0,0)
          answers came in this order: GET http://api.test/r0 #1, GET http://api.test/r1 #1, step "s0" #1, step "s1" #1
        """)
    let again = exploration.replay(finding.trail)
    #expect(again.description == finding.run.description)
    #expect(exploration.replay(other.trail).description == other.description)
    #expect(again.differences(to: exploration.replay(other.trail)) == differences)
  }

  @Test func `what races may differ`() {
    var gather = Gather(3, wait: .atLeast(1))
    #expect(gather.exploration.orders().findings.isEmpty)
    var results = Set<String>()
    for first in 0..<3 {
      results.insert(gather.exploration.replay(.choices([first])).report?.result?.description ?? "none")
    }
    #expect(results.count == 3)
    // Who is not below the race may not.
    gather = Gather(3, wait: .all)
    #expect(gather.exploration.orders().findings.isEmpty)
  }

  @Test func `a run that hangs is a finding`() throws {
    let summary = Self.steps(after: 1) { _ in Forgetting() }.orders()
    let finding = try #require(summary.findings.first)
    guard case .complaints(let complaints) = finding.kind else {
      Issue.record("\(finding)")
      return
    }
    #expect(complaints == ["the run hangs: nothing is left to do, and 's0' never ended"])
  }

  @Test func `a run that goes on for ever is a finding`() {
    var exploration = Gather(3).exploration
    exploration.maximumSteps = 4
    let run = exploration.replay(.choices([]))
    #expect(run.report == nil)
    #expect(run.complaints.count == 1)
    #expect(run.complaints.first?.hasPrefix("the run goes on for ever: still not idle after 4 steps") == true)
  }

  @Test(arguments: [
    Trail.seed(17), .seed(.max), .choices([]), .choices([0, 2, 1]), .fault(.never, ask: 3),
    .fault(.status(429, retryAfter: "1"), ask: 0),
  ])
  func `a trail is read as it is written`(_ trail: Trail) {
    #expect(Trail(trail.description) == trail)
  }

  @Test(arguments: [
    "", "seed", "seed x", "seed -1", "choices 1,,2", "choices 1 2", "fault 0", "fault -1 never", "fault 0 nothing",
    "seed 99999999999999999999",
  ])
  func `no other text is a trail`(_ text: String) {
    #expect(Trail(text) == nil)
  }
}
