import Testing
import TideGraph
import TideReport
import TideValue

struct FailureTextTests {
  private func shares(
    wait: String = "all", otherwise: Value? = nil
  ) throws -> (plan: Plan, api: NodeID, detail: NodeID, reward: NodeID, shares: NodeID, page: NodeID) {
    var script = Script(
      text: "local tide\nlocal api\nlocal detail = x {\n}\nlocal reward = y {\n}\nlocal shares\nreturn\n")
    let api = try script.node("input", "api", [], [:], line: 2)
    var options: KeyValuePairs<String, Argument> = ["GET": .url(.node(api), .text("/detail"))]
    if let otherwise { options = ["GET": .url(.node(api), .text("/detail")), "otherwise": .value(otherwise)] }
    let detail = try script.node("request", "detail", [], options, line: 3)
    let reward = try script.node("request", "reward", [], ["GET": .url(.node(api), .text("/reward"))], line: 5)
    let shares = try script.node(
      "merge", "shares", [.node(detail), .node(reward)], ["wait": .text(wait)], line: 7)
    let page = try script.node("sort", "page", [.node(shares)], ["by": .text("createTime")], line: 8)
    return (try script.plan(page), api, detail, reward, shares, page)
  }

  @Test func `a failed request shows where it is declared, its status, and what it blocks`() throws {
    let (plan, api, detail, reward, shares, page) = try shares()
    var story = Story(plan)
    story.run(api, .ok)
    story.run(detail, .ok)
    story.run(reward, .failed, Failure(.status, "answered 502: bad gateway", status: 502, help: "ask later"))
    story.tell(.attemptStarted(Instance(reward), attempt: 3))
    story.run(shares, .blocked)
    story.run(page, .blocked)
    #expect(
      story.text == """
        error[T0302]: answered 502: bad gateway
         --> shares.lua:5  in request "reward"
        5 | local reward = y {
          status: 502, attempts: 3
          waited for: reward (failed) -> shares (blocked) -> page (blocked)
          help: ask later

        """)
    #expect(
      story.failures.partialWarning
        == "warning: the result lacks 'page' (blocked by 'reward': answered 502: bad gateway): it is partial")
  }

  @Test func `a step's error stands at its own line`() throws {
    var script = Script(text: "a\nb\nlogin\nusers\njoined\n  return users.items[1].id\nend\npage\n")
    let login = try script.node("request", "login", [], ["GET": .text("http://x/")], line: 3)
    let users = try script.node(
      "request", "users", [], ["GET": .url(.text("http://x/"), .node(login))], line: 4)
    let joined = try script.node("step", "joined", [.node(users)], ["run": .function(FunctionID(0))], line: 5)
    let page = try script.node("sort", "page", [.node(joined)], ["by": .text("a")], line: 8)
    var story = Story(try script.plan(page))
    story.run(login, .ok)
    story.run(users, .ok)
    let place = Location(file: "shares.lua", line: 6, columns: 10..<21)
    story.run(joined, .failed, Failure(.step, "field 'items' of a nil value", location: place))
    story.run(page, .blocked)
    #expect(
      story.text == """
        error[T0301]: field 'items' of a nil value
         --> shares.lua:6:10  in step "joined", declared at :5
        6 |   return users.items[1].id
          |          ^^^^^^^^^^^
          waited for: login -> users -> joined (failed) -> page (blocked)

        """)
  }

  @Test func `several failures are told in declared order, with what each blocks`() throws {
    var script = Script(text: "")
    let a = try script.node("request", "a", [], ["GET": .text("http://x/")])
    let b = try script.node("request", "b", [], ["GET": .text("http://x/")])
    var last: NodeID?
    var blocked: [NodeID] = []
    for index in 0..<12 {
      let node = try script.node("sort", "s\(index)", [.node(index < 11 ? b : a)], ["by": .text("t")])
      blocked.append(node)
      last = node
    }
    var story = Story(try script.plan(try #require(last)))
    story.run(b, .failed, Failure(.dns, "x can't be resolved"))
    story.run(a, .failed)
    for node in blocked { story.run(node, .blocked) }
    #expect(
      story.text == """
        error[T0302]: it failed
         --> shares.lua:1  in request "a"
        1 |
          waited for: a (failed) -> s11 (blocked)

        error[T0302]: x can't be resolved
         --> shares.lua:2  in request "b"
          waited for: b (failed) -> s0 (blocked)
          it also blocks 's1', 's2', 's3', 's4', 's5', 's6', 's7', 's8' and 2 more

        """)
  }

  @Test func `a block whose failure was handled is told on its own`() throws {
    var script = Script(text: "a\nb\nc\n")
    let a = try script.node("request", "a", [], ["GET": .text("http://x/")])
    let b = try script.node("sort", "b", [.node(a)], ["by": .text("t")])
    let c = try script.node(
      "step", "c", [.expression(.question(.error, a))], ["run": .function(FunctionID(0))])
    var story = Story(try script.plan(c))
    story.run(a, .failed, Failure(.timeout, "x did not answer within 5s"))
    story.run(b, .blocked)
    story.run(c, .ok)
    #expect(story.verdict.unhandled == [b])
    #expect(
      story.text == """
        error[T0302]: sort "b" is blocked: 'a' failed (x did not answer within 5s)
         --> shares.lua:2
        2 | b
          waited for: a (failed) -> b (blocked)
          help: the failure of 'a' is handled; this block is not: give it 'otherwise', or ask about it

        """)
  }

  @Test func `a run without unhandled failures has none to tell`() throws {
    let (plan, api, detail, reward, shares, page) = try shares(wait: "settled")
    var story = Story(plan)
    for node in [api, detail, shares, page] { story.run(node, .ok) }
    story.run(reward, .failed, Failure(.status, "answered 502", status: 502))
    #expect(story.text == "")
    #expect(story.failures.partialWarning == "warning: the result lacks 'reward' (answered 502): it is partial")
    #expect(story.verdict.status == .partial)
  }

  @Test func `a complete result needs no warning, two gaps are named both`() throws {
    let (plan, api, detail, reward, shares, page) = try shares(wait: "settled", otherwise: .array([]))
    var story = Story(plan)
    for node in [api, detail, reward, shares, page] { story.run(node, .ok) }
    #expect(story.failures.partialWarning == nil)
    story = Story(plan)
    for node in [api, shares, page] { story.run(node, .ok) }
    story.run(detail, .ok, Failure(.reset, "x reset the connection"), tookOtherwise: true)
    story.run(reward, .failed, Failure(.status, "answered 502\nat once", status: 502))
    #expect(
      story.failures.partialWarning
        == "warning: the result lacks 'detail' (x reset the connection) and 'reward' (answered 502 at once): it is partial"
    )
  }

  @Test func `a chain of twenty thousand is told in a line`() throws {
    var script = Script(text: "")
    var last = try script.node("request", "n0", [], ["GET": .text("http://x/")])
    let first = last
    for index in 1..<20_000 { last = try script.node("sort", "n\(index)", [.node(last)], ["by": .text("t")]) }
    var story = Story(try script.plan(last))
    for node in story.plan.nodeIDs {
      story.run(node, node < NodeID(10_000) ? .ok : node == NodeID(10_000) ? .failed : .blocked)
    }
    #expect(first == NodeID(0))
    #expect(
      story.text == """
        error[T0302]: it failed
             --> shares.lua:10001  in sort "n10000"
              waited for: n0 -> n1 -> ... -> n9997 -> n9998 -> n9999 -> n10000 (failed) -> n10001 (blocked) -> \
        n10002 (blocked) -> n10003 (blocked) -> ... -> n19998 (blocked) -> n19999 (blocked)

        """)
  }
}
