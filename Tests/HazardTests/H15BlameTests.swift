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

  @Test func `H15 the command waits for its last answer, and says who is to blame`() async throws {
    let script = """
      local tide = require "tidegate"
      local login = tide.request "login" { GET = "http://a.test/login" }
      local users = tide.request "users" { GET = "http://a.test/users", bearer = login.token }
      local slow = tide.request "slow" { GET = "http://a.test/slow" }
      return { users = users, slow = slow }

      """
    func fixtures(login status: Int) -> String {
      """
      [ { "request": { "url": "/login" }, "response": { "status": \(status), "json": {"token":"t"} } },
        { "request": { "url": "/users" }, "response": { "json": [1,2] } },
        { "request": { "url": "/slow" }, "response": { "json": 7, "delay": "300ms" } } ]
      """
    }
    let good = try await CommandLine("run").with(script: script, fixtures: fixtures(login: 200)).run()
    #expect(good == CommandLine.Ended(exit: 0, output: "{\"slow\":7,\"users\":[1,2]}\n", errors: ""))
    let bad = try await CommandLine("run").with(script: script, fixtures: fixtures(login: 401)).run()
    #expect(bad.exit == 3)
    #expect(bad.output == "{\"slow\":7}\n")
    #expect(bad.errors.contains("login (failed) -> users (blocked)"), "\(bad.errors)")
  }
}
