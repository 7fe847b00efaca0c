import Testing
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// Attempts: which failures are followed by another, and when.
@Suite struct RetryTests {
  private func retry(_ times: Int, wait: Duration = .seconds(1), factor: Double = 2, jitter: Bool = false) -> Retry {
    var retry = Retry(times: times)
    retry.wait = wait
    retry.factor = factor
    retry.hasJitter = jitter
    return retry
  }

  private let reset = Act.refuse(Failure(.reset, "the connection broke"))

  @Test func `an attempt that failed is followed by others, each after a longer wait`() throws {
    var sketch = Sketch()
    let a = sketch.request("a", [], NodeOptions(retry: retry(3)))
    sketch.returns(a)
    let world = World(sketch, ["a": .inTurn([reset, .respond(503, ""), reset, .answer(json("7"))])])
    let report = try world.run()
    #expect(report.result == json("7"))
    #expect(report.status == .ok)
    #expect(report.elapsed == .seconds(1 + 2 + 4))
    #expect(
      world.lines == [
        "run started", "a started", "a attempt 1", "a attempt 1 reset", "a attempt 2", "a attempt 2 status",
        "a attempt 3", "a attempt 3 reset", "a attempt 4", "a attempt 4 ok", "a ok", "run ok",
      ])
  }

  @Test func `after the last attempt the node has failed, with the last failure and how often it tried`() throws {
    var sketch = Sketch()
    let a = sketch.request("a", [], NodeOptions(retry: retry(2)))
    sketch.result = .expression(.question(.error, a))
    let world = World(sketch, ["a": .inTurn([reset, reset, .respond(503, "{}")])])
    let report = try world.run()
    #expect(report.failure(of: a)?.attempts == 3)
    #expect(report.result?["kind"] == Value("status"))
    #expect(report.result?["attempts"] == json("3"))
    #expect(world.fakes.requests(of: "a").count == 3)
  }

  @Test func `a wait is never longer than its maximum`() throws {
    var policy = retry(5)
    policy.maximum = .seconds(3)
    var sketch = Sketch()
    _ = sketch.request("a", [], NodeOptions(retry: policy))
    let report = try World(sketch, ["a": reset]).run()
    #expect(report.elapsed == .seconds(1 + 2 + 3 + 3 + 3))
  }

  @Test func `jitter draws every wait between nothing and its length, by the run's seed`() throws {
    var sketch = Sketch()
    _ = sketch.request("a", [], NodeOptions(retry: retry(40, factor: 1, jitter: true)))
    func elapsed(_ seed: UInt64) throws -> Double {
      let world = World(sketch, ["a": reset])
      world.configuration.seed = seed
      return try world.run().elapsed.milliseconds / 1000
    }
    let lengths = try (0..<20).map { try elapsed($0) }
    #expect(lengths.allSatisfy { $0 > 8 && $0 < 32 })
    #expect(Set(lengths).count == 20)
    #expect(try elapsed(3) == lengths[3])
  }

  @Test func `a request that the server may have acted on is not sent twice`() throws {
    for (failure, sent) in [
      (Act.respond(503, ""), 1), (reset, 1), (.refuse(Failure(.timeout, "late")), 1),
      (.refuse(Failure(.connect, "refused")), 3), (.refuse(Failure(.dns, "no such host")), 3),
    ] {
      var sketch = Sketch()
      _ = sketch.request("a", [], NodeOptions(retry: retry(2)), method: "POST")
      let world = World(sketch, ["a": failure])
      _ = try world.run()
      #expect(world.fakes.requests(of: "a").count == sent, "\(failure)")
    }
  }

  @Test func `an idempotency key, or a word of the script's, lets any request be sent again`() throws {
    var keyed = Sketch()
    _ = keyed.request("a", [], NodeOptions(retry: retry(2)), method: "POST", key: .made)
    var world = World(keyed, ["a": reset])
    _ = try world.run()
    let keys = world.fakes.requests(of: "a").map { $0.header("Idempotency-Key") ?? "" }
    #expect(keys.count == 3)
    #expect(Set(keys).count == 1)
    #expect(keys[0].count == 32)
    var policy = retry(2)
    policy.anyMethod = true
    var bold = Sketch()
    _ = bold.request("a", [], NodeOptions(retry: policy), method: "PATCH")
    world = World(bold, ["a": reset])
    _ = try world.run()
    #expect(world.fakes.requests(of: "a").count == 3)
  }

  @Test func `only the failures that it names are worth another attempt`() throws {
    var policy = retry(2)
    policy.causes = Retry.Causes(statuses: [404...404], groups: [.body])
    for (act, sent) in [
      (Act.respond(404, ""), 3), (.respond(503, ""), 1), (reset, 1), (.respond(200, "{", type: "application/json"), 3),
    ] {
      var sketch = Sketch()
      _ = sketch.request("a", [], NodeOptions(retry: policy))
      let world = World(sketch, ["a": act])
      _ = try world.run()
      #expect(world.fakes.requests(of: "a").count == sent, "\(act)")
    }
  }

  @Test func `Retry-After is waited for, in seconds or to a date`() throws {
    var sketch = Sketch()
    sketch.returns(sketch.request("a", [], NodeOptions(retry: retry(2))))
    let world = World(
      sketch,
      [
        "a": .inTurn([
          .busy(429, retryAfter: "20"), .busy(503, retryAfter: "Sun, 06 Nov 1994 08:50:37 GMT"), .answer(json("1")),
        ])
      ])
    world.configuration.startedAt = 784_111_777 * 1_000_000_000
    let report = try world.run()
    #expect(report.result == json("1"))
    #expect(report.elapsed == .seconds(60))
  }

  @Test func `a Retry-After beyond the deadline, or beyond what is waited for, fails at once`() throws {
    for options in [
      NodeOptions(deadline: .seconds(30), retry: retry(2)),
      NodeOptions(
        retry: {
          var policy = retry(2)
          policy.longestRetryAfter = .seconds(39)
          return policy
        }()),
    ] {
      var sketch = Sketch()
      let a = sketch.request("a", [], options)
      let report = try World(sketch, ["a": .busy(503, retryAfter: "40")]).run()
      #expect(report.elapsed == .zero)
      #expect(report.failure(of: a)?.kind == .status)
      #expect(report.failure(of: a)?.message.hasPrefix("answered 503; ") == true)
    }
  }

  @Test func `each attempt has the node's timeout, and the deadline is for all of them`() throws {
    var sketch = Sketch()
    let a = sketch.step("a", [], NodeOptions(timeout: .seconds(2), retry: retry(9, factor: 1)))
    var world = World(sketch, ["a": .inTurn([.hold, .hold, .answer(json("1"))])])
    var report = try world.run()
    #expect(report.summary == "a=ok")
    #expect(report.elapsed == .seconds(2 + 1 + 2 + 1))
    #expect(world.fakes.aborted == ["a", "a"])

    sketch = Sketch()
    _ = sketch.step("a", [], NodeOptions(timeout: .seconds(2), deadline: .seconds(4), retry: retry(9, factor: 1)))
    world = World(sketch, ["a": .hold])
    report = try world.run()
    #expect(report.failure(of: a)?.kind == .timeout)
    #expect(report.failure(of: a)?.message == "did not end within 4s, its 'deadline'")
    #expect(report.elapsed == .seconds(4))
  }

  @Test func `an answer to an attempt that is over is late, and is recorded under that attempt's number`() throws {
    var sketch = Sketch()
    _ = sketch.step("a", [], NodeOptions(timeout: .seconds(2), retry: retry(1)))
    let world = World(
      sketch, ["a": .inTurn([.answer(json("1"), after: .milliseconds(2500)), .answer(json("2"), after: .seconds(1))])])
    sketch.result = nil
    let report = try world.run()
    #expect(report.value(of: NodeID(0)) == json("2"))
    let late = world.recorder.events.compactMap { event in
      if case .lateAnswer(_, let attempt) = event.kind { attempt } else { nil }
    }
    #expect(late == [1])
  }

  @Test func `a node keeps its permit while it backs off`() throws {
    var sketch = Sketch()
    let line = sketch.queue(width: 1)
    _ = sketch.request("a", [], NodeOptions(retry: retry(1), queue: line))
    _ = sketch.request("b", [], NodeOptions(queue: line))
    let world = World(sketch, ["a": .inTurn([reset, .answer(json("1"))])])
    let report = try world.run()
    #expect(world.fakes.started == ["a", "a", "b"])
    #expect(report.permitsAreWhole)
  }

  @Test func `cancelling ends a back-off`() throws {
    var sketch = Sketch()
    _ = sketch.request("a", [], NodeOptions(retry: retry(5, wait: .seconds(600))))
    let world = World(sketch, ["a": reset])
    let run = world.start()
    try world.executor.run(for: .seconds(1))
    run.cancel()
    let report = try world.finish(run)
    #expect(report.summary == "a=cancelled")
    #expect(report.elapsed == .seconds(1))
    #expect(world.fakes.requests(of: "a").count == 1)
  }

  @Test func `24 hours of retrying are as many attempts as there is time for`() throws {
    var sketch = Sketch()
    let a = sketch.request("a", [], NodeOptions(retry: retry(86_400, factor: 1)))
    let report = try World(sketch, ["a": .respond(503, "")]).run()
    #expect(report.elapsed == .seconds(86_400))
    #expect(report.failure(of: a)?.attempts == 86_401)
  }
}
