import Testing
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// Nodes that wait for the outside, and nodes that wait for time.
@Suite struct SignalTests {
  @Test func `a signal node ends when it was signalled often enough, with the last value`() throws {
    var sketch = Sketch()
    sketch.returns(sketch.signal("approved", count: 2))
    let world = World(sketch)
    let run = world.start()
    try world.executor.runUntilIdle()
    #expect(run.signals == ["approved"])
    #expect(run.signal("approved", json("1")))
    try world.executor.runUntilIdle()
    #expect(run.completion.result == nil)
    #expect(run.signal("approved", json("2")))
    #expect(try world.finish(run).result == json("2"))
    #expect(!run.signal("approvd"))
  }

  @Test func `a signal that comes before the node is ready counts`() throws {
    var sketch = Sketch()
    let slow = sketch.step("slow")
    let approved = sketch.signal("approved", NodeOptions(after: [slow]))
    _ = sketch.step("deploy", [approved])
    let world = World(sketch, ["slow": .answer(.null, after: .seconds(5))])
    let run = world.start()
    run.signal("approved")
    let report = try world.finish(run)
    #expect(report.summary == "slow=ok approved=ok deploy=ok")
    #expect(report.elapsed == .seconds(5))
  }

  @Test func `when no signal can come any more, whoever waits for one has failed`() throws {
    var sketch = Sketch()
    let slow = sketch.step("slow")
    _ = sketch.signal("now", count: 3)
    let later = sketch.signal("later", NodeOptions(after: [slow]))
    let world = World(sketch, ["slow": .answer(.null, after: .seconds(5))])
    let run = world.start()
    run.signal("now")
    run.endSignals()
    let report = try world.finish(run)
    #expect(report.summary == "slow=ok now=failed later=failed")
    #expect(
      report.failure(of: NodeID(1))?.message == "was signalled 1 of 3 times, and no signal can come any more")
    #expect(report.failure(of: later)?.kind == .signal)
  }

  @Test func `a signal has a deadline as any other node`() throws {
    var sketch = Sketch()
    _ = sketch.signal("approved", NodeOptions(deadline: .seconds(60), otherwise: json("false")))
    let report = try World(sketch).run()
    #expect(report.summary == "approved=ok+")
    #expect(report.elapsed == .seconds(60))
  }

  @Test func `a sleep takes its time, and no more`() throws {
    var sketch = Sketch()
    let nap = sketch.sleep("nap", 2.5)
    _ = sketch.sleep("more", 0.5, NodeOptions(after: [nap]))
    let report = try World(sketch).run()
    #expect(report.summary == "nap=ok more=ok")
    #expect(report.elapsed == .seconds(3))
    #expect(report.value(of: nap) == .null)
  }

  @Test func `how long to sleep may be known only while it runs`() throws {
    for (value, outcome, elapsed) in [
      (json("3"), "ok", 3), (json("\"2m\""), "ok", 120), (json("-1"), "failed", 0), (json("[]"), "failed", 0),
    ] {
      var sketch = Sketch()
      let length = sketch.input("length")
      _ = sketch.add("nap", .sleep(.value(of: length)))
      let world = World(sketch)
      world.inputs[length] = value
      let report = try world.run()
      #expect(report.summary == "length=ok nap=\(outcome)")
      #expect(report.elapsed == .seconds(elapsed))
    }
  }

  @Test func `cancelling ends a sleep`() throws {
    var sketch = Sketch()
    _ = sketch.sleep("nap", 1000)
    let world = World(sketch)
    let run = world.start()
    try world.executor.run(for: .seconds(1))
    run.cancel()
    #expect(try world.finish(run).elapsed == .seconds(1))
  }
}
