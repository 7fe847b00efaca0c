import Testing
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// Barriers and merges in runs: what opens them, and what they give.
@Suite struct BarrierTests {
  /// Requests a, b, c..., one join of them, and what the join says.
  private func run(
    _ count: Int, _ wait: Wait, merging: Bool = false, _ acts: [String: Act], skipped: Set<String> = []
  ) throws -> (report: RunReport, join: NodeID) {
    var sketch = Sketch()
    let no = sketch.input("no")
    let inputs = "abcdefgh".prefix(count).map { letter in
      let name = String(letter)
      return sketch.request(name, [], skipped.contains(name) ? NodeOptions(when: When(.value(of: no))) : nil)
    }
    let join = merging ? sketch.merge("join", inputs, wait: wait) : sketch.barrier("join", inputs, wait: wait)
    sketch.returns(join)
    return (try World(sketch, acts).run(), join)
  }

  @Test(arguments: [Wait.all, .settled, .atLeast(0)]) func `an empty barrier is open`(_ wait: Wait) throws {
    #expect(try run(0, wait, [:]).report.result == json("[]"))
  }

  @Test func `a barrier's value is its inputs' in declared order`() throws {
    let acts = ["a": Act.answer(Value(1), after: .seconds(2)), "b": .answer(Value(2), after: .seconds(1))]
    #expect(try run(3, .all, acts).report.result == json(#"[1,2,"c"]"#))
  }

  @Test func `a barrier of all is blocked by a failure, at once`() throws {
    var sketch = Sketch()
    let a = sketch.request("a")
    let b = sketch.request("b")
    let join = sketch.barrier("join", [a, b])
    let after = sketch.step("after", [], NodeOptions(after: [join]))
    sketch.returns(after)
    let world = World(sketch, ["a": .fail("no"), "b": .hold])
    let run = world.start()
    try world.executor.runUntilIdle()
    #expect(world.fakes.started == ["a", "b", "after"])
    world.fakes.settle("b", .success(.null))
    #expect(try world.finish(run).summary == "a=failed b=ok join=blocked<a after=ok")
  }

  @Test func `a barrier that settles has null for what failed`() throws {
    let (report, _) = try run(3, .settled, ["b": .fail("no")])
    #expect(report.result == json(#"["a",null,"c"]"#))
    #expect(report.status == .partial)
    #expect(report.names(report.verdict.missing) == ["b"])
  }

  @Test func `a barrier that settles fails when nothing succeeded, and lists what each input said`() throws {
    let (report, join) = try run(2, .settled, ["a": .fail("no route", after: .seconds(1)), "b": .fail("down")])
    #expect(report.result == nil)
    #expect(report.status == .failed)
    #expect(report.failure(of: join)?.kind == .barrier)
    #expect(
      report.failure(of: join)?.message
        == "none of its inputs succeeded: 'a' failed: no route; 'b' failed: down")
  }

  @Test func `a barrier of N opens with the first N, and is no gap`() throws {
    let acts = [
      "a": Act.answer(Value(1), after: .seconds(9)), "b": .fail("no"), "c": .answer(Value(3), after: .seconds(1)),
      "d": .answer(Value(4), after: .seconds(2)),
    ]
    let (report, _) = try run(4, .atLeast(2), acts)
    #expect(report.result == json("[null,null,3,4]"))
    #expect(report.status == .ok)
    #expect(report.summary == "no=ok a=ok b=failed c=ok d=ok join=ok")
  }

  @Test func `a barrier of N fails as soon as N is out of reach`() throws {
    var sketch = Sketch()
    let inputs = ["a", "b", "c"].map { sketch.request($0) }
    let join = sketch.barrier("join", inputs, wait: .atLeast(2))
    _ = sketch.step("after", [], NodeOptions(after: [join]))
    let world = World(sketch, ["a": .hold, "b": .fail("no"), "c": .fail("never")])
    let run = world.start()
    try world.executor.runUntilIdle()
    #expect(world.fakes.started.last == "after")
    world.fakes.settle("a", .success(.null))
    let report = try world.finish(run)
    #expect(
      report.failure(of: join)?.message
        == "fewer than 2 of its inputs can succeed: 'b' failed: no; 'c' failed: never")
  }

  @Test(arguments: [
    (Wait.all, "[null,\"b\"]", "ok"), (.settled, "[null,\"b\"]", "ok"), (.atLeast(1), "[null,\"b\"]", "ok"),
    (.atLeast(2), "", "failed"),
  ])
  func `a skipped input counts for nothing`(_ wait: Wait, _ value: String, _ status: String) throws {
    let (report, _) = try run(2, wait, [:], skipped: ["a"])
    #expect(report.result?.description ?? "" == value)
    #expect(report.status.rawValue == status)
  }

  @Test(arguments: [(Wait.all, "ok"), (.settled, "ok"), (.atLeast(1), "failed")])
  func `a join of skipped inputs is an empty one`(_ wait: Wait, _ outcome: String) throws {
    let (report, join) = try run(2, wait, [:], skipped: ["a", "b"])
    #expect(report.ending(of: join).outcome.name == outcome)
  }

  @Test func `a merge joins lists in declared order, null being an empty one`() throws {
    let acts = ["a": Act.answer(json("[3,1]"), after: .seconds(1)), "b": .answer(.null), "c": .answer(json("[2]"))]
    #expect(try run(3, .all, merging: true, acts).report.result == json("[3,1,2]"))
  }

  @Test func `a merge that settles goes on without what failed`() throws {
    let acts = ["a": Act.fail("no"), "b": .answer(json("[2]"))]
    let (report, _) = try run(2, .settled, merging: true, acts)
    #expect(report.result == json("[2]"))
    #expect(report.status == .partial)
  }

  @Test func `a merge of what is no list fails, and names the input`() throws {
    let (report, join) = try run(2, .all, merging: true, ["a": .answer(json("[1]")), "b": .answer(Value(7))])
    #expect(report.failure(of: join)?.kind == .type)
    #expect(report.failure(of: join)?.message == "input 2 ('b'): a number, where a list is expected")
  }

  @Test func `a field of an input that is not there fails the join`() throws {
    var sketch = Sketch()
    let a = sketch.request("a")
    let inputs: [Expression] = [.field(.value(of: a), "items")]
    let join = sketch.add("join", .merge(MergeSpec(inputs: inputs)))
    let report = try World(sketch, ["a": .answer(json(#"{"rows":[]}"#))]).run()
    #expect(report.failure(of: join)?.message == "'items' is missing in a, which has rows")
  }

  @Test func `a sort puts a merge in order, ties as they came`() throws {
    var sketch = Sketch()
    let a = sketch.request("a")
    let b = sketch.request("b")
    let both = sketch.merge("both", [a, b])
    sketch.returns(try sketch.sort("page", both, by: "t", limit: 3))
    let acts = [
      "a": Act.answer(json(#"[{"t":2,"id":1},{"t":1,"id":2}]"#), after: .seconds(1)),
      "b": .answer(json(#"[{"t":1,"id":3},{"t":9}]"#)),
    ]
    #expect(try World(sketch, acts).run().result == json(#"[{"t":1,"id":2},{"t":1,"id":3},{"t":2,"id":1}]"#))
  }

  @Test func `a sort of what is no list fails`() throws {
    var sketch = Sketch()
    let a = sketch.request("a")
    let page = try sketch.sort("page", a, by: "t")
    #expect(try World(sketch).run().failure(of: page)?.kind == .type)
  }

  @Test(arguments: [0, 1, 2, 100_000]) func `a barrier of any size opens once, with all of it`(_ count: Int) throws {
    var sketch = Sketch()
    let inputs = (0..<count).map { sketch.step("\($0)") }
    let join = sketch.barrier("join", inputs)
    sketch.returns(join)
    let world = World(sketch, choices: ScriptedChoices())
    let report = try world.run()
    #expect(report.result?.items.map(\.string) == (0..<count).map { "\($0)" })
    #expect(world.lines.filter { $0 == "join ok" }.count == 1)
  }
}
