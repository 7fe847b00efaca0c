import Testing
import TideEngine
import TideGraph
import TideValue

/// How nodes end, and whom that takes along.
@Suite struct OutcomeTests {
  @Test func `a chain of steps hands its values on`() throws {
    var sketch = Sketch()
    let a = sketch.step("a")
    let b = sketch.step("b", [a])
    sketch.returns(b)
    let world = World(sketch, ["b": .compute { .success(.array([$0[0], Value(2)])) }])
    let report = try world.run()
    #expect(report.result == json(#"["a",2]"#))
    #expect(report.summary == "a=ok b=ok")
    #expect(report.status == .ok)
    #expect(world.lines == ["run started", "a started", "a ok", "b started", "b ok", "run ok"])
  }

  @Test func `a plan without a node ends ok`() throws {
    let report = try World(Sketch()).run()
    #expect(report.status == .ok)
    #expect(report.result == nil)
  }

  @Test func `an input gives its value to whoever uses it`() throws {
    var sketch = Sketch()
    let uid = sketch.input("uid")
    let user = sketch.request("user", [uid])
    sketch.returns(user)
    let world = World(sketch)
    world.inputs[uid] = Value("u 1")
    #expect(try world.run().result == Value("user"))
    #expect(world.fakes.arguments(of: "user") == [Value("u%201")])
  }

  @Test func `a failure blocks what needs it, says so, and leaves the rest running`() throws {
    var sketch = Sketch()
    let a = sketch.step("a")
    let b = sketch.step("b", [a])
    _ = sketch.step("c", [b])
    let d = sketch.step("d")
    sketch.returns(d)
    let world = World(sketch, ["a": .fail("no")])
    let report = try world.run()
    #expect(report.summary == "a=failed b=blocked<a c=blocked<b d=ok")
    #expect(report.status == .failed)
    #expect(report.result == Value("d"))
    #expect(report.failure(of: a)?.message == "no")
    #expect(report.names(report.verdict.unhandled) == ["a", "b", "c"])
    #expect(world.fakes.started == ["a", "d"])
    #expect(world.lines.contains("b blocked by a"))
  }

  @Test func `who is to blame is the first in declared order`() throws {
    var sketch = Sketch()
    let a = sketch.step("a")
    let b = sketch.step("b")
    _ = sketch.step("c", [b, a])
    let world = World(sketch, ["a": .fail("late", after: .seconds(1)), "b": .fail("early")])
    #expect(try world.run().summary == "a=failed b=failed c=blocked<a")
    #expect(world.lines.contains("c blocked by b"), "when it was blocked, only one was known")
  }

  @Test func `what comes after a node starts when that has ended, either way`() throws {
    var sketch = Sketch()
    let a = sketch.step("a")
    let b = sketch.step("b", [a])
    _ = sketch.step("c", [], NodeOptions(after: [b]))
    let world = World(sketch, ["a": .fail("no", after: .seconds(1))])
    #expect(try world.run().summary == "a=failed b=blocked<a c=ok")
    #expect(world.fakes.started == ["a", "c"])
  }

  @Test func `what is needed must succeed, though its value is not used`() throws {
    var sketch = Sketch()
    let a = sketch.step("a")
    let b = sketch.step("b")
    _ = sketch.step("c", [], NodeOptions(needs: [a]))
    _ = sketch.step("d", [], NodeOptions(needs: [b]))
    let world = World(sketch, ["a": .fail("no"), "b": .answer(.null, after: .seconds(1))])
    #expect(try world.run().summary == "a=failed b=ok c=blocked<a d=ok")
    #expect(world.fakes.started == ["a", "b", "d"])
  }

  @Test(arguments: [
    ("false", "skipped"), ("null", "skipped"), ("true", "ok"), ("0", "ok"), (#""""#, "ok"), ("[]", "ok"),
  ])
  func `when skips a node by false and null only`(_ text: String, _ outcome: String) throws {
    var sketch = Sketch()
    let flag = sketch.input("flag")
    let a = sketch.step("a", [], NodeOptions(when: When(.value(of: flag))))
    _ = sketch.step("b", [a])
    let world = World(sketch)
    world.inputs[flag] = json(text)
    #expect(try world.run().summary == "flag=ok a=\(outcome) b=\(outcome)")
    #expect(world.fakes.started == (outcome == "ok" ? ["a", "b"] : []))
  }

  @Test(arguments: [("[1,2]", true), ("1", true), ("3", false), ("{}", false), (#""1""#, false)])
  func `when asks paths of its subject`(_ kind: String, _ isWanted: Bool) throws {
    var sketch = Sketch()
    let user = sketch.input("user")
    let requirement = Condition.Requirement(path: try Path("kind"), wanted: .literal(json("[1, 2, [1, 2]]")))
    _ = sketch.step("a", [], NodeOptions(when: When(.value(of: user), condition: .paths([requirement]))))
    let world = World(sketch)
    world.inputs[user] = .object([("kind", json(kind))])
    #expect(try world.run().summary == "user=ok a=\(isWanted ? "ok" : "skipped")")
  }

  @Test(arguments: [("true", "ok"), ("false", "skipped"), ("null", "skipped"), ("0", "ok")])
  func `when asks a function`(_ answer: String, _ outcome: String) throws {
    var sketch = Sketch()
    let user = sketch.input("user")
    let isWanted = sketch.function("isWanted")
    _ = sketch.request("a", [], NodeOptions(when: When(.value(of: user), condition: .function(isWanted))))
    let world = World(sketch, ["isWanted": .answer(json(answer))])
    world.inputs[user] = Value("u1")
    #expect(try world.run().summary == "user=ok a=\(outcome)")
    #expect(world.fakes.arguments(of: "isWanted") == [Value("u1")])
  }

  @Test func `a when that fails is its node's failure`() throws {
    var sketch = Sketch()
    let user = sketch.input("user")
    let isWanted = sketch.function("isWanted")
    let when = When(.value(of: user), condition: .function(isWanted))
    let a = sketch.step("a", [], NodeOptions(when: when))
    let b = sketch.step("b", [], NodeOptions(when: When(.field(.value(of: user), "age"))))
    let world = World(sketch, ["isWanted": .fail("boom")])
    world.inputs[user] = json(#"{"name":"u"}"#)
    let report = try world.run()
    #expect(report.summary == "user=ok a=failed b=failed")
    #expect(report.failure(of: a)?.message == "boom")
    #expect(report.failure(of: b)?.message == "'age' is missing in user, which has name")
    #expect(world.fakes.started == ["isWanted"])
  }

  @Test func `a node that needs a failed and a skipped one is blocked, only skipped ones, skipped`() throws {
    var sketch = Sketch()
    let no = sketch.input("no")
    let skipped = sketch.step("skipped", [], NodeOptions(when: When(.value(of: no))))
    let failed = sketch.step("failed")
    _ = sketch.step("both", [skipped, failed])
    _ = sketch.step("one", [skipped])
    _ = sketch.step("after", [], NodeOptions(after: [skipped]))
    let report = try World(sketch, ["failed": .fail("no")]).run()
    #expect(report.summary == "no=ok skipped=skipped failed=failed both=blocked<failed one=skipped after=ok")
  }

  @Test func `otherwise is the value of a node that failed or was blocked`() throws {
    var sketch = Sketch()
    let failed = sketch.step("failed", [], NodeOptions(otherwise: Value("plan b")))
    let bare = sketch.step("bare")
    let blocked = sketch.step("blocked", [bare], NodeOptions(otherwise: json("[]")))
    let join = sketch.barrier("join", [failed, blocked])
    sketch.returns(join)
    let world = World(sketch, ["failed": .fail("no"), "bare": .fail("no")])
    let report = try world.run()
    #expect(report.summary == "failed=ok+ bare=failed blocked=ok+<bare join=ok")
    #expect(report.result == json(#"["plan b",[]]"#))
    #expect(report.failure(of: failed)?.message == "no")
    #expect(report.status == .partial)
    #expect(report.names(report.verdict.missing) == ["failed", "blocked"])
    #expect(world.lines.contains("failed ok (step) otherwise"))
    #expect(world.lines.contains("blocked ok by bare otherwise"))
  }

  @Test func `otherwise is not for what was skipped or cancelled`() throws {
    var sketch = Sketch()
    let no = sketch.input("no")
    _ = sketch.step("a", [], NodeOptions(when: When(.value(of: no)), otherwise: Value(1)))
    _ = sketch.step("b", [], NodeOptions(otherwise: Value(1)))
    let world = World(sketch, ["b": .hold])
    let run = world.start()
    try world.executor.runUntilIdle()
    run.cancel()
    #expect(try world.finish(run).summary == "no=ok a=skipped b=cancelled")
  }

  @Test func `questions are answered whatever happened`() throws {
    var sketch = Sketch()
    let good = sketch.step("good")
    let bad = sketch.step("bad")
    let blocked = sketch.step("blocked", [bad])
    let questions: [Expression] = [good, bad, blocked].flatMap { node in
      Question.allCases.map { .question($0, node) }
    }
    let ask = sketch.add("ask", .step(StepSpec(function: sketch.function("ask"), arguments: questions)))
    sketch.returns(ask)
    let world = World(sketch, ["bad": .fail("no"), "ask": .compute { .success(.array($0)) }])
    let report = try world.run()
    let bad2 = #"{"kind":"step","message":"no","status":null,"body":null,"attempts":1}"#
    let blocked2 = #"{"kind":"blocked","message":"something it needs failed","status":null,"body":null,"attempts":0}"#
    let answers = #"true,false,"good",null,false,true,null,\#(bad2),false,true,null,\#(blocked2)"#
    #expect(report.result?.description == "[\(answers)]")
    #expect(report.status == .ok, "who asks handles the failure")
  }

  @Test func `a chain of 100,000 blocked nodes does not overflow the stack`() throws {
    var sketch = Sketch()
    var last = sketch.step("0")
    for index in 1...100_000 { last = sketch.step("\(index)", [last]) }
    let world = World(sketch, ["0": .fail("no")])
    world.configuration.sinks = []
    let report = try world.run()
    #expect(report.verdict.unhandled.count == 100_001)
    #expect(report.ending(of: last).outcome == .blocked)
    #expect(world.fakes.started == ["0"])
  }

  @Test func `a chain of 100,000 inline nodes does not overflow the stack`() throws {
    var sketch = Sketch()
    var last = sketch.barrier("0", [])
    for index in 1...100_000 { last = sketch.barrier("\(index)", [], NodeOptions(after: [last])) }
    sketch.returns(last)
    let world = World(sketch)
    world.configuration.sinks = []
    #expect(try world.run().result == json("[]"))
  }
}
