import Testing
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// Queues and limits: who may start, and in which order.
@Suite struct QueueTests {
  @Test func `a queue of width 1 runs its nodes one after the other, in declared order`() throws {
    var sketch = Sketch()
    let line = sketch.queue(width: 1)
    let names = (0..<9).map { "\($0)" }
    for name in names { _ = sketch.step(name, [], NodeOptions(queue: line)) }
    for seed in 0..<20 {
      let world = World(sketch, choices: SeededChoices(seed: UInt64(seed)), lanes: .chosen)
      _ = try world.run()
      #expect(world.fakes.started == names)
      #expect(world.fakes.most == 1)
    }
  }

  @Test(arguments: [2, 3, 8]) func `a queue of width n never runs more than n`(_ width: Int) throws {
    var sketch = Sketch()
    let line = sketch.queue(width: width)
    for index in 0..<40 { _ = sketch.request("\(index)", [], NodeOptions(queue: line)) }
    for seed in 0..<20 {
      let world = World(sketch, choices: SeededChoices(seed: UInt64(seed)), lanes: .chosen)
      _ = try world.run()
      #expect(world.fakes.most == width)
    }
  }

  @Test func `among those that are ready the one declared first goes`() throws {
    var sketch = Sketch()
    let line = sketch.queue(width: 1)
    let slow = sketch.step("slow")
    let first = sketch.step("first", [slow], NodeOptions(queue: line))
    let busy = sketch.step("busy", [], NodeOptions(queue: line))
    for name in ["x", "y"] { _ = sketch.step(name, [], NodeOptions(queue: line)) }
    sketch.returns(sketch.barrier("all", [first, busy]))
    let world = World(sketch, ["slow": .answer(.null, after: .seconds(1)), "busy": .answer(.null, after: .seconds(2))])
    _ = try world.run()
    #expect(world.fakes.started == ["slow", "busy", "first", "x", "y"])
  }

  @Test func `a node that is not ready holds nobody up`() throws {
    var sketch = Sketch()
    let line = sketch.queue(width: 1)
    let slow = sketch.step("slow")
    _ = sketch.step("first", [slow], NodeOptions(queue: line))
    _ = sketch.step("second", [], NodeOptions(queue: line))
    let world = World(sketch, ["slow": .answer(.null, after: .seconds(1))])
    _ = try world.run()
    #expect(world.fakes.started == ["slow", "second", "first"])
  }

  @Test func `a full queue keeps nobody of another waiting`() throws {
    var sketch = Sketch()
    let full = sketch.queue("full", width: 1)
    let free = sketch.queue("free", width: 1)
    for name in ["a", "b"] { _ = sketch.step(name, [], NodeOptions(queue: full)) }
    _ = sketch.step("c", [], NodeOptions(queue: free))
    _ = sketch.step("d")
    let world = World(sketch, ["a": .hold])
    let run = world.start()
    try world.executor.runUntilIdle()
    #expect(Set(world.fakes.started) == ["a", "c", "d"])
    world.fakes.settle("a", .success(.null))
    #expect(try world.finish(run).status == .ok)
  }

  @Test func `inline nodes pass through a queue`() throws {
    var sketch = Sketch()
    let line = sketch.queue(width: 1)
    for index in 0..<1000 { _ = sketch.barrier("\(index)", [], NodeOptions(queue: line)) }
    #expect(try World(sketch).run().status == .ok)
  }

  @Test func `a queue of width 0 starts nothing, and a deadline ends the wait`() throws {
    var sketch = Sketch()
    let line = sketch.queue(width: 0)
    let a = sketch.step("a", [], NodeOptions(deadline: .seconds(3), queue: line))
    let report = try World(sketch).run()
    #expect(report.failure(of: a)?.message == "did not end within 3s, its 'deadline'")
  }

  @Test func `if not said, 16 requests run at once to an origin, and 64 in all`() throws {
    var one = Sketch()
    for index in 0..<50 { _ = one.request("\(index)") }
    let toOne = World(one)
    _ = try toOne.run()
    #expect(toOne.fakes.most == 16)

    var many = Sketch()
    for index in 0..<200 { _ = many.request("\(index)", host: "h\(index % 20).test") }
    let toMany = World(many)
    _ = try toMany.run()
    #expect(toMany.fakes.most == 64)
    #expect(Array(toMany.fakes.started.prefix(64)) == (0..<64).map { "\($0)" })
  }

  @Test func `an origin that is full holds no place among all requests`() throws {
    var sketch = Sketch()
    for index in 0..<100 { _ = sketch.request("slow\(index)", host: "slow.test") }
    for index in 0..<48 { _ = sketch.request("fast\(index)", host: "fast\(index % 4).test") }
    var acts: [String: Act] = [:]
    for index in 0..<100 { acts["slow\(index)"] = .answer(.null, after: .seconds(60)) }
    let world = World(sketch, acts)
    let run = world.start()
    try world.executor.run(for: .seconds(1))
    #expect(world.fakes.started.filter { $0.hasPrefix("slow") }.count == 16)
    #expect(world.fakes.started.filter { $0.hasPrefix("fast") }.count == 48)
    #expect(try world.finish(run).status == .ok)
  }

  @Test func `origins differ by scheme, host and port, and not by case`() throws {
    var sketch = Sketch()
    for index in 0..<20 { _ = sketch.request("\(index)", host: index % 2 == 0 ? "a.test" : "A.test") }
    for index in 20..<40 { _ = sketch.request("\(index)", host: "a.test:81") }
    let world = World(sketch)
    _ = try world.run()
    #expect(world.fakes.most == 32)
  }

  @Test func `a request with a queue of its own is not counted among the others`() throws {
    var sketch = Sketch()
    let line = sketch.queue(width: 100)
    for index in 0..<100 { _ = sketch.request("\(index)", [], NodeOptions(queue: line)) }
    let world = World(sketch)
    _ = try world.run()
    #expect(world.fakes.most == 100)
  }

  @Test func `merges and sorts work at most as many at once as there are jobs`() throws {
    var sketch = Sketch()
    for index in 0..<10 { _ = sketch.merge("\(index)", []) }
    let world = World(sketch)
    world.configuration.jobs = 3
    let run = world.start()
    var most = 0
    while world.executor.step() { most = max(most, world.executor.readyJobs) }
    #expect(most == 3)
    #expect(run.completion.result?.status == .ok)
  }

  @Test(arguments: ["fail", "drop", "deadline", "skip"])
  func `a permit comes back on every way out`(_ way: String) throws {
    var sketch = Sketch()
    let line = sketch.queue(width: 1)
    let no = sketch.input("no")
    let options = NodeOptions(
      when: way == "skip" ? When(.value(of: no)) : nil, deadline: way == "deadline" ? .seconds(1) : nil, queue: line)
    _ = sketch.request("a", [], options)
    _ = sketch.request("b", [], NodeOptions(queue: line))
    let act: Act = way == "fail" ? .fail("no") : way == "drop" ? .drop : .hold
    let world = World(sketch, ["a": act])
    let run = world.start()
    try world.executor.runUntilIdle()
    #expect(world.fakes.started.last == "b")
    #expect(try world.finish(run).summary.hasSuffix("b=ok"))
  }
}
