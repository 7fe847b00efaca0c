import Testing
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// Cancelling, at every moment there is.
@Suite struct CancelTests {
  /// A bit of everything: requests, steps, a queue, joins, limits, an `otherwise`.
  private static func sketch() throws -> Sketch {
    var sketch = Sketch()
    let line = sketch.queue(width: 1)
    let uid = sketch.input("uid")
    let a = sketch.request("a", [uid], NodeOptions(timeout: .seconds(5), queue: line))
    let b = sketch.request("b", [uid], NodeOptions(otherwise: json("[]"), queue: line))
    let c = sketch.step("c", [a], NodeOptions(deadline: .seconds(9)))
    let both = sketch.merge("both", [a, b], wait: .settled)
    let page = try sketch.sort("page", both, by: "id")
    let all = sketch.barrier("all", [c, page])
    _ = sketch.step("after", [], NodeOptions(after: [all]))
    sketch.returns(all)
    return sketch
  }

  private static let acts: [String: Act] = [
    "a": .answer(json("[2]")), "b": .fail("no"), "c": .answer(Value("c"), after: .seconds(1)),
  ]

  @Test func `a run can be cancelled at every step, and ends whole`() throws {
    let sketch = try Self.sketch()
    let whole = World(sketch, Self.acts)
    whole.inputs[NodeID(0)] = Value("u")
    _ = whole.start()
    let steps = try whole.executor.runUntilIdle()
    #expect(steps > 10)
    var cancelled = 0
    for step in 0...steps {
      let world = World(sketch, Self.acts)
      world.inputs[NodeID(0)] = Value("u")
      let run = world.start()
      for _ in 0..<step { world.executor.step() }
      run.cancel()
      let report = try world.finish(run)
      if report.status == .cancelled { cancelled += 1 } else { #expect(report.status == .partial && step >= steps - 1) }
      if step == 0 { #expect(world.fakes.started == [], "what is cancelled before its start never runs") }
    }
    #expect(cancelled >= steps - 1, "it comes too late only when the last answer has come")
  }

  @Test(arguments: 0..<50) func `a run can be cancelled at every step of a seeded order`(_ seed: Int) throws {
    let sketch = try Self.sketch()
    for step in stride(from: seed % 3, to: 40, by: 3) {
      let world = World(sketch, Self.acts, choices: SeededChoices(seed: UInt64(seed)), lanes: .chosen)
      world.inputs[NodeID(0)] = Value("u")
      let run = world.start()
      for _ in 0..<step { world.executor.step() }
      run.cancel()
      run.cancel()
      let status = try world.finish(run).status
      #expect(status == .cancelled || status == .partial)
    }
  }

  @Test func `cancelling stops what is in flight, and its answers are late`() throws {
    var sketch = Sketch()
    let a = sketch.request("a")
    let b = sketch.step("b")
    _ = sketch.step("c", [a, b])
    let world = World(sketch, ["a": .hold, "b": .hold])
    let run = world.start()
    try world.executor.runUntilIdle()
    run.cancel()
    try world.executor.runUntilIdle()
    #expect(world.fakes.aborted == ["a", "b"])
    world.fakes.settle("a", .success(.null))
    let report = try world.finish(run)
    #expect(report.summary == "a=cancelled b=cancelled c=cancelled")
    #expect(report.status == .cancelled)
    #expect(world.lines.contains("a attempt 1 cancelled"))
  }

  @Test func `a cancel after the last node has ended comes too late to matter`() throws {
    var sketch = Sketch()
    sketch.returns(sketch.barrier("a", []))
    let world = World(sketch)
    let run = world.start()
    world.executor.step()
    run.cancel()
    #expect(try world.finish(run).status == .ok)
  }

  @Test func `a cancel in one batch with the last answer keeps the answer`() throws {
    var sketch = Sketch()
    let a = sketch.step("a")
    sketch.returns(a)
    let world = World(sketch, ["a": .hold])
    let run = world.start()
    try world.executor.runUntilIdle()
    world.fakes.settle("a", .success(Value(1)))
    run.cancel()
    let report = try world.finish(run)
    #expect(report.status == .ok)
    #expect(report.result == Value(1))
  }

  @Test func `a cancel after the time limit does not change how the run ended`() throws {
    var sketch = Sketch()
    _ = sketch.step("a")
    let world = World(sketch, ["a": .hold])
    world.configuration.timeout = .seconds(1)
    let run = world.start()
    try world.executor.run(for: .seconds(1))
    run.cancel()
    #expect(try world.finish(run).status == .failed)
  }
}
