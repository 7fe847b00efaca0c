import Testing
import TideBarrier
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// Queues that let so many go in a time, each host by itself, or nobody while a host is ill.
@Suite struct RateTests {
  private let reset = Act.refuse(Failure(.reset, "broke"))

  private func once(_ wait: Duration) -> Retry {
    var retry = Retry(times: 1)
    retry.wait = wait
    retry.hasJitter = false
    return retry
  }

  /// When each attempt began.
  private func attempts(_ world: World) -> [Duration] {
    world.recorder.events.compactMap { if case .attemptStarted = $0.kind { $0.time } else { nil } }
  }

  @Test func `a rate lets one go after the other, evenly`() throws {
    var sketch = Sketch()
    let line = sketch.queue(rate: Queue.Rate(interval: .milliseconds(100)))
    for name in 0..<5 { _ = sketch.request("\(name)", [], NodeOptions(queue: line)) }
    let world = World(sketch)
    let report = try world.run()
    #expect(attempts(world) == [0, 100, 200, 300, 400].map { .milliseconds($0) })
    #expect(world.fakes.started == ["0", "1", "2", "3", "4"])
    #expect(report.permitsAreWhole)
  }

  @Test func `a burst goes at once, and grows again while nobody comes`() throws {
    var sketch = Sketch()
    let line = sketch.queue(rate: Queue.Rate(interval: .seconds(1), burst: 3))
    for name in 0..<5 { _ = sketch.request("\(name)", [], NodeOptions(queue: line)) }
    let pause = sketch.sleep("pause", 60)
    for name in 5..<9 { _ = sketch.request("\(name)", [], NodeOptions(after: [pause], queue: line)) }
    let world = World(sketch)
    _ = try world.run()
    #expect(attempts(world) == [0, 0, 0, 1, 2, 60, 60, 60, 61].map { .seconds($0) })
  }

  @Test func `every attempt takes a token, and the node declared first is served first`() throws {
    var sketch = Sketch()
    let line = sketch.queue(rate: Queue.Rate(interval: .seconds(1)))
    _ = sketch.request("a", [], NodeOptions(retry: once(.milliseconds(1500)), queue: line))
    for name in ["b", "c", "d"] { _ = sketch.request(name, [], NodeOptions(queue: line)) }
    let world = World(sketch, ["a": .inTurn([reset, .answer(.null)])])
    _ = try world.run()
    #expect(world.fakes.started == ["a", "b", "a", "c", "d"])
    #expect(attempts(world) == [0, 1, 2, 3, 4].map { .seconds($0) })
  }

  @Test func `a queue that is per host has a width for each`() throws {
    var sketch = Sketch()
    let line = sketch.queue(width: 1, isPerHost: true)
    for name in 0..<3 {
      _ = sketch.request("x\(name)", [], NodeOptions(queue: line), host: "x.test")
      _ = sketch.request("y\(name)", [], NodeOptions(queue: line), host: "y.test")
    }
    let acts = Dictionary(
      uniqueKeysWithValues: (0..<3).flatMap { index in
        ["x", "y"].map { ("\($0)\(index)", Act.answer(.null, after: .seconds(1))) }
      })
    let world = World(sketch, acts)
    let report = try world.run()
    #expect(report.elapsed == .seconds(3))
    #expect(world.fakes.most == 2)
    #expect(world.fakes.started.filter { $0.hasPrefix("x") } == ["x0", "x1", "x2"])
    #expect(world.fakes.started.filter { $0.hasPrefix("y") } == ["y0", "y1", "y2"])
  }

  @Test func `after so many failures in a row nothing is sent to a host, until it has rested`() throws {
    var sketch = Sketch()
    let line = sketch.queue(width: 1, trip: Queue.Trip(after: 2, rest: .seconds(10)))
    var last: NodeID?
    for name in 0..<4 { last = sketch.request("\(name)", [], NodeOptions(after: last.map { [$0] } ?? [], queue: line)) }
    let other = sketch.request(
      "other", [], NodeOptions(after: last.map { [$0] } ?? [], queue: line), host: "other.test")
    let pause = sketch.sleep("pause", 10, NodeOptions(after: [other]))
    let tried = sketch.request("tried", [], NodeOptions(after: [pause], queue: line))
    _ = sketch.request("after", [], NodeOptions(after: [tried], queue: line))
    let world = World(sketch, ["0": reset, "1": .respond(503, "")])
    let report = try world.run()
    #expect(world.fakes.started == ["0", "1", "other", "tried", "after"])
    #expect(report.failure(of: NodeID(2))?.kind == .tripped)
    #expect(
      report.failure(of: NodeID(2))?.message
        == "not sent: http://api.test failed 2 times in a row, and the queue 'line' rests 10s more")
    #expect(report.summary.hasSuffix("3=failed other=ok pause=ok tried=ok after=ok"))
  }

  @Test func `a trial that fails makes it rest once more, and refusals are no failures of the host`() throws {
    var sketch = Sketch()
    let line = sketch.queue(width: 1, trip: Queue.Trip(after: 1, rest: .seconds(10)))
    let first = sketch.request("first", [], NodeOptions(queue: line))
    let pause = sketch.sleep("pause", 10, NodeOptions(after: [first]))
    let trial = sketch.request("trial", [], NodeOptions(after: [pause], queue: line))
    let refused = sketch.request("refused", [], NodeOptions(after: [trial], queue: line))
    let more = sketch.sleep("more", 10, NodeOptions(after: [refused]))
    _ = sketch.request("last", [], NodeOptions(after: [more], queue: line))
    let world = World(sketch, ["first": reset, "trial": reset])
    let report = try world.run()
    #expect(report.failure(of: refused)?.kind == .tripped)
    #expect(world.fakes.started == ["first", "trial", "last"])
  }

  @Test func `a retry waits until the host has rested`() throws {
    var sketch = Sketch()
    let line = sketch.queue(width: 1, trip: Queue.Trip(after: 1, rest: .seconds(10)))
    sketch.returns(sketch.request("a", [], NodeOptions(retry: once(.seconds(1)), queue: line)))
    let b = sketch.request("b", [], NodeOptions(retry: once(.seconds(1)), queue: line))
    let world = World(sketch, ["a": .inTurn([reset, .answer(json("1"))])])
    let report = try world.run()
    #expect(report.failure(of: NodeID(0))?.kind == .tripped)
    #expect(report.value(of: b) == Value("b"))
    #expect(report.elapsed == .seconds(10))
  }

  @Test func `a hundred thousand nodes behind a width of 4 all run`() throws {
    var sketch = Sketch()
    let line = sketch.queue(width: 4)
    for name in 0..<100_000 { _ = sketch.step("\(name)", [], NodeOptions(queue: line)) }
    let world = World(sketch)
    world.configuration.sinks = []
    let report = try world.run()
    #expect(report.status == .ok)
    #expect(world.fakes.most == 4)
    #expect(world.fakes.started.count == 100_000)
    #expect(report.permitsAreWhole)
  }
}
