import Testing
import TideBarrier
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// A timeout gives up, and the late answer still writes or leaves.
@Suite struct H12LateTests {
  @Test func `H12 an answer after the time limit is dropped and recorded`() throws {
    var sketch = Sketch()
    let a = sketch.step("a", [], NodeOptions(timeout: .seconds(1), otherwise: Value("gave up")))
    let b = sketch.request("b", [], NodeOptions(deadline: .seconds(1), otherwise: Value("gave up")))
    let c = sketch.step("c")
    sketch.returns(sketch.barrier("all", [a, b, c]))
    let acts: [String: Act] = [
      "a": .answer(Value("late"), after: .seconds(2)), "b": .answer(Value("late"), after: .seconds(2)),
      "c": .answer(Value("in time"), after: .seconds(3)),
    ]
    let world = World(sketch, acts)
    #expect(try world.run().result == json(#"["gave up","gave up","in time"]"#))
    #expect(world.lines.filter { $0.hasSuffix(" late") } == ["a late", "b late"])
  }

  @Test func `H12 an answer and its time limit at one moment: one of them counts, whichever is first`() throws {
    var sketch = Sketch()
    let a = sketch.step("a", [], NodeOptions(timeout: .seconds(1), otherwise: Value("gave up")))
    sketch.returns(sketch.barrier("all", [a, sketch.step("b")]))
    var results = Set<String>()
    try forEachOrder { choices in
      let world = World(sketch, ["a": .answer(Value("in time"), after: .seconds(1))], choices: choices)
      results.insert(try world.run().result?.description ?? "none")
    }
    #expect(results == [#"["in time","b"]"#, #"["gave up","b"]"#])
  }
}
