import Dispatch
import Foundation
import Testing
import TideBarrier
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// A semaphore is freed below its first value; a session keeps its delegate alive; a group is dropped while entered.
@Suite struct H14LifetimeTests {
  @Test func `H14 a bare semaphore that is freed below its first value crashes, a gate does not`() async {
    await #expect(processExitsWith: .failure) {
      let semaphore = DispatchSemaphore(value: 2)
      semaphore.wait()
    }
    await #expect(processExitsWith: .success) {
      let gate = Gate(width: 2)
      precondition(gate.tryTake() && gate.tryTake() && !gate.tryTake())
    }
  }

  @Test func `H14 a run that ends while permits are out crashes nothing, and nothing of it stays alive`() throws {
    weak var executor: SimulatedExecutor?
    weak var fakes: Fakes?
    weak var run: Run?
    do {
      var sketch = Sketch()
      let line = sketch.queue(width: 3)
      for index in 0..<9 { _ = sketch.step("\(index)", [], NodeOptions(deadline: .seconds(99), queue: line)) }
      for index in 9..<99 { _ = sketch.request("\(index)", [], NodeOptions(timeout: .seconds(99))) }
      let world = World(
        sketch, Dictionary(uniqueKeysWithValues: (0..<99).map { ("\($0)", Act.hold) }), choices: SeededChoices(seed: 1))
      world.configuration.timeout = .seconds(1)
      let started = world.start()
      #expect(try world.finish(started).status == .failed)
      #expect(world.fakes.started.count == 3 + 16)
      (executor, fakes, run) = (world.executor, world.fakes, started)
      #expect(executor != nil && fakes != nil && run != nil)
    }
    #expect(executor == nil)
    #expect(fakes == nil)
    #expect(run == nil)
  }

  @Test(arguments: [Wait.atLeast(1), .all, .settled])
  func `H23 a barrier is left when its join opens early, fails early or is cancelled`(_ wait: Wait) throws {
    var sketch = Sketch()
    let a = sketch.step("a")
    let b = sketch.step("b")
    let slow = sketch.step("slow")
    _ = sketch.barrier("join", [a, b], wait: wait)
    let world = World(sketch, ["a": wait == .all ? .fail("no") : .answer(.null), "b": .hold, "slow": .hold])
    let run = world.start()
    try world.executor.runUntilIdle()
    // It opened early, has failed early, or still waits.
    #expect(world.executor.closedBarriers == (wait == .settled ? 1 : 0))
    run.cancel()
    #expect(try world.finish(run).status == .cancelled)
    #expect(world.executor.closedBarriers == 0)
    withExtendedLifetime(slow) {}
  }

  @Test func `H23 a deadline leaves the barrier of the join that it ends, in the middle of a run`() throws {
    var sketch = Sketch()
    let a = sketch.step("a")
    let b = sketch.step("b", [], NodeOptions(deadline: .seconds(1)))
    _ = sketch.barrier("join", [a, b])
    let world = World(sketch, ["a": .hold, "b": .hold])
    let run = world.start()
    try world.executor.run(for: .milliseconds(500))
    #expect(world.executor.closedBarriers == 1)
    try world.executor.run(for: .seconds(1))
    #expect(world.executor.closedBarriers == 0)
    #expect(run.completion.result == nil)
    world.fakes.settle("a", .success(.null))
    #expect(try world.finish(run).summary == "a=ok b=failed join=blocked<b")
  }

  @Test func `H23 barriers that are dropped leave no group behind`() async {
    await #expect(processExitsWith: .success) {
      func residentPages() -> Int {
        let fields = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return fields.flatMap { Int($0[1]) } ?? 0
      }
      let executor = DispatchExecutor()
      let lane = executor.lane {}
      func drop(_ count: Int) { for _ in 0..<count { _ = executor.barrier(on: lane) {} } }
      drop(10_000)
      let before = residentPages()
      drop(300_000)
      precondition(before > 0 && residentPages() - before < 2_500)
    }
  }
}
