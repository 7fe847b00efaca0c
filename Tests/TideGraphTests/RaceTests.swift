import Testing
import TideValue

@testable import TideGraph

/// Which nodes' ends depend on the order of answers.
@Suite struct RaceTests {
  @Test func `what a join may stop races, unless the result names it`() throws {
    var script = Script()
    let above = script.node("step", "above", [], ["run": .run])
    let a = script.node("step", "a", [.node(above)], ["run": .run])
    let b = script.node("step", "b", [], ["run": .run])
    let join = script.node("barrier", "join", [.node(a), .node(b)], ["cancel_rest": .bool(true)])
    let below = script.node("step", "below", [], ["run": .run, "after": .list([.node(a)])])
    #expect(try script.plan(join).racingNodes == [above, a, b, join, below])
    #expect(try script.plan(join, a).racingNodes == [b, join])
  }

  @Test func `a join that stops nobody does not race`() throws {
    var script = Script()
    let a = script.node("step", "a", [], ["run": .run])
    let join = script.node("barrier", "join", [.node(a)], ["wait": .text("settled")])
    #expect(try script.plan(join).racingNodes == [])
  }

  @Test func `whose turn comes after one that races, races`() throws {
    var script = Script()
    let second = script.node("step", "second", [], ["run": .run])
    let first = script.node("step", "first", [], ["run": .run, "timeout": .text("1s")])
    let either = script.node("fallback", "either", [.node(first), .node(second)])
    #expect(try script.plan(either).racingNodes == [second, first, either])
  }

  @Test func `a fallback that may end before it has tried all lets the rest race`() throws {
    var script = Script()
    let need = script.node("step", "need", [], ["run": .run])
    let first = script.node("step", "first", [], ["run": .run])
    let second = script.node("step", "second", [], ["run": .run])
    let either = script.node("fallback", "either", [.node(first), .node(second)], ["needs": .list([.node(need)])])
    #expect(try script.plan(either).racingNodes == [second, either])
  }

  @Test func `a fallback that waits for its turn itself lets the rest of its own race`() throws {
    var script = Script()
    let nodes = ["a", "b", "c"].map { script.node("step", $0, [], ["run": .run]) }
    let inner = script.node("fallback", "inner", [.node(nodes[0]), .node(nodes[1])])
    let outer = script.node("fallback", "outer", [.node(nodes[2]), .node(inner)])
    #expect(try script.plan(outer).racingNodes == [nodes[1], inner, outer])
  }

  @Test func `an ordinary node can't be tried after cleanup has failed`() {
    var script = Script()
    let cleanup = script.node("step", "cleanup", [], ["run": .run, "always": .bool(true)])
    let other = script.node("step", "other", [], ["run": .run])
    let both = script.node("fallback", "both", [.node(cleanup), .node(other)], ["always": .bool(true)])
    #expect(script.complaints == [])
    #expect(
      script.builder.waitingMistakes.map(\.message) == [
        "fallback \"both\": 'other' is to be tried when 'cleanup' has failed, which starts only after every ordinary node has ended"
      ])
    _ = both
  }

  @Test func `cleanup can be tried after an ordinary node has failed`() {
    var script = Script()
    let other = script.node("step", "other", [], ["run": .run])
    let cleanup = script.node("step", "cleanup", [], ["run": .run, "always": .bool(true)])
    _ = script.node("fallback", "both", [.node(other), .node(cleanup)], ["always": .bool(true)])
    #expect(script.builder.waitingMistakes.map(\.message) == [])
  }
}
