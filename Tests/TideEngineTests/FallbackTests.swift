import Testing
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// Inputs that are tried one after the other.
@Suite struct FallbackTests {
  private let no = Act.fail("no")

  private func three(_ acts: [String: Act], last: Value? = nil) throws -> (report: RunReport, world: World) {
    var sketch = Sketch()
    var inputs = ["a", "b", "c"].map { TideGraph.Expression.value(of: sketch.request($0)) }
    if let last { inputs.append(.literal(last)) }
    sketch.returns(sketch.fallback("item", inputs))
    let world = World(sketch, acts)
    return (try world.run(), world)
  }

  @Test func `the first is enough if it succeeds`() throws {
    let (report, world) = try three([:])
    #expect(world.fakes.started == ["a"])
    #expect(report.summary == "a=ok b=skipped c=skipped item=ok")
    #expect(report.result == Value("a"))
    #expect(report.status == .ok)
  }

  @Test func `each is tried when the one before has failed, and a failure that was made good is no gap`() throws {
    let (report, world) = try three(["a": no, "b": no])
    #expect(world.fakes.started == ["a", "b", "c"])
    #expect(world.fakes.most == 1)
    #expect(report.summary == "a=failed b=failed c=ok item=ok")
    #expect(report.result == Value("c"))
    #expect(report.status == .ok)
  }

  @Test func `with none left it has failed, and lists what each said`() throws {
    let (report, _) = try three(["a": no, "b": no, "c": no])
    #expect(report.status == .failed)
    #expect(
      report.failure(of: NodeID(3))?.message
        == "none of its inputs succeeded: 'a' failed: no; 'b' failed: no; 'c' failed: no")
    #expect(report.names(report.verdict.unhandled) == ["item"])
  }

  @Test func `a plain value at its end is what is left`() throws {
    let (report, _) = try three(["a": no, "b": no, "c": no], last: json("[]"))
    #expect(report.result == json("[]"))
    #expect(report.status == .ok)
  }

  @Test func `an input that could not start, or was skipped, makes room for the next`() throws {
    var sketch = Sketch()
    let off = sketch.input("off")
    let bad = sketch.request("bad")
    let a = sketch.request("a", [bad])
    let b = sketch.request("b", [], NodeOptions(when: When(.value(of: off))))
    let c = sketch.request("c", [bad])
    let d = sketch.request("d")
    sketch.returns(sketch.fallback("item", [a, b, c, d].map { .value(of: $0) }))
    let world = World(sketch, ["bad": .fail("no", after: .seconds(1))])
    world.inputs[off] = json("false")
    let report = try world.run()
    #expect(report.result == Value("d"))
    #expect(report.summary == "off=ok bad=failed a=blocked<bad b=skipped c=blocked<bad d=ok item=ok")
  }

  @Test func `an input that fails before its turn does not bring the next one forward`() throws {
    var sketch = Sketch()
    let bad = sketch.request("bad")
    let a = sketch.request("a")
    let b = sketch.request("b", [bad])
    let c = sketch.request("c")
    sketch.returns(sketch.fallback("item", [a, b, c].map { .value(of: $0) }))
    let world = World(sketch, ["bad": no, "a": .answer(json("1"), after: .seconds(3))])
    let report = try world.run()
    #expect(world.fakes.started == ["bad", "a"])
    #expect(report.result == json("1"))
    #expect(report.summary == "bad=failed a=ok b=skipped c=skipped item=ok")
  }

  @Test func `inputs may stand in another order than they were declared in`() throws {
    var sketch = Sketch()
    let b = sketch.request("b")
    let a = sketch.request("a")
    sketch.returns(sketch.fallback("item", [.value(of: a), .value(of: b)]))
    let world = World(sketch, ["a": no])
    let report = try world.run()
    #expect(world.fakes.started == ["a", "b"])
    #expect(report.result == Value("b"))
  }

  @Test func `when all its inputs were skipped, so is it`() throws {
    var sketch = Sketch()
    let off = sketch.input("off")
    let options = NodeOptions(when: When(.value(of: off)))
    let inputs = ["a", "b"].map { TideGraph.Expression.value(of: sketch.request($0, [], options)) }
    _ = sketch.fallback("item", inputs)
    let world = World(sketch)
    world.inputs[off] = .null
    #expect(try world.run().summary == "off=ok a=skipped b=skipped item=skipped")
  }

  @Test func `a fallback that is blocked spares what it has not tried`() throws {
    var sketch = Sketch()
    let bad = sketch.request("bad")
    let a = sketch.request("a")
    let b = sketch.request("b")
    _ = sketch.fallback("item", [.value(of: a), .value(of: b)], NodeOptions(needs: [bad]))
    let world = World(sketch, ["bad": no, "a": .fail("no", after: .seconds(1))])
    let report = try world.run()
    #expect(report.summary == "bad=failed a=failed b=skipped item=blocked<bad")
    #expect(world.fakes.started == ["bad", "a"])
  }

  @Test func `cancelling cancels those that wait for their turn`() throws {
    var sketch = Sketch()
    let inputs = ["a", "b"].map { TideGraph.Expression.value(of: sketch.request($0)) }
    _ = sketch.fallback("item", inputs)
    let world = World(sketch, ["a": .hold])
    let run = world.start()
    try world.executor.runUntilIdle()
    run.cancel()
    #expect(try world.finish(run).summary == "a=cancelled b=cancelled item=cancelled")
    #expect(world.fakes.started == ["a"])
  }
}
