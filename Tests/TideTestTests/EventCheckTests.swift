import Testing
import TideBarrier
import TideEngine
import TideFixtures
import TideGraph
import TideValue

@testable import TideTest

/// What no run may do, done.
@Suite struct EventCheckTests {
  private static let plan: Plan = {
    var gather = Gather(3, NodeOptions(queue: QueueID(0)))
    let other = gather.request("other")
    gather.result = .expression(.value(of: other))
    return Plan(nodes: gather.nodes, queues: [Queue(name: "one", width: 1)], result: gather.result)
  }()

  private func complaints(_ events: [RunEvent.Kind]) -> [String] {
    let executor = SimulatedExecutor()
    let world = ScriptedWorld([:], on: executor)
    let configuration = RunConfiguration(executor: executor, transport: world, stepRunner: world)
    let whole = [.runStarted] + events + [.runEnded(.ok)]
    return EventCheck(Self.plan, configuration).complaints(about: whole.map { RunEvent(time: .zero, kind: $0) })
  }

  private func end(_ node: Int) -> RunEvent.Kind {
    .nodeEnded(Instance(NodeID(node)), .ok, nil, blamed: nil, tookOtherwise: false)
  }

  private func start(_ node: Int) -> RunEvent.Kind { .nodeStarted(Instance(NodeID(node))) }

  private func attempt(_ node: Int, _ number: Int) -> [RunEvent.Kind] {
    [
      .attemptStarted(Instance(NodeID(node)), attempt: number),
      .attemptEnded(Instance(NodeID(node)), attempt: number, nil),
    ]
  }

  private var others: [RunEvent.Kind] { (1..<5).map { end($0) } }

  @Test func `a run in order has no complaints`() {
    #expect(complaints([start(0)] + attempt(0, 1) + attempt(0, 2) + [end(0)] + others) == [])
  }

  @Test func `each node ends once`() {
    #expect(complaints([start(0), end(0), end(0)] + others) == ["'r0' ended twice"])
    #expect(complaints([start(0)] + others) == ["'r0' never ended"])
    #expect(complaints([end(0), start(0)] + others) == ["'r0' started after its end"])
    #expect(complaints([start(0), start(0), end(0)] + others) == ["'r0' started twice"])
  }

  @Test func `attempts are numbered without a gap, and end with their node`() {
    #expect(complaints([start(0)] + attempt(0, 2) + [end(0)] + others) == ["'r0' began attempt 2, where 1 comes"])
    #expect(
      complaints([start(0)] + attempt(0, 1) + attempt(0, 3) + [end(0)] + others)
        == ["'r0' began attempt 3, where 2 comes"])
    #expect(
      complaints([start(0), end(0)] + attempt(0, 1) + others) == ["'r0' began attempt 1 after its end"])
    #expect(
      complaints([start(0), attempt(0, 1)[0], end(0)] + others) == ["'r0' ended before its attempt had"])
    #expect(
      complaints([start(0), attempt(0, 1)[1], end(0)] + others) == ["'r0' ended attempt 1, which was not going on"])
  }

  @Test func `a late answer is no attempt, but belongs to one`() {
    let late = { (number: Int) in RunEvent.Kind.lateAnswer(Instance(NodeID(0)), attempt: number) }
    #expect(complaints([start(0)] + attempt(0, 1) + [end(0), late(1)] + others) == [])
    #expect(
      complaints([start(0)] + attempt(0, 1) + [end(0), late(2)] + others)
        == ["'r0' got a late answer to attempt 2, which never began"])
  }

  @Test func `no more are at work than the queue is wide`() {
    #expect(
      complaints([start(0), start(1), end(0), end(1), start(2), end(2), end(3), end(4)])
        == ["'r1' started as number 2, where 1 may be at work"])
  }

  @Test func `the events begin and end with the run`() {
    let executor = SimulatedExecutor()
    let world = ScriptedWorld([:], on: executor)
    let configuration = RunConfiguration(executor: executor, transport: world, stepRunner: world)
    let found = EventCheck(Self.plan, configuration).complaints(about: [])
    #expect(found == ["the events do not begin and end with the run"])
  }
}
