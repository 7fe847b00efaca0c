import Dispatch
import Testing
import TideBarrier
import TideEngine
import TideGraph
import TideValue

/// A callback fires twice: the group is over-left, and the process crashes.
@Suite struct H03TwiceTests {
  @Test func `H03 a second answer is refused and recorded`() throws {
    var sketch = Sketch()
    let a = sketch.request("a")
    let b = sketch.step("b")
    sketch.returns(sketch.barrier("both", [a, b]))
    let world = World(sketch, ["a": .twice(Value(1), Value(2)), "b": .twice(Value(3), Value(4))])
    #expect(try world.run().result == json("[1,3]"))
    #expect(world.lines.filter { $0.hasSuffix("late") }.sorted() == ["a late", "b late"])
  }

  @Test func `H03 a ticket delivers its first outcome as one, and the second as refused`() {
    let seen = Locked<[Settlement<Int>]>([])
    let ticket = Ticket<Int>(tag: 7) { _, settlement in seen.withLock { $0.append(settlement) } }
    #expect(ticket.settle(1))
    #expect(!ticket.settle(2))
    #expect(seen.withLock { $0 } == [.outcome(1), .refused(2)])
  }

  @Test func `H03 a bare group that is left twice crashes, a run that is answered twice does not`() async {
    await #expect(processExitsWith: .failure) {
      let group = DispatchGroup()
      group.enter()
      group.leave()
      group.leave()
    }
    await #expect(processExitsWith: .success) {
      var sketch = Sketch()
      let steps = (0..<100).map { sketch.step("\($0)") }
      sketch.returns(sketch.barrier("all", steps))
      let acts = Dictionary(uniqueKeysWithValues: (0..<100).map { ("\($0)", Act.twice(Value($0), Value(-1))) })
      let executor = DispatchExecutor()
      let fakes = Fakes(executor, functions: sketch.functions, acts: acts)
      let run = Run.start(sketch.plan, RunConfiguration(executor: executor, transport: fakes, stepRunner: fakes))
      let values = await run.completion.value().result?.items.compactMap(\.int64)
      precondition(values == (0..<100).map { Int64($0) })
    }
  }
}
