import Dispatch
import Testing
import TideEngine
import TideGraph
import TideValue

/// An early return or an error path never leaves the group: it waits for ever.
@Suite struct H02LostTests {
  @Test func `H02 work that is dropped without an answer settles as lost, and its join goes on`() throws {
    var sketch = Sketch()
    let dropped = sketch.request("dropped")
    let later = sketch.step("later")
    let good = sketch.step("good")
    sketch.returns(sketch.barrier("all", [dropped, later, good], wait: .settled))
    let report = try World(sketch, ["dropped": .drop, "later": .hold]).run { $0.fakes.drop("later") }
    #expect(report.result == json(#"[null,null,"good"]"#))
    #expect(report.failure(of: dropped)?.kind == .lost)
    #expect(report.failure(of: later)?.kind == .lost)
  }

  @Test func `H02 a bare group that one path forgets to leave waits for ever`() {
    let group = DispatchGroup()
    func load(_ url: String) {
      group.enter()
      guard !url.isEmpty else { return }
      group.leave()
    }
    load("")
    #expect(group.wait(timeout: .now() + .milliseconds(20)) == .timedOut)
    group.leave()
  }
}
