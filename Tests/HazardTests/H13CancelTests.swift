import Foundation
import Testing
import TideBarrier
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// Cancellation is not passed on, or deadlocks with a completion.
@Suite struct H13CancelTests {
  /// Work that calls its completion from inside `abort`, which is the shortest way to a deadlock.
  private final class Reentrant: StepRunner, Transport {
    let aborted = Locked(0)

    func run(
      _ function: FunctionID, arguments: [Value], context: StepContext,
      completion: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> any Abortable {
      Stop { [aborted] in
        aborted.withLock { $0 += 1 }
        completion(.failure(Failure(.cancelled, "stopped")))
      }
    }

    func send(_ request: Request, completion: @escaping @Sendable (Result<Response, Failure>) -> Void) -> any Abortable
    {
      Stop { [aborted] in
        aborted.withLock { $0 += 1 }
        completion(.failure(Failure(.cancelled, "stopped")))
      }
    }

    private final class Stop: Abortable {
      private let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
      func abort() { body() }
    }
  }

  private static func plan() -> Plan {
    var sketch = Sketch()
    let steps = (0..<10).map { sketch.step("s\($0)") }
    let requests = (0..<10).map { sketch.request("r\($0)") }
    sketch.returns(sketch.barrier("all", steps + requests))
    return sketch.plan
  }

  @Test func `H13 a cancel reaches all that is in flight, which may answer from inside it`() throws {
    let executor = SimulatedExecutor()
    let work = Reentrant()
    let run = Run.start(Self.plan(), RunConfiguration(executor: executor, transport: work, stepRunner: work))
    try executor.runUntilIdle()
    run.cancel()
    try executor.runUntilIdle()
    #expect(work.aborted.withLock { $0 } == 20)
    #expect(run.completion.result?.status == .cancelled)
  }

  @Test func `H13 cancels and answers from many threads end the run once`() async {
    for _ in 0..<50 {
      let work = Reentrant()
      let run = Run.start(
        Self.plan(), RunConfiguration(executor: DispatchExecutor(), transport: work, stepRunner: work))
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { run.cancel() } }
      }
      #expect(await run.completion.value().status == .cancelled)
    }
  }

  @Test func `H13 a handler may come back to the cancellation that calls it`() async {
    // A lock that were held meanwhile would be waited for for ever: so this runs in a process of its own, with an alarm.
    await #expect(processExitsWith: .success) {
      alarm(10)
      let root = Cancellation()
      let child = root.child()
      let seen = Locked<[String]>([])
      let first = root.onCancel {
        seen.withLock { $0.append("root \(root.isCancelled)") }
        root.cancel()
        _ = root.onCancel { seen.withLock { $0.append("added") } }
        child.cancel()
      }
      let second = child.onCancel { seen.withLock { $0.append("child") } }
      root.cancel()
      precondition(seen.withLock { $0 } == ["root true", "added", "child"])
      withExtendedLifetime((first, second)) {}
    }
  }
}
