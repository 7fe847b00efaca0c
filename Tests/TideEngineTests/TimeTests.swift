import Testing
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// Time limits, on virtual time.
@Suite struct TimeTests {
  private let limit = NodeOptions(timeout: .seconds(2))

  @Test func `a step that takes longer than its timeout fails, and is stopped`() throws {
    var sketch = Sketch()
    let a = sketch.step("a", [], limit)
    let world = World(sketch, ["a": .hold])
    let report = try world.run()
    #expect(report.failure(of: a)?.kind == .timeout)
    #expect(report.failure(of: a)?.message == "no answer within 2s, its 'timeout'")
    #expect(report.elapsed == .seconds(2))
    #expect(world.fakes.aborted == ["a"])
  }

  @Test func `a request's transport keeps the timeout, and the engine does if it does not`() throws {
    var sketch = Sketch()
    let a = sketch.request("a", [], limit)
    let world = World(sketch, ["a": .hold])
    let report = try world.run()
    #expect(report.failure(of: a)?.kind == .timeout)
    #expect(report.elapsed == .milliseconds(2250))
    #expect(world.fakes.aborted == ["a"])
    #expect(world.lines.contains("a attempt 1 timeout"))
  }

  @Test func `a timeout counts the function that judges the answer, too`() throws {
    var sketch = Sketch()
    var expectation = TideGraph.Expectation()
    expectation.function = sketch.function("judge")
    let a = sketch.request("a", [], limit, expectation: expectation)
    let world = World(sketch, ["a": .answer(.null, after: .seconds(1)), "judge": .hold])
    let report = try world.run()
    #expect(report.failure(of: a)?.kind == .timeout)
    #expect(report.elapsed == .milliseconds(2250))
    #expect(world.fakes.aborted == ["judge"])
  }

  @Test func `a timeout does not count the wait for a queue`() throws {
    var sketch = Sketch()
    let line = sketch.queue(width: 1)
    _ = sketch.step("a", [], NodeOptions(queue: line))
    _ = sketch.step("b", [], NodeOptions(timeout: .seconds(2), queue: line))
    let acts = ["a": Act.answer(.null, after: .seconds(5)), "b": .answer(.null, after: .seconds(1))]
    #expect(try World(sketch, acts).run().summary == "a=ok b=ok")
  }

  @Test func `a deadline counts the wait for a queue, from when the node was ready`() throws {
    var sketch = Sketch()
    let line = sketch.queue(width: 1)
    let a = sketch.step("a", [], NodeOptions(queue: line))
    let first = sketch.step("first")
    let b = sketch.step("b", [first], NodeOptions(deadline: .seconds(2), queue: line))
    _ = sketch.step("c", [], NodeOptions(after: [a, b], queue: line))
    let acts = ["a": Act.answer(.null, after: .seconds(5)), "first": .answer(.null, after: .seconds(1))]
    let world = World(sketch, acts)
    let report = try world.run()
    #expect(report.failure(of: b)?.message == "did not end within 2s, its 'deadline'")
    #expect(report.summary == "a=ok first=ok b=failed c=ok")
    #expect(world.fakes.started == ["first", "a", "c"])
    #expect(world.lines.filter { $0.hasPrefix("b ") } == ["b failed (timeout)"])
  }

  @Test func `a merge that takes longer than its timeout fails`() throws {
    var sketch = Sketch()
    let both = sketch.merge("both", [], wait: .all, NodeOptions(timeout: .zero))
    // Whatever the worker does first, the time is up at the same moment: both orders must be sound.
    var kinds = Set<String>()
    try forEachOrder { choices in
      let report = try World(sketch, choices: choices).run()
      kinds.insert(report.failure(of: both)?.kind.description ?? "ok")
    }
    #expect(kinds == ["ok", "timeout"])
  }

  @Test func `a timeout takes the otherwise`() throws {
    var sketch = Sketch()
    let a = sketch.step("a", [], NodeOptions(timeout: .seconds(1), otherwise: Value(7)))
    sketch.returns(a)
    let report = try World(sketch, ["a": .hold]).run()
    #expect(report.result == Value(7))
    #expect(report.status == .partial)
  }

  @Test func `the run's time limit stops everything, and the run has failed`() throws {
    var sketch = Sketch()
    let done = sketch.step("done")
    let a = sketch.request("a")
    _ = sketch.step("b", [a])
    sketch.returns(done)
    let world = World(sketch, ["a": .hold])
    world.configuration.timeout = .seconds(3)
    let report = try world.run()
    #expect(report.summary == "done=ok a=cancelled b=cancelled")
    #expect(report.status == .failed)
    #expect(report.failure?.message == "the run was stopped after 3s, its time limit")
    #expect(report.result == Value("done"))
    #expect(report.elapsed == .seconds(3))
    #expect(world.fakes.aborted == ["a"])
  }

  @Test func `a limit that is not reached leaves no timer behind`() throws {
    var sketch = Sketch()
    _ = sketch.request("a", [], NodeOptions(timeout: .seconds(5), deadline: .seconds(9)))
    let world = World(sketch)
    world.configuration.timeout = .seconds(60)
    let report = try world.run()
    #expect(report.status == .ok)
    #expect(world.executor.now.nanoseconds == 0)
  }
}
