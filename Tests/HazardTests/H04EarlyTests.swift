import Dispatch
import Testing
import TideBarrier
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// `enter` inside the asynchronous block: the group looks empty and opens too early. And leaving when the sending call
/// returns, before the nested answer has arrived.
@Suite struct H04EarlyTests {
  /// Notes how many barriers are held when work is submitted.
  private final class Watch: StepRunner {
    let held = Locked<[Int]>([])
    private let executor: SimulatedExecutor

    init(_ executor: SimulatedExecutor) { self.executor = executor }

    func run(
      _ function: FunctionID, arguments: [Value], context: StepContext,
      completion: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> any Abortable {
      held.withLock { $0.append(executor.closedBarriers) }
      completion(.success(.null))
      return Nothing()
    }

    private final class Nothing: Abortable {
      func abort() {}
    }
  }

  @Test func `H04 the barrier is entered before its first input is submitted`() throws {
    var sketch = Sketch()
    let inputs = (0..<3).map { sketch.step("\($0)") }
    sketch.returns(sketch.barrier("all", inputs))
    let world = World(sketch)
    let watch = Watch(world.executor)
    world.configuration.stepRunner = watch
    #expect(try world.run().result == json("[null,null,null]"))
    #expect(watch.held.withLock { $0 } == [1, 1, 1])
  }

  @Test func `H04 a bare group that is entered inside the block looks empty`() {
    let group = DispatchGroup()
    let queue = DispatchQueue(label: "work")
    queue.suspend()
    queue.async {
      group.enter()
      group.leave()
    }
    #expect(group.wait(timeout: .now()) == .success, "it opened, and the work has not begun")
    queue.resume()
  }

  @Test func `H05 a node ends when its answer has arrived, not when the call that sent it returned`() throws {
    var sketch = Sketch()
    let a = sketch.request("a")
    let b = sketch.step("b", [a])
    _ = sketch.step("after", [], NodeOptions(after: [a]))
    sketch.returns(b)
    let world = World(sketch, ["a": .hold, "b": .compute { .success($0[0]) }])
    let run = world.start()
    try world.executor.runUntilIdle()
    #expect(world.fakes.isHeld("a"))
    #expect(world.lines == ["run started", "a started", "a attempt 1"])
    world.fakes.settle("a", .success(Value("the answer")))
    #expect(try world.finish(run).result == Value("the answer"))
    #expect(world.fakes.started == ["a", "b", "after"])
  }

  @Test func `H05 a bare group that is left when the call returns opens before the answer`() {
    let group = DispatchGroup()
    let server = DispatchQueue(label: "server")
    let answer = Locked<Int?>(nil)
    server.suspend()
    group.enter()
    server.async { answer.withLock { $0 = 1 } }
    group.leave()
    #expect(group.wait(timeout: .now()) == .success)
    #expect(answer.withLock { $0 } == nil)
    server.resume()
  }
}
