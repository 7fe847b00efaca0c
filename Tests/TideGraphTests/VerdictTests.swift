import Testing
import TideValue

@testable import TideGraph

/// The rules of DESIGN section 3 and 7, on one small plan each.
struct VerdictTests {
  private struct Case {
    var script = Script()
    var endings: [NodeID: Verdict.Ending] = [:]

    mutating func step(_ name: String, uses: [NodeID] = [], _ options: KeyValuePairs<String, Argument> = [:]) -> NodeID
    {
      let given = options.map { (key: $0.key, value: $0.value) } + [(key: "run", value: Argument.run)]
      let declared = script.builder.declare(
        Declaration(
          verb: "step", name: name, place: .none, inputs: uses.map { .node($0) },
          options: given.map { Argument.Entry(key: $0.key, value: $0.value) }))
      guard case .node(let node) = declared else { return NodeID(0) }
      return node
    }

    mutating func end(_ node: NodeID, _ outcome: Outcome, otherwise: Bool = false) {
      endings[node] = Verdict.Ending(outcome, tookOtherwise: otherwise)
    }

    func verdict(of plan: Plan, wasCancelled: Bool = false, ranOutOfTime: Bool = false) -> Verdict {
      Verdict(of: plan, wasCancelled: wasCancelled, ranOutOfTime: ranOutOfTime) { endings[$0] ?? Verdict.Ending(.ok) }
    }
  }

  @Test func `all ok is ok, and a skipped node is no failure`() throws {
    var test = Case()
    let a = test.step("a")
    let b = test.step("b", uses: [a])
    let plan = try test.script.plan(b)
    #expect(test.verdict(of: plan).status == .ok)
    test.end(a, .skipped)
    test.end(b, .skipped)
    #expect(test.verdict(of: plan).status == .ok)
    #expect(test.verdict(of: plan).missing == [])
  }

  @Test func `an unhandled failure fails the run, also of a node that nobody wants`() throws {
    var test = Case()
    let a = test.step("a")
    let b = test.step("b")
    test.end(a, .failed)
    let verdict = test.verdict(of: try test.script.plan(b))
    #expect(verdict.status == .failed)
    #expect(verdict.unhandled == [a])
    #expect(verdict.missing == [])
  }

  @Test func `a chain of blocks is unhandled as a whole`() throws {
    var test = Case()
    let a = test.step("a")
    let b = test.step("b", uses: [a])
    let c = test.step("c", uses: [b])
    test.end(a, .failed)
    test.end(b, .blocked)
    test.end(c, .blocked)
    let verdict = test.verdict(of: try test.script.plan(c))
    #expect(verdict.unhandled == [a, b, c])
    #expect(verdict.missing == [c])
  }

  @Test func `otherwise at the end of a chain handles all of it, and is a gap`() throws {
    var test = Case()
    let a = test.step("a")
    let b = test.step("b", uses: [a])
    let c = test.step("c", uses: [b], ["otherwise": .list([])])
    test.end(a, .failed)
    test.end(b, .blocked)
    test.end(c, .ok, otherwise: true)
    let verdict = test.verdict(of: try test.script.plan(c))
    #expect(verdict.status == .partial)
    #expect(verdict.unhandled == [])
    #expect(verdict.missing == [c])
  }

  @Test func `otherwise outside the result leaves no gap`() throws {
    var test = Case()
    let a = test.step("a", ["otherwise": .list([])])
    let b = test.step("b")
    test.end(a, .ok, otherwise: true)
    #expect(test.verdict(of: try test.script.plan(b)).status == .ok)
  }

  @Test func `one block of two that is unhandled keeps the failure unhandled`() throws {
    var test = Case()
    let a = test.step("a")
    let b = test.step("b", uses: [a], ["otherwise": .list([])])
    let c = test.step("c", uses: [a])
    test.end(a, .failed)
    test.end(b, .ok, otherwise: true)
    test.end(c, .blocked)
    let verdict = test.verdict(of: try test.script.plan(b))
    #expect(verdict.status == .failed)
    #expect(verdict.unhandled == [c])
  }

  @Test(arguments: [Question.ok, .failed, .value, .error])
  func `asking about a failure handles it, and not the block that it causes`(question: Question) throws {
    var test = Case()
    let a = test.step("a")
    let b = test.step("b", uses: [a])
    let c = test.script.node("step", "c", [.expression(.question(question, a))], ["run": .run])
    test.end(a, .failed)
    test.end(b, .blocked)
    let verdict = test.verdict(of: try test.script.plan(c))
    #expect(verdict.unhandled == [b])
    #expect(verdict.missing == [])
    test.end(b, .skipped)
    #expect(test.verdict(of: try test.script.plan(c)).status == .ok)
  }

  @Test func `to start after a failure is not to handle it`() throws {
    var test = Case()
    let a = test.step("a")
    let b = test.step("b", ["after": .list([.node(a)])])
    let c = test.step("c", ["after": .list([.node(a)]), "otherwise": .list([])])
    test.end(a, .failed)
    test.end(c, .ok, otherwise: true)
    #expect(test.verdict(of: try test.script.plan(b)).unhandled == [a])
  }

  @Test func `a join that settles names its failed inputs as gaps`() throws {
    var test = Case()
    let a = test.step("a")
    let b = test.step("b")
    let c = test.step("c", uses: [b])
    let join = test.script.node("merge", "join", [.node(a), .node(b), .node(c)], ["wait": .text("settled")])
    let page = test.script.node("sort", "page", [.node(join)], ["by": .text("t")])
    test.end(b, .failed)
    test.end(c, .blocked)
    let verdict = test.verdict(of: try test.script.plan(page))
    #expect(verdict.status == .partial)
    #expect(verdict.missing == [b, c])
    #expect(verdict.unhandled == [])
  }

  @Test func `a skipped input of a join that settles is no gap`() throws {
    var test = Case()
    let a = test.step("a")
    let b = test.step("b")
    let join = test.script.node("merge", "join", [.node(a), .node(b)], ["wait": .text("settled")])
    test.end(b, .skipped)
    #expect(test.verdict(of: try test.script.plan(join)).status == .ok)
  }

  @Test func `a join that got its number is whole`() throws {
    var test = Case()
    let a = test.step("a")
    let b = test.step("b")
    let join = test.script.node("barrier", "join", [.node(a), .node(b)], ["wait": .number(1)])
    test.end(a, .failed)
    let plan = try test.script.plan(join)
    #expect(test.verdict(of: plan).status == .ok)
    test.end(b, .failed)
    test.end(join, .failed)
    let verdict = test.verdict(of: plan)
    #expect(verdict.unhandled == [join])
    #expect(verdict.missing == [join])
  }

  @Test func `a join that waits for all hands the failure on`() throws {
    var test = Case()
    let a = test.step("a")
    let join = test.script.node("barrier", "join", [.node(a)], [:])
    test.end(a, .failed)
    test.end(join, .blocked)
    #expect(test.verdict(of: try test.script.plan(join)).unhandled == [a, join])
  }

  @Test func `what was cancelled, or ran out of time, is neither ok nor partial`() throws {
    var test = Case()
    let a = test.step("a")
    let plan = try test.script.plan(a)
    #expect(test.verdict(of: plan, wasCancelled: true).status == .cancelled)
    #expect(test.verdict(of: plan, ranOutOfTime: true).status == .failed)
    #expect(test.verdict(of: plan, wasCancelled: true, ranOutOfTime: true).status == .cancelled)
    test.end(a, .failed)
    #expect(test.verdict(of: plan, wasCancelled: true).status == .cancelled)
  }

  @Test func `the blamed one is the first declared of the needs that failed`() throws {
    var test = Case()
    let a = test.step("a")
    let b = test.step("b")
    let c = test.step("c")
    let d = test.step("d", uses: [c, b], ["after": .list([.node(a)])])
    let e = test.script.node("barrier", "e", [.node(c), .node(d)])
    let f = test.script.node("barrier", "f", [.node(c), .node(d)], ["wait": .text("settled"), "otherwise": .list([])])
    let plan = try test.script.plan(e)
    for node in [a, b, c] { test.end(node, .failed) }
    for node in [d, e] { test.end(node, .blocked) }
    test.end(f, .ok, otherwise: true)
    let blame = plan.nodeIDs.map { plan.blame(for: $0) { test.endings[$0] ?? Verdict.Ending(.ok) } }
    #expect(blame == [nil, nil, nil, b, c, nil])
    test.end(d, .ok, otherwise: true)
    #expect(plan.blame(for: d) { test.endings[$0] ?? Verdict.Ending(.ok) } == b)
  }
}
