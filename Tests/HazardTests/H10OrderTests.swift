import Testing
import TideBarrier
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// Callbacks that append to one array, and results in arrival order.
@Suite struct H10OrderTests {
  @Test func `H10 a thousand answers at once from many threads are all there, each in its place`() async {
    var sketch = Sketch()
    let steps = (0..<1000).map { sketch.step("\($0)") }
    sketch.returns(sketch.barrier("all", steps))
    let wanted = (0..<1000).map { Value("\($0)") }
    for _ in 0..<20 {
      let executor = DispatchExecutor()
      let fakes = Fakes(executor, functions: sketch.functions, acts: [:])
      let run = Run.start(sketch.plan, RunConfiguration(executor: executor, transport: fakes, stepRunner: fakes))
      #expect(await run.completion.value().result?.items == wanted)
    }
  }

  @Test func `H11 every arrival order of four requests gives the same bytes, in declared order`() throws {
    var sketch = Sketch()
    let requests = (0..<4).map { sketch.request("\($0)") }
    let both = [sketch.merge("merged", requests), sketch.barrier("all", requests)]
    sketch.returns(sketch.barrier("both", both))
    let acts = Dictionary(uniqueKeysWithValues: (0..<4).map { ("\($0)", Act.respond(200, #"["\#($0)"]"#)) })
    var results = Set<String>()
    let orders = try forEachOrder { results.insert(try World(sketch, acts, choices: $0).run().result?.description ?? "") }
    #expect(orders >= 24)
    #expect(results == [#"[["0","1","2","3"],[["0"],["1"],["2"],["3"]]]"#])
  }
}
