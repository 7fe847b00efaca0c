import Testing
import TideEngine
import TideGraph
import TideValue

/// How a whole run ended: ok, partial, failed.
@Suite struct VerdictTests {
  /// A node that fails, whatever `build` makes of it, and the verdict: `status / unhandled / missing`.
  private func verdict(_ build: (inout Sketch, _ bad: NodeID, _ good: NodeID) -> Void) throws -> String {
    var sketch = Sketch()
    let bad = sketch.step("bad")
    let good = sketch.step("good")
    build(&sketch, bad, good)
    let verdict = try World(sketch, ["bad": .fail("no")]).run().verdict
    let name = { (node: NodeID) in sketch.nodes[Int(node.index)].name }
    let lists = [verdict.unhandled, verdict.missing].map { $0.map(name).joined(separator: ",") }
    return ([verdict.status.rawValue] + lists).joined(separator: " / ")
  }

  private func ask(_ sketch: inout Sketch, _ name: String, _ node: NodeID) -> NodeID {
    sketch.add(
      name, .step(StepSpec(function: sketch.function(name), arguments: [.question(.error, node)])))
  }

  @Test func `a failure that nobody handles fails the run`() throws {
    #expect(try verdict { sketch, _, good in sketch.returns(good) } == "failed / bad / ")
  }

  @Test func `after handles nothing`() throws {
    let found = try verdict { sketch, bad, _ in
      sketch.returns(sketch.step("next", [], NodeOptions(after: [bad])))
    }
    #expect(found == "failed / bad / ")
  }

  @Test func `a join that settles handles a failure, and is a gap`() throws {
    let found = try verdict { sketch, bad, good in sketch.returns(sketch.barrier("j", [bad, good], wait: .settled)) }
    #expect(found == "partial /  / bad")
  }

  @Test func `a gap outside of the result is none`() throws {
    let found = try verdict { sketch, bad, good in
      _ = sketch.barrier("j", [bad, good], wait: .settled)
      sketch.returns(good)
    }
    #expect(found == "ok /  / ")
  }

  @Test func `a join that got its N is no gap`() throws {
    let found = try verdict { sketch, bad, good in
      sketch.returns(sketch.barrier("j", [bad, good], wait: .atLeast(1)))
    }
    #expect(found == "ok /  / ")
  }

  @Test func `a failure somebody asked about is handled, and no gap`() throws {
    let found = try verdict { sketch, bad, _ in sketch.returns(ask(&sketch, "ask", bad)) }
    #expect(found == "ok /  / ")
  }

  @Test func `a question in the result handles a failure, too`() throws {
    let found = try verdict { sketch, bad, _ in sketch.result = .expression(.question(.value, bad)) }
    #expect(found == "ok /  / ")
  }

  @Test func `asking about a node does not excuse what it blocked`() throws {
    let found = try verdict { sketch, bad, _ in
      _ = sketch.step("blocked", [bad])
      sketch.returns(ask(&sketch, "ask", bad))
    }
    #expect(found == "failed / blocked / ")
  }

  @Test func `a failure is handled if every block it causes is`() throws {
    let found = try verdict { sketch, bad, good in
      let blocked = sketch.step("blocked", [bad])
      let other = sketch.step("other", [bad], NodeOptions(otherwise: .null))
      sketch.returns(sketch.barrier("j", [blocked, other, good], wait: .settled))
    }
    #expect(found == "partial /  / blocked,other")
  }

  @Test func `a block that nobody handles fails the run`() throws {
    let found = try verdict { sketch, bad, good in
      _ = sketch.step("blocked", [bad])
      sketch.returns(sketch.barrier("j", [bad, good], wait: .settled))
    }
    #expect(found == "failed / blocked / bad")
  }

  @Test func `an otherwise is a gap`() throws {
    let found = try verdict { sketch, bad, _ in
      sketch.returns(sketch.step("b", [bad], NodeOptions(otherwise: .null)))
    }
    #expect(found == "partial /  / b")
  }

  @Test func `a result that names a failed node is not there`() throws {
    let found = try verdict { sketch, bad, good in
      _ = ask(&sketch, "ask", bad)
      sketch.result = .table([("bad", .expression(.value(of: bad))), ("good", .expression(.value(of: good)))])
    }
    #expect(found == "partial /  / bad")
  }

  @Test func `what is absent is left out of a table and null in a list`() throws {
    var sketch = Sketch()
    let bad = sketch.step("bad")
    let good = sketch.step("good")
    let parts: [Plan.Result] = [.expression(.value(of: bad)), .expression(.value(of: good))]
    sketch.result = .table([("list", .list(parts)), ("bad", parts[0]), ("good", parts[1])])
    #expect(try World(sketch, ["bad": .fail("no")]).run().result == json(#"{"list":[null,"good"],"good":"good"}"#))
  }

  @Test func `a result that can't be made fails the run, and says why`() throws {
    var sketch = Sketch()
    let a = sketch.step("a")
    sketch.result = .expression(.field(.value(of: a), "id"))
    let report = try World(sketch, ["a": .answer(json("{}"))]).run()
    #expect(report.status == .failed)
    #expect(report.failure?.message == "'id' is missing in a, which has no fields")
  }

  @Test func `an empty list that arrived, and a skipped node, are no failures`() throws {
    var sketch = Sketch()
    let no = sketch.input("no")
    let empty = sketch.step("empty")
    let skipped = sketch.step("skipped", [], NodeOptions(when: When(.value(of: no))))
    sketch.returns(sketch.merge("m", [empty, skipped], wait: .settled))
    let report = try World(sketch, ["empty": .answer(json("[]"))]).run()
    #expect(report.status == .ok)
    #expect(report.result == json("[]"))
  }
}
