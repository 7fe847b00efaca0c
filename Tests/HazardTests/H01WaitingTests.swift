import Dispatch
import Testing
import TideBarrier
import TideEngine
import TideGraph
import TideValue

/// The main thread waits for a callback that only the main thread can run.
@Suite struct H01WaitingTests {
  private func start(_ act: Act) -> Run {
    var sketch = Sketch()
    let a = sketch.step("a")
    sketch.returns(sketch.barrier("b", [a, sketch.request("c")]))
    let executor = DispatchExecutor()
    let fakes = Fakes(executor, functions: sketch.functions, acts: ["a": act])
    return Run.start(sketch.plan, RunConfiguration(executor: executor, transport: fakes, stepRunner: fakes))
  }

  @Test @MainActor func `H01 waiting for a run on the main queue is refused`() async {
    let run = start(.answer(Value(1), after: .milliseconds(50)))
    #expect(throws: WaitRefused.mainQueue) { try run.completion.wait() }
    #expect(await run.completion.value().result == json(#"[1,"c"]"#))
  }

  @Test @MainActor func `H01 nothing of a run needs the main queue, which may wait if the host says so`() throws {
    let report = try start(.answer(Value(1), after: .milliseconds(50))).completion.wait(allowingMainQueue: true)
    #expect(report.result == json(#"[1,"c"]"#))
  }

  @Test @MainActor func `H01 a bare wait on the main queue for what the main queue is to run never ends`() {
    let arrival = DispatchSemaphore(value: 0)
    DispatchQueue.main.async { arrival.signal() }
    #expect(arrival.wait(timeout: .now() + .milliseconds(20)) == .timedOut)
  }
}
