import Testing
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// `cancel_rest`: what is still going on when a join is decided.
@Suite struct LoserTests {
  private func late(_ seconds: Int) -> Act { .answer(Value(seconds), after: .seconds(seconds)) }

  @Test func `the losers of a race are stopped when it is decided`() throws {
    var sketch = Sketch()
    let requests = ["a", "b", "c"].map { sketch.request($0) }
    sketch.returns(sketch.barrier("first", requests, wait: .atLeast(1), cancelsRest: true))
    let world = World(sketch, ["a": late(3), "b": late(1), "c": late(2)])
    let report = try world.run()
    #expect(report.summary == "a=cancelled b=ok c=cancelled first=ok")
    #expect(report.result == json("[null,1,null]"))
    #expect(report.status == .ok)
    #expect(world.fakes.aborted == ["a", "c"])
    #expect(report.permitsAreWhole)
  }

  @Test func `a join that can't open any more stops the rest, too`() throws {
    var sketch = Sketch()
    let requests = ["a", "b"].map { sketch.request($0) }
    _ = sketch.barrier("both", requests, cancelsRest: true)
    let world = World(sketch, ["a": .fail("no", after: .seconds(1)), "b": late(9)])
    let report = try world.run()
    #expect(report.summary == "a=failed b=cancelled both=blocked<a")
    #expect(report.elapsed == .seconds(1))
    #expect(world.fakes.aborted == ["b"])
  }

  @Test func `without it the losers go on`() throws {
    var sketch = Sketch()
    let requests = ["a", "b"].map { sketch.request($0) }
    _ = sketch.barrier("first", requests, wait: .atLeast(1))
    let world = World(sketch, ["a": late(3), "b": late(1)])
    #expect(try world.run().summary == "a=ok b=ok first=ok")
    #expect(world.fakes.aborted.isEmpty)
  }

  @Test func `what something else uses is spared, and what only leads to a loser is not`() throws {
    var sketch = Sketch()
    let shared = sketch.request("shared")
    let source = sketch.request("source")
    let derived = sketch.step("derived", [source, shared])
    let fast = sketch.request("fast")
    let used = sketch.request("used")
    let race = sketch.barrier("race", [derived, fast, used], wait: .atLeast(1), cancelsRest: true)
    let other = sketch.step("other", [shared])
    sketch.result = .list([
      .expression(.value(of: race)), .expression(.value(of: used)), .expression(.value(of: other)),
    ])
    let world = World(
      sketch, ["shared": late(5), "source": late(5), "fast": late(1), "used": late(4)])
    let report = try world.run()
    #expect(
      report.summary == "shared=ok source=cancelled derived=cancelled fast=ok used=ok race=ok other=ok")
    #expect(world.fakes.aborted == ["source"])
  }
}
