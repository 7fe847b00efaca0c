import Testing
import TideEngine
import TideGraph
import TideValue

/// Answers that are judged, and answers that come late, twice or never.
@Suite struct AnswerTests {
  private func request(
    _ act: Act, extract: String? = nil, expectation: TideGraph.Expectation = TideGraph.Expectation(), judge: Act? = nil
  ) throws -> RunReport {
    var sketch = Sketch()
    var expectation = expectation
    if judge != nil { expectation.function = sketch.function("judge") }
    let a = sketch.request("a", extract: extract, expectation: expectation)
    sketch.returns(a)
    return try World(sketch, ["a": act, "judge": judge ?? .drop]).run()
  }

  private let a = NodeID(0)

  @Test func `the value is what extract takes from the body`() throws {
    let report = try request(.respond(200, #"{"data":{"relation":[1,2]}}"#), extract: "data.relation")
    #expect(report.result == json("[1,2]"))
  }

  @Test func `a large answer is read on a worker, with the same end`() throws {
    let list = "[" + Array(repeating: "12345678", count: 10_000).joined(separator: ",") + "]"
    let found = try request(.respond(200, #"{"list":\#(list)}"#), extract: "list")
    #expect(found.result?.count == 10_000)
    let missing = try request(.respond(200, #"{"list":\#(list)}"#), extract: "rows")
    #expect(missing.failure(of: a)?.kind == .missing)
    let broken = try request(.respond(200, #"{"list":\#(list)"#), extract: "list")
    #expect(broken.failure(of: a)?.kind == .body)
    let refused = try request(.respond(500, list))
    #expect(refused.failure(of: a)?.status == 500)
    let judged = try request(.respond(200, list), judge: .answer(Value(false)))
    #expect(judged.failure(of: a)?.kind == .expectation)
  }

  @Test func `a status that is not expected fails the request`() throws {
    let report = try request(.respond(502, "bad gateway", type: "text/plain"))
    #expect(report.failure(of: a)?.message == "answered 502")
    #expect(report.failure(of: a)?.body == Value("bad gateway"))
  }

  @Test func `a body that is not as expected fails the request with its message`() throws {
    var expectation = TideGraph.Expectation()
    expectation.body = .paths([Condition.Requirement(path: try Path("code"), wanted: .literal(Value("200")))])
    expectation.message = try Path("message")
    let report = try request(.respond(200, #"{"code":"401","message":"log in"}"#), expectation: expectation)
    #expect(report.failure(of: a)?.message == #"'code' is "401", expected "200": log in"#)
  }

  @Test(arguments: [("true", "ok"), ("false", "failed"), ("null", "failed")])
  func `a function judges the response`(_ verdict: String, _ outcome: String) throws {
    let report = try request(.respond(404, "[1]"), judge: .answer(json(verdict)))
    #expect(report.summary == "a=\(outcome)")
    #expect(report.result == (outcome == "ok" ? json("[1]") : nil))
  }

  @Test func `a function that judges gets the whole response, and its error is the request's failure`() throws {
    let report = try request(.respond(201, "[1]"), judge: .compute { .failure(Failure(.step, $0[0].description)) })
    let seen = #"{"status":201,"headers":{"content-type":"application/json"},"body":[1],"url":"http://api.test/a","#
    #expect(report.failure(of: a)?.message.hasPrefix(seen) == true)
  }

  @Test func `a whole response is kept for whoever uses it`() throws {
    var sketch = Sketch()
    let a = sketch.request("a")
    sketch.result = .expression(.field(.response(of: a), "status"))
    #expect(try World(sketch, ["a": .respond(204, "")]).run().result == Value(204))
  }

  @Test func `a request that can't be made fails before it starts`() throws {
    var sketch = Sketch()
    let empty = sketch.input("empty")
    let a = sketch.request("a", [empty])
    let world = World(sketch)
    world.inputs[empty] = Value("")
    let report = try world.run()
    #expect(report.failure(of: a)?.kind == .request)
    #expect(world.fakes.started == [])
  }

  @Test func `an answer before the call has returned is an answer`() throws {
    var sketch = Sketch()
    let a = sketch.request("a")
    let b = sketch.step("b", [a])
    sketch.returns(sketch.barrier("both", [a, b]))
    let world = World(sketch, ["a": .atOnce(Value(1)), "b": .atOnce(Value(2))])
    #expect(try world.run().result == json("[1,2]"))
  }

  @Test func `a second answer is dropped and recorded`() throws {
    var sketch = Sketch()
    let a = sketch.request("a")
    let b = sketch.step("b", [a])
    sketch.returns(b)
    let world = World(sketch, ["a": .twice(Value(1), Value(2)), "b": .compute { .success($0[0]) }])
    #expect(try world.run().result == Value(1))
    #expect(world.lines.filter { $0 == "a late" } == ["a late"])
  }

  @Test func `a second answer of a step is not taken for the next thing's`() throws {
    var sketch = Sketch()
    var expectation = TideGraph.Expectation()
    expectation.function = sketch.function("judge")
    let a = sketch.request("a", expectation: expectation)
    sketch.returns(a)
    let world = World(sketch, ["a": .twice(json("[1]"), json("[2]")), "judge": .answer(Value(true))])
    #expect(try world.run().result == json("[1]"))
    #expect(world.lines.filter { $0 == "a late" }.count == 1)
  }

  @Test func `an answer after the time limit is dropped and recorded`() throws {
    var sketch = Sketch()
    let a = sketch.step("a", [], NodeOptions(timeout: .seconds(1), otherwise: Value("none")))
    let b = sketch.step("b")
    sketch.returns(sketch.barrier("both", [a, b]))
    let acts = ["a": Act.answer(Value("late"), after: .seconds(2)), "b": .answer(.null, after: .seconds(3))]
    let world = World(sketch, acts)
    #expect(try world.run().result == json(#"["none",null]"#))
    #expect(world.lines.filter { $0 == "a late" }.count == 1)
  }

  @Test func `an answer after the end of the run changes nothing`() throws {
    var sketch = Sketch()
    let a = sketch.step("a", [], NodeOptions(timeout: .seconds(1)))
    sketch.returns(a)
    let world = World(sketch, ["a": .hold])
    let run = world.start()
    #expect(try world.finish(run).summary == "a=failed")
    world.fakes.settle("a", .success(Value(1)))
    world.fakes.settle("a", .success(Value(2)))
    world.fakes.drop("a")
    run.cancel()
    #expect(try world.finish(run).summary == "a=failed")
    #expect(world.lines.last == "run failed")
  }

  @Test func `work that is dropped without an answer is lost, and the node failed`() throws {
    var sketch = Sketch()
    let a = sketch.request("a")
    let b = sketch.step("b")
    _ = sketch.barrier("both", [a, b], wait: .settled)
    let report = try World(sketch, ["a": .drop, "b": .hold]).run { $0.fakes.drop("b") }
    #expect(report.summary == "a=failed b=failed both=failed")
    #expect(report.failure(of: a)?.kind == .lost)
    #expect(report.failure(of: b)?.kind == .lost)
  }

  @Test func `what never answers holds its own dependents up, and nobody else`() throws {
    var sketch = Sketch()
    let a = sketch.step("a")
    _ = sketch.step("b", [a])
    _ = sketch.step("c")
    let world = World(sketch, ["a": .hold])
    let run = world.start()
    try world.executor.runUntilIdle()
    #expect(run.completion.result == nil)
    #expect(world.lines.contains("c ok"))
    world.fakes.settle("a", .success(.null))
    #expect(try world.finish(run).summary == "a=ok b=ok c=ok")
  }
}
