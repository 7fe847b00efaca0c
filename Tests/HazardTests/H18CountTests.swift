import Dispatch
import Testing
import TideBarrier
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// An empty join counts as done too early, or never; a huge join ends early.
@Suite struct H18CountTests {
  @Test(arguments: [0, 1, 2, 100_000], [Wait.all, .settled])
  func `H18 a join of any size opens when all of it has ended, and once`(_ count: Int, _ wait: Wait) throws {
    var sketch = Sketch()
    let inputs = (0..<count).map { sketch.step("\($0)") }
    sketch.returns(sketch.barrier("join", inputs, wait: wait))
    let held = count == 0 ? [:] : ["\(count - 1)": Act.hold]
    let world = World(sketch, held, choices: ScriptedChoices())
    let run = world.start()
    try world.executor.runUntilIdle()
    #expect((run.completion.result == nil) == (count > 0), "it waits for the last one")
    #expect(world.lines.contains("join started") == (count == 0))
    if count > 0 { world.fakes.settle("\(count - 1)", .success(Value("\(count - 1)"))) }
    let report = try world.finish(run)
    #expect(report.result?.items.map(\.string) == (0..<count).map { "\($0)" })
    #expect(world.lines.filter { $0 == "join started" }.count == 1)
  }

  @Test func `H18 a join of 20,000 on real threads has all of them`() async {
    var sketch = Sketch()
    let inputs = (0..<20_000).map { sketch.step("\($0)") }
    sketch.returns(sketch.barrier("join", inputs))
    let executor = DispatchExecutor()
    let fakes = Fakes(executor, functions: sketch.functions, acts: [:])
    let run = Run.start(sketch.plan, RunConfiguration(executor: executor, transport: fakes, stepRunner: fakes))
    #expect(await run.completion.value().result?.items.map(\.string) == (0..<20_000).map { "\($0)" })
  }

  @Test func `H18 a bare group is open before its first enter`() {
    let group = DispatchGroup()
    #expect(group.wait(timeout: .now()) == .success)
    group.enter()
    #expect(group.wait(timeout: .now()) == .timedOut)
    group.leave()
  }
}
