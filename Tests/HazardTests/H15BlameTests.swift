import Testing
import TideEngine
import TideGraph
import TideValue

/// The process ends before the answer; dependents run after what they need has failed.
@Suite struct H15BlameTests {
  @Test func `H15 what needs a failed node never runs, and says who is to blame`() throws {
    var sketch = Sketch()
    let login = sketch.request("login")
    let users = sketch.request("users", [login])
    let joined = sketch.merge("joined", [users])
    let page = try sketch.sort("page", joined, by: "id")
    _ = sketch.step("mail", [page])
    _ = sketch.step("other")
    let world = World(sketch, ["login": .respond(401, "")])
    let report = try world.run()
    #expect(
      report.summary
        == "login=failed users=blocked<login joined=blocked<users page=blocked<joined mail=blocked<page other=ok")
    #expect(world.fakes.started.sorted() == ["login", "other"])
    #expect(report.plan.rootOfBlame(for: NodeID(4), ending: report.ending(of:)) == login)
    #expect(report.status == .failed)
  }

  @Test func `H15 a run is complete when its last answer has arrived, not before`() throws {
    var sketch = Sketch()
    sketch.returns(sketch.request("slow"))
    let world = World(sketch, ["slow": .answer(Value(1), after: .seconds(60))])
    let run = world.start()
    try world.executor.run(for: .seconds(59))
    #expect(run.completion.result == nil)
    #expect(try world.finish(run).result == Value(1))
  }
}
