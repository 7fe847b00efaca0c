import Dispatch
import Testing
import TideBarrier
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// Callbacks that append to one array, and results in arrival order.
@Suite struct H10OrderTests {
  /// Keeps completions, so that many threads can call them at one moment.
  private final class Kept: StepRunner {
    let completions = Locked<[@Sendable (Result<Value, Failure>) -> Void]>([])

    func run(
      _ function: FunctionID, arguments: [Value], context: StepContext,
      completion: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> any Abortable {
      completions.withLock { $0.append(completion) }
      return Nothing()
    }

    private final class Nothing: Abortable {
      func abort() {}
    }
  }

  @Test func `H10 answers that come at once from many threads are all there, each in its place`() async {
    let count = 20_000
    var sketch = Sketch()
    let steps = (0..<count).map { sketch.step("\($0)") }
    sketch.returns(sketch.barrier("all", steps))
    let fakes = Fakes(DispatchExecutor(), functions: [], acts: [:])
    for _ in 0..<5 {
      let kept = Kept()
      let configuration = RunConfiguration(executor: DispatchExecutor(), transport: fakes, stepRunner: kept)
      let run = Run.start(sketch.plan, configuration)
      #expect(await eventually { kept.completions.withLock { $0.count } == count })
      let completions = kept.completions.withLock { $0 }
      DispatchQueue.concurrentPerform(iterations: 8) { part in
        for index in stride(from: part, to: count, by: 8) { completions[index](.success(Value(index))) }
      }
      let values = await run.completion.value().result?.items.map(\.int64)
      #expect(values == (0..<count).map { Int64($0) })
    }
  }

  @Test func `H11 every arrival order of four requests gives the same bytes, in declared order`() throws {
    var sketch = Sketch()
    let requests = (0..<4).map { sketch.request("\($0)") }
    let both = [sketch.merge("merged", requests), sketch.barrier("all", requests)]
    sketch.returns(sketch.barrier("both", both))
    let acts = Dictionary(uniqueKeysWithValues: (0..<4).map { ("\($0)", Act.respond(200, #"["\#($0)"]"#)) })
    var results = Set<String>()
    let orders = try forEachOrder { choices in
      results.insert(try World(sketch, acts, choices: choices).run().result?.description ?? "none")
    }
    #expect(orders >= 24)
    #expect(results == [#"[["0","1","2","3"],[["0"],["1"],["2"],["3"]]]"#])
  }
}
