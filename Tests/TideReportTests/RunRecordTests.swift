import Testing
import TideGraph
import TideReport
import TideValue

struct RunRecordTests {
  private func plan() throws -> (Plan, NodeID) {
    var script = Script()
    let a = try script.node("step", "a", [], ["run": .function(FunctionID(0))])
    return (try script.plan(a), a)
  }

  @Test func `what happened to a node is collected`() throws {
    let (plan, a) = try plan()
    var story = Story(plan)
    story.tell(.nodeStarted(Instance(a)), at: 1)
    story.tell(.log(Instance(a), "one"), at: 2)
    story.tell(.attemptEnded(Instance(a), attempt: 1, Failure(.reset, "r")), at: 3)
    story.tell(.attemptStarted(Instance(a), attempt: 2), at: 4)
    story.tell(.log(Instance(a), "two"), at: 5)
    story.tell(.nodeEnded(Instance(a), .failed, Failure(.timeout, "t"), blamed: nil, tookOtherwise: false), at: 6)
    story.tell(.lateAnswer(Instance(a), attempt: 1), at: 7)
    story.tell(.lateAnswer(Instance(a), attempt: 2), at: 8)
    let record = story.record[a]
    #expect(record.outcome == .failed)
    #expect(record.started == .milliseconds(1))
    #expect(record.ended == .milliseconds(6))
    #expect(record.attempts == 2)
    #expect(record.failure?.kind == .timeout)
    #expect(record.log == ["one", "two"])
    #expect(record.lateAnswers == 2)
    #expect(story.record.status == nil)
    #expect(story.record.elapsed == .milliseconds(8))
  }

  @Test func `the first end counts, of a node and of the run`() throws {
    let (plan, a) = try plan()
    var story = Story(plan)
    story.run(a, .ok, to: 1)
    story.run(a, .failed, Failure(.lost, "l"), to: 2)
    story.tell(.runEnded(.ok))
    story.tell(.runEnded(.failed))
    #expect(story.record[a].outcome == .ok)
    #expect(story.record[a].ended == .milliseconds(1))
    #expect(story.record[a].failure == nil)
    #expect(story.record.status == .ok)
  }

  @Test func `instances are kept apart, and a node that the plan does not have is not looked at`() throws {
    let (plan, a) = try plan()
    var story = Story(plan)
    let grown = Instance(a, at: .item(index: 2, of: a, in: .root))
    story.tell(.nodeEnded(grown, .failed, nil, blamed: nil, tookOtherwise: false))
    story.run(NodeID(7), .ok)
    #expect(story.record[grown].outcome == .failed)
    #expect(story.record[a].outcome == nil)
    #expect(story.record[NodeID(7)].outcome == nil)
    #expect(story.record.ending(of: a).outcome == .cancelled)
  }
}
