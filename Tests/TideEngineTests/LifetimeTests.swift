import Testing
import TideBarrier
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// What is alive after a run, while nobody but its report is kept: nothing.
@Suite struct LifetimeTests {
  private static func sketch() -> Sketch {
    var sketch = Sketch()
    let line = sketch.queue(width: 1)
    let a = sketch.request("a", [], NodeOptions(timeout: .seconds(5), queue: line))
    let b = sketch.step("b", [], NodeOptions(deadline: .seconds(9), otherwise: json("[]"), queue: line))
    let c = sketch.step("c")
    let one = sketch.barrier("one", [a, c], wait: .atLeast(1))
    let all = sketch.barrier("all", [a, b, c])
    sketch.returns(sketch.merge("m", [one, all], wait: .settled))
    return sketch
  }

  private struct Left {
    weak var executor: SimulatedExecutor?
    weak var fakes: Fakes?
    weak var recorder: Recorder?
    weak var run: Run?
  }

  /// Runs to the end, then lets go of everything but the report.
  private func left(
    _ acts: [String: Act], timeout: Duration? = nil, _ intervene: (World, Run) throws -> Void = { _, _ in }
  ) throws -> (Left, RunReport) {
    let world = World(Self.sketch(), acts)
    world.configuration.timeout = timeout
    let run = world.start()
    try intervene(world, run)
    let report = try world.finish(run)
    return (Left(executor: world.executor, fakes: world.fakes, recorder: world.recorder, run: run), report)
  }

  private func expectNothing(_ left: Left) {
    #expect(left.executor == nil)
    #expect(left.fakes == nil)
    #expect(left.recorder == nil)
    #expect(left.run == nil)
  }

  @Test func `after a run that went well`() throws {
    let (left, report) = try left(["b": .fail("no")])
    #expect(report.status == .partial)
    expectNothing(left)
  }

  @Test func `after a run that failed`() throws {
    let (left, report) = try left(["a": .drop, "c": .fail("no")])
    #expect(report.status == .failed)
    expectNothing(left)
  }

  @Test func `after a run that was cancelled`() throws {
    let (left, report) = try left(["a": .hold, "c": .hold]) { world, run in
      try world.executor.run(for: .seconds(1))
      run.cancel()
    }
    #expect(report.status == .cancelled)
    expectNothing(left)
  }

  @Test func `after a run that ran out of time`() throws {
    let (left, report) = try left(["a": .hold, "c": .hold], timeout: .seconds(1))
    #expect(report.status == .failed)
    expectNothing(left)
  }

  @Test func `after an answer that came when the run was over`() throws {
    let world = World(Self.sketch(), ["c": .hold])
    world.configuration.timeout = .seconds(1)
    weak var run: Run?
    do {
      let started = world.start()
      run = started
      _ = try world.finish(started)
    }
    world.fakes.settle("c", .success(.null))
    #expect(try world.executor.runUntilIdle() <= 1)
    #expect(run == nil)
  }

  @Test func `a run that is dropped goes on to its end`() throws {
    let world = World(Self.sketch())
    let completion = world.start().completion
    try world.executor.runUntilIdle()
    #expect(completion.result?.status == .ok)
  }

  @Test func `after a run on threads`() async throws {
    weak var executor: DispatchExecutor?
    weak var fakes: Fakes?
    let sketch = Self.sketch()
    do {
      let made = DispatchExecutor()
      let maker = Fakes(made, functions: sketch.functions, acts: [:])
      (executor, fakes) = (made, maker)
      let run = Run.start(sketch.plan, RunConfiguration(executor: made, transport: maker, stepRunner: maker))
      #expect(await run.completion.value().status == .ok)
    }
    // The lane's thread may still be on its way out of the block that completed the run.
    for _ in 0..<2_000 where executor != nil || fakes != nil { try await Task.sleep(for: .milliseconds(1)) }
    #expect(executor == nil)
    #expect(fakes == nil)
  }
}
