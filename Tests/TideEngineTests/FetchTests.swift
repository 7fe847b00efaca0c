import Testing
import TideBarrier
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// Requests that a step makes while it runs: they get what a request node gets.
@Suite struct FetchTests {
  private func fetch(_ url: String, _ options: [Argument.Entry] = []) throws -> Fetch {
    try Fetch(options: [Argument.Entry(key: "GET", value: .value(Value(url)))] + options, isExtra: false)
  }

  private func option(_ key: String, _ value: Argument) -> Argument.Entry { Argument.Entry(key: key, value: value) }

  @Test func `a step gets the value of what it fetches`() throws {
    var sketch = Sketch()
    sketch.returns(sketch.step("a"))
    let world = World(
      sketch, ["a": .fetch(try fetch("http://api.test/b")), "b": .answer(json("[1]"), after: .seconds(2))])
    let report = try world.run()
    #expect(report.result == json("[1]"))
    #expect(report.elapsed == .seconds(2))
    #expect(report.permitsAreWhole)
  }

  @Test func `what it fetches is retried, limited in time, and fails as a request does`() throws {
    let reset = Act.refuse(Failure(.reset, "broke"))
    var sketch = Sketch()
    let a = sketch.step("a")
    let retried = try fetch("http://api.test/b", [option("retry", .value(json("2")))])
    var world = World(sketch, ["a": .fetch(retried), "b": .inTurn([reset, reset, .answer(json("5"))])])
    #expect(try world.run().value(of: a) == json("5"))
    #expect(world.fakes.requests(of: "b").count == 3)

    let limited = try fetch("http://api.test/b", [option("deadline", .value(Value("3s")))])
    world = World(sketch, ["a": .fetch(limited), "b": .hold])
    let report = try world.run()
    #expect(report.failure(of: a)?.kind == .timeout)
    #expect(report.elapsed == .seconds(3))
    #expect(world.fakes.aborted == ["b"])
  }

  @Test func `what it fetches is stopped when the step is`() throws {
    var sketch = Sketch()
    _ = sketch.step("a", [], NodeOptions(timeout: .seconds(1)))
    let world = World(sketch, ["a": .fetch(try fetch("http://api.test/b")), "b": .hold])
    let report = try world.run()
    #expect(report.summary == "a=failed")
    #expect(world.fakes.aborted.contains("b"))
    #expect(report.permitsAreWhole)
    #expect(world.executor.closedBarriers == 0)
  }

  @Test func `what steps fetch stands in line with everything else, each behind its step`() throws {
    var sketch = Sketch()
    let line = sketch.queue(width: 1)
    var acts: [String: Act] = [:]
    for name in 0..<4 {
      _ = sketch.step("s\(name)")
      acts["s\(name)"] = .fetch(try fetch("http://api.test/f\(name)", [option("queue", .queue(line))]))
      _ = sketch.request("r\(name)", [], NodeOptions(queue: line))
    }
    let world = World(sketch, acts)
    let report = try world.run()
    #expect(report.status == .ok)
    #expect(report.permitsAreWhole)
    #expect(world.fakes.requests(of: "f3").count == 1)
  }

  @Test func `H21 a step that holds a queue's permit can't ask for another one inside`() throws {
    var sketch = Sketch()
    let line = sketch.queue(width: 2)
    let a = sketch.step("a", [], NodeOptions(queue: line))
    let world = World(sketch, ["a": .fetch(try fetch("http://api.test/b", [option("queue", .queue(line))]))])
    let report = try world.run()
    #expect(report.failure(of: a)?.kind == .queue)
    #expect(
      report.failure(of: a)?.message
        == "the step holds a permit of the queue 'line', and asks for another one inside")
    #expect(world.fakes.requests(of: "b").isEmpty)
  }

  @Test func `steps whose requests wait for each other's queues are told, and the run goes on`() throws {
    var sketch = Sketch()
    let x = sketch.queue("x", width: 1)
    let y = sketch.queue("y", width: 1)
    let a = sketch.step("a", [], NodeOptions(queue: x))
    let b = sketch.step("b", [], NodeOptions(queue: y))
    let world = World(
      sketch,
      [
        "a": .fetch(try fetch("http://api.test/fa", [option("queue", .queue(y))])),
        "b": .fetch(try fetch("http://api.test/fb", [option("queue", .queue(x))])),
      ])
    let report = try world.run()
    let failures = [a, b].compactMap { report.failure(of: $0) }
    #expect(failures.map(\.kind) == [.queue])
    #expect(failures.first?.message.contains("that will never be free") == true)
    #expect([a, b].count { report.ending(of: $0).outcome == .ok } == 1)
    #expect(report.permitsAreWhole)
  }

  @Test func `a step that waits behind another one's request is no circle`() throws {
    var sketch = Sketch()
    let x = sketch.queue("x", width: 1)
    let y = sketch.queue("y", width: 1)
    _ = sketch.step("a", [], NodeOptions(queue: x))
    _ = sketch.step("b", [], NodeOptions(queue: x))
    _ = sketch.request("c", [], NodeOptions(queue: y))
    let world = World(
      sketch,
      [
        "a": .fetch(try fetch("http://api.test/fa", [option("queue", .queue(y))])),
        "b": .fetch(try fetch("http://api.test/fb", [option("queue", .queue(y))])),
        "c": .answer(.null, after: .seconds(3)),
      ])
    #expect(try world.run().summary == "a=ok b=ok c=ok")
  }
}
