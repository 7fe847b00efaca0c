import Testing
import TideValue

@testable import TideGraph

struct PlanTests {
  @Test func `a node stands in the wave after the last that it waits for`() throws {
    var script = Script()
    let input = script.node("input", "i")
    let a = script.node("step", "a", [.node(input)], ["run": .run])
    let b = script.node("step", "b", [.node(a)], ["run": .run])
    let c = script.node("step", "c", [], ["run": .run, "after": .list([.node(a)])])
    let d = script.node("step", "d", [.node(b)], ["run": .run, "needs": .node(c)])
    let e = script.node("step", "e", [], ["run": .run, "when": .expression(.question(.ok, d))])
    let f = script.node("step", "f", [], ["run": .run])
    #expect(try script.plan(e).waves == [[a, f], [b, c], [d], [e]])
    #expect(Plan(nodes: []).waves == [])
  }

  @Test func `every use of a handle is an edge, with its reason`() throws {
    var script = Script()
    let a = script.node("input", "a")
    let b = script.node("step", "b", [], ["run": .run])
    let path = Expression.path(.value(of: a), try Path("x.y"), fallback: .null)
    let r = script.node(
      "request", "r", [],
      [
        "GET": .url(.text("http://x/"), .joined(.field(.value(of: a), "id"))),
        "query": .fields(["q": .expression(path)]),
        "headers": .fields(["h": .expression(.response(of: b))]), "json": .list([.list([.node(a)])]),
        "bearer": .url(.raw(.value(of: b))), "expect": .fields(["body": .fields(["c": .node(a)])]),
        "needs": .list([.node(b)]), "after": .list([.node(a)]),
        "when": .list([.expression(.question(.error, b)), .fields(["kind": .node(a)])]),
      ])
    let join = script.node("merge", "m", [.node(r), .expression(.question(.value, b))])
    let plan = try script.plan(join)
    #expect(
      plan.dependencies(of: r).map { "\(plan.nodes[$0.node].name) \($0.need)" } == [
        "a success", "a success", "b success", "a success", "b success", "a success", "b success", "a end",
        "b question",
        "a success",
      ])
    #expect(plan.dependencies(of: join).map { "\(plan.nodes[$0.node].name) \($0.need)" } == ["r input", "b question"])
    #expect(plan.dependents(of: r).map { "\(plan.nodes[$0.node].name) \($0.need)" } == ["m input"])
    #expect(plan.dependents(of: b).map(\.node) == [r, r, r, r, join])
    #expect(plan.nodesWithResponse == [b])
  }

  @Test(arguments: [
    (Argument.text("HTTP://Me:pw@Example.COM:81/a?b"), "http://example.com:81"),
    (.url(.text("http://x"), .text("/a")), "http://x"),
    (.url(.joined(.value(of: NodeID(0))), .text("/a")), "https://api"),
    (.url(.joined(.value(of: NodeID(1))), .text("/a")), "{host}"),
    (.url(.text("http://"), .joined(.value(of: NodeID(1))), .text("/a")), "{host}"),
    (.url(.text("http://x/"), .joined(.value(of: NodeID(1)))), "http://x"),
    (.node(NodeID(0)), "https://api"), (.node(NodeID(1)), "{host}"),
  ])
  func `an origin is told as far as it is known`(url: Argument, origin: String) throws {
    var script = Script()
    script.node("input", "api", [], ["default": .text("https://api/v1")])
    script.node("input", "host")
    let r = script.node("request", "r", [], ["GET": url])
    #expect(try script.plan(r).origins == [origin])
  }

  @Test func `what depends on the order of answers races, and all below it`() throws {
    var script = Script()
    let a = script.node("step", "a", [], ["run": .run])
    let b = script.node("step", "b", [], ["run": .run, "timeout": .text("1s")])
    let one = script.node("barrier", "one", [.node(a)], ["wait": .number(1)])
    let c = script.node("step", "c", [.node(one)], ["run": .run])
    let d = script.node("step", "d", [.node(a)], ["run": .run])
    #expect(try script.plan(c).racingNodes == [b, one, c])
    _ = d
  }

  @Test func `what is computed from a secret is one, what a server answers is not`() throws {
    var script = Script()
    let key = script.node("secret", "key")
    let token = script.node("step", "token", [.node(key)], ["run": .run])
    let r = script.node("request", "r", [], ["GET": .text("http://x"), "bearer": .node(token)])
    let own = script.node("request", "own", [], ["GET": .text("http://x"), "secret": .bool(true)])
    let after = script.node("step", "after", [], ["run": .run, "after": .list([.node(key)])])
    let below = script.node("sort", "below", [.node(own)], ["by": .text("a")])
    #expect(try script.plan(after).secretNodes == [key, token, own, below])
    _ = r
  }

  @Test func `a result leaves out what is absent`() throws {
    var script = Script()
    let a = script.node("input", "a")
    let b = script.node("input", "b")
    let said = Said(values: [a: Value(1)])
    func result(_ result: Plan.Result) throws -> String? {
      try result.value(said) { $0 == a }?.description
    }
    let (one, two) = (Plan.Result.expression(.value(of: a)), Plan.Result.expression(.value(of: b)))
    #expect(try result(one) == "1")
    #expect(try result(two) == nil)
    #expect(try result(.list([one, two])) == "[1,null]")
    #expect(try result(.table([("x", one), ("y", two), ("z", .list([two]))])) == #"{"x":1,"z":[null]}"#)
    #expect(try result(.expression(.question(.ok, b))) == "false")
  }

  @Test func `a line of a source is shown without its end`() {
    var sources = Sources()
    let file = sources.add(name: "a", text: "one\r\ntwo\n\nfour")
    #expect(sources.add(name: "a", text: "other") == file)
    func line(_ number: Int) -> String? { sources.line(at: Location(file: "a", line: number)).map(String.init) }
    #expect((0...5).map(line) == [nil, "one", "two", "", "four", nil])
    #expect(sources.line(at: Location(file: "b", line: 1)) == nil)
    #expect(sources.location(Place(file: 1, line: 1)) == nil)
    #expect(sources.location(.none) == nil)
    #expect(sources.location(Place(file: 0, line: 2)) == Location(file: "a", line: 2))
  }

  @Test func `base64 is padded`() {
    let texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"]
    #expect(texts.map { base64($0.utf8) } == ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"])
    #expect(base64([0xFB, 0xFF]) == "+/8=")
  }
}
