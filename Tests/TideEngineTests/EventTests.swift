import Testing
import TideBarrier
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// The stream of events. That it is well formed is checked by every run of `World`.
@Suite struct EventTests {
  @Test func `the events of a run, from its start to its end`() throws {
    var sketch = Sketch()
    let no = sketch.input("no")
    let a = sketch.request("a")
    let b = sketch.request("b")
    _ = sketch.step("c", [b], NodeOptions(otherwise: .null))
    _ = sketch.step("d", [], NodeOptions(when: When(.value(of: no))))
    sketch.returns(sketch.merge("m", [a], wait: .settled))
    let world = World(sketch, ["a": .answer(json("[]")), "b": .fail("no", after: .seconds(1))])
    _ = try world.run()
    #expect(
      world.lines == [
        "run started", "no started", "no ok", "d skipped", "a started", "a attempt 1", "b started", "b attempt 1",
        "a attempt 1 ok", "a ok", "m started", "m ok", "b attempt 1 step", "b failed (step)",
        "c ok by b otherwise", "run ok",
      ])
    #expect(world.recorder.events.last?.time == .seconds(1))
  }

  @Test func `what a step logs is an event of its node`() throws {
    var sketch = Sketch()
    let a = sketch.step("a")
    let world = World(sketch)
    let logger = Logger(node: a)
    world.configuration.stepRunner = logger
    _ = try world.run()
    #expect(world.lines == ["run started", "a started", "a says hello", "a ok", "run ok"])
    #expect(logger.clock == [1_700_000_000_000_000_000])
  }

  @Test func `without a sink no event is built`() throws {
    var sketch = Sketch()
    for index in 0..<100 { _ = sketch.step("\(index)") }
    for isHeard in [true, false] {
      let world = World(sketch)
      let clock = CountingExecutor(world.executor)
      world.configuration.executor = clock
      if !isHeard { world.configuration.sinks = [] }
      _ = try world.run()
      // A run reads the clock at its start and its end; each batch of events reads it once more.
      #expect(isHeard ? clock.readings > 2 : clock.readings == 2)
    }
  }

  @Test func `every sink gets the same batches`() throws {
    var sketch = Sketch()
    _ = sketch.step("a")
    let world = World(sketch)
    let second = Recorder()
    world.configuration.sinks.append(second)
    _ = try world.run()
    #expect(second.lines(world.plan) == world.lines)
  }
}

/// A step runner that logs a line and asks the time.
private final class Logger: StepRunner {
  private let node: NodeID
  private let readings = Locked<[Int64]>([])

  init(node: NodeID) { self.node = node }

  var clock: [Int64] { readings.withLock { $0 } }

  func run(
    _ function: FunctionID, arguments: [Value], context: StepContext,
    completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) -> any Abortable {
    readings.withLock { $0.append(1_700_000_000_000_000_000 + context.wallClock()) }
    context.log(node, "hello")
    completion(.success(.null))
    return Nothing()
  }

  private final class Nothing: Abortable {
    func abort() {}
  }
}

/// Counts how often the time is asked.
private final class CountingExecutor: Executor {
  private let inner: SimulatedExecutor
  private let count = Locked(0)

  init(_ inner: SimulatedExecutor) { self.inner = inner }

  var readings: Int { count.withLock { $0 } }
  var burst: Int { inner.burst }

  var now: Instant {
    count.withLock { $0 += 1 }
    return inner.now
  }

  func submit(_ work: @escaping @Sendable () -> Void) { inner.submit(work) }
  func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Timer { inner.after(delay, work) }
  func lane(_ drain: @escaping @Sendable () -> Void) -> any Lane { inner.lane(drain) }
  func barrier(on lane: any Lane, opened: @escaping @Sendable () -> Void) -> any Barrier {
    inner.barrier(on: lane, opened: opened)
  }
}
