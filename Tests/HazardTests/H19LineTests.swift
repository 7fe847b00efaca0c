import Testing
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// Lines: a full one that holds up the others, and wide permits that are held while a narrow one is missing.
@Suite struct H19LineTests {
  private func holding(_ names: [String]) -> [String: Act] {
    Dictionary(uniqueKeysWithValues: names.map { ($0, Act.hold) })
  }

  /// Runs until nothing goes on by itself, and looks who has started; then lets what is held end.
  private func started(_ sketch: Sketch, held: [String], _ change: (World) -> Void = { _ in }) throws -> Set<String> {
    let world = World(sketch, holding(held))
    change(world)
    let run = world.start()
    try world.executor.runUntilIdle()
    let started = Set(world.fakes.started)
    #expect(run.completion.result == nil, "something is held")
    while run.completion.result == nil {
      let open = held.filter { world.fakes.isHeld($0) }
      try #require(!open.isEmpty, "the run hangs")
      for name in open { world.fakes.settle(name, .success(.null)) }
      try world.executor.runUntilIdle()
    }
    let report = try world.finish(run)
    #expect(report.permitsAreWhole)
    #expect(report.status == .ok)
    return started
  }

  @Test func `H19 a full queue keeps nobody else from starting`() throws {
    var sketch = Sketch()
    let full = sketch.queue("full", width: 1)
    let free = sketch.queue("free", width: 1)
    let held = (0..<5).map { "full\($0)" }
    for name in held { _ = sketch.step(name, [], NodeOptions(queue: full)) }
    _ = sketch.step("free", [], NodeOptions(queue: free))
    _ = sketch.request("request")
    _ = sketch.step("step")
    #expect(try started(sketch, held: held) == ["full0", "free", "request", "step"])
  }

  @Test func `H19 a host that takes no more keeps nobody from another, in a queue and without one`() throws {
    for hasQueue in [true, false] {
      var sketch = Sketch()
      let options = hasQueue ? NodeOptions(queue: sketch.queue(width: 2, isPerHost: true)) : nil
      let held = (0..<6).map { "a\($0)" }
      for name in held { _ = sketch.request(name, [], options, host: "a.test") }
      for index in 0..<2 { _ = sketch.request("b\(index)", [], options, host: "b.test") }
      let started = try started(sketch, held: held) { $0.configuration.maximumRequestsToOrigin = 2 }
      #expect(started == ["a0", "a1", "b0", "b1"])
    }
  }

  @Test func `H19 a queue that waits for its rate keeps nobody else from starting`() throws {
    var sketch = Sketch()
    let slow = sketch.queue("slow", rate: Queue.Rate(interval: .seconds(60), burst: 1))
    for index in 0..<3 { _ = sketch.step("slow\(index)", [], NodeOptions(queue: slow)) }
    _ = sketch.step("step")
    let world = World(sketch)
    let run = world.start()
    try world.executor.run(for: .seconds(1))
    #expect(Set(world.fakes.started) == ["slow0", "step"])
    #expect(try world.finish(run).status == .ok)
  }

  @Test func `H20 who waits for a slot of its host holds none of all the slots`() throws {
    var sketch = Sketch()
    // Nine that wait for a.test would hold the rest of the ten if they took a slot of all first.
    let held = (0..<10).map { "a\($0)" }
    for name in held { _ = sketch.request(name, [], nil, host: "a.test") }
    for index in 0..<9 { _ = sketch.request("b\(index)", [], nil, host: "b\(index).test") }
    let started = try started(sketch, held: held) {
      $0.configuration.maximumRequests = 10
      $0.configuration.maximumRequestsToOrigin = 1
    }
    #expect(started == Set(["a0"] + (0..<9).map { "b\($0)" }))
  }
}
