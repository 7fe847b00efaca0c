import Testing
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// `always`: what runs after all else, however that went.
@Suite struct CleanupTests {
  private let always = NodeOptions(isAlways: true)

  @Test func `cleanup starts when every ordinary node has ended`() throws {
    var sketch = Sketch()
    _ = sketch.step("tidy", [], always)
    for name in ["a", "b"] { _ = sketch.step(name) }
    let world = World(
      sketch, ["a": .answer(.null, after: .seconds(1)), "b": .fail("no", after: .seconds(3))])
    let report = try world.run()
    #expect(world.fakes.started == ["a", "b", "tidy"])
    #expect(report.summary == "tidy=ok a=ok b=failed")
    #expect(report.elapsed == .seconds(3))
    #expect(report.status == .failed)
  }

  @Test func `cleanup runs in a plan of nothing else`() throws {
    var sketch = Sketch()
    let first = sketch.step("first", [], always)
    _ = sketch.step("second", [first], always)
    #expect(try World(sketch).run().summary == "first=ok second=ok")
  }

  @Test func `cleanup runs when the run is cancelled, and uses what there is`() throws {
    var sketch = Sketch()
    let made = sketch.step("made")
    let slow = sketch.step("slow")
    _ = sketch.step("remove", [made], always)
    _ = sketch.step("finish", [slow], always)
    _ = sketch.step("tell", [], NodeOptions(after: [slow], isAlways: true))
    let world = World(sketch, ["slow": .hold])
    let run = world.start()
    try world.executor.runUntilIdle()
    run.cancel()
    let report = try world.finish(run)
    #expect(report.summary == "made=ok slow=cancelled remove=ok finish=cancelled tell=ok")
    #expect(report.status == .cancelled)
  }

  @Test func `cleanup runs when the run is out of time, and has a limit of its own`() throws {
    var sketch = Sketch()
    _ = sketch.step("slow")
    let tidy = sketch.step("tidy", [], always)
    let brief = sketch.step("brief", [], NodeOptions(deadline: .seconds(2), isAlways: true))
    let world = World(sketch, ["slow": .hold, "tidy": .hold, "brief": .hold])
    world.configuration.timeout = .seconds(5)
    let report = try world.run()
    #expect(report.summary == "slow=cancelled tidy=failed brief=failed")
    #expect(report.elapsed == .seconds(35))
    #expect(
      report.failure(of: tidy)?.message.hasPrefix("did not end within 30s, the limit of an 'always' node") == true)
    #expect(report.failure(of: brief)?.message == "did not end within 2s, its 'deadline'")
    #expect(report.status == .failed)
  }

  @Test func `cleanup that fails makes the run partial, and no worse`() throws {
    var sketch = Sketch()
    sketch.returns(sketch.step("a"))
    let tidy = sketch.step("tidy", [], always)
    _ = sketch.step("next", [tidy], always)
    let report = try World(sketch, ["tidy": .fail("no")]).run()
    #expect(report.status == .partial)
    #expect(report.names(report.verdict.failedCleanup) == ["tidy"])
    #expect(report.verdict.unhandled.isEmpty)
    #expect(report.result == Value("a"))
  }

  @Test func `cleanup that a failure blocks takes nothing from how that failure was handled`() throws {
    var sketch = Sketch()
    let a = sketch.request("a")
    let b = sketch.request("b")
    sketch.returns(sketch.barrier("both", [a, b], wait: .settled))
    _ = sketch.step("tidy", [a], always)
    let report = try World(sketch, ["a": .fail("no")]).run()
    #expect(report.summary == "a=failed b=ok both=ok tidy=blocked<a")
    #expect(report.status == .partial)
    #expect(report.names(report.verdict.missing) == ["a"])
    #expect(report.verdict.failedCleanup.isEmpty)
  }

  @Test func `a second cancel by whoever runs it ends without cleanup`() throws {
    var sketch = Sketch()
    _ = sketch.step("slow")
    _ = sketch.step("tidy", [], always)
    let world = World(sketch, ["slow": .hold, "tidy": .hold])
    let run = world.start()
    try world.executor.runUntilIdle()
    run.cancel()
    run.cancel()
    try world.executor.run(for: .seconds(1))
    #expect(run.completion.result == nil)
    run.cancelAtOnce()
    let report = try world.finish(run)
    #expect(report.summary == "slow=cancelled tidy=cancelled")
    #expect(world.fakes.aborted == ["slow", "tidy"])
  }

  @Test func `a run that is cancelled before it has begun cleans up with what it was given`() throws {
    var sketch = Sketch()
    let name = sketch.input("name")
    let slow = sketch.step("slow", [name])
    _ = sketch.step("tidy", [name], always)
    let world = World(sketch)
    world.inputs[name] = json("7")
    let run = world.start()
    run.cancel()
    let report = try world.finish(run)
    #expect(report.summary == "name=ok slow=cancelled tidy=ok")
    #expect(report.ending(of: slow).outcome == .cancelled)
    #expect(world.fakes.arguments(of: "tidy") == [json("7")])
  }
}
