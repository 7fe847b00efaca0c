import Testing
import TideValue

@testable import TideGraph

struct PlanBuilderTests {
  /// What a single node's declaration is told.
  private func told(
    _ verb: String, _ inputs: [Argument] = [], _ options: KeyValuePairs<String, Argument> = [:]
  ) -> [String] {
    var script = Script()
    script.node(verb, "x", inputs, options)
    return script.complaints
  }

  @Test func `a name is taken once, and the second shows the first`() throws {
    var script = Script("one\ntwo\n")
    script.node("input", "a")
    _ = script.declare("queue", "a", [], ["width": .number(1)])
    #expect(
      script.complaints == [
        "2 a second node named 'a': the first is at a.lua:1 (every node of a script has a name of its own)"
      ])
    let diagnostic = try #require(script.builder.diagnostics.first)
    #expect(diagnostic.code == .duplicateName)
    #expect(diagnostic.related.map(\.location) == [Location(file: "a.lua", line: 1)])
    #expect(diagnostic.related.map(\.message) == ["the first 'a'"])
  }

  @Test func `an empty name and an unknown verb are refused`() {
    var script = Script()
    script.node("input", "")
    script.node("reqest", "a")
    script.node("teleport", "b")
    #expect(
      script.complaints == [
        "1 a name of a node can't be empty", "2 reqest \"a\": there is no verb 'tide.reqest' (did you mean 'request'?)",
        "3 teleport \"b\": there is no verb 'tide.teleport'",
      ])
  }

  @Test func `everything wrong is told, and the plan is not made`() throws {
    var script = Script()
    script.node("input", "a", [], ["tipe": .text("string")])
    script.node("step", "b")
    let error = #expect(throws: Diagnostics.self) { try script.builder.finish(result: .list([])) }
    #expect(error?.all.map(\.code) == [.unknownOption, .missingOption])
  }

  @Test(arguments: [("local a\n", 1), ("local a\nlocal b", 2), ("a\r\nb\r\n", 2), ("", 1), ("\n\n", 2)])
  func `a script that returns nothing is shown its last line`(text: String, line: Int) {
    let error = #expect(throws: Diagnostics.self) { try Script(text).builder.finish(result: nil) }
    #expect(error?.all.map(\.message) == ["the script returns nothing"])
    #expect(error?.all.map(\.code) == [.nothingReturned])
    #expect(error?.all.first?.location?.line == line)
  }

  @Test(
    arguments: [
      (
        ["url": .text("http://x")],
        [
          "1 request \"x\": the method with its URL is missing (write GET = url, POST = url, PUT = url, ...)",
          "1 request \"x\": unknown option 'url'",
        ]
      ),
      (
        ["GET": .text("http://x"), "POST": .text("http://x")],
        ["1 request \"x\": has two methods, GET and POST (one request is one node)"]
      ),
      (["GET": .text("")], ["1 request \"x\": the URL is empty"]),
      (["GET": .text("x/y")], ["1 request \"x\": the URL \"x/y\" does not begin with http:// or https://"]),
      (["GET": .text("http:///y")], ["1 request \"x\": the URL \"http:///y\" names no host"]),
      (["GET": .text("http://me@/y")], ["1 request \"x\": the URL \"http://me@/y\" names no host"]),
      (["GET": .text("http://x/\n")], ["1 request \"x\": the URL holds a control character"]),
      (["GET": .number(1)], ["1 request \"x\": the URL is a number, where a text is expected"]),
      (
        ["GET": .run],
        ["1 request \"x\": 'GET' is a function, where a value is expected (a function goes into a step's 'run')"]
      ),
      (
        ["GET": .text("http://x"), "quary": .fields([:])],
        ["1 request \"x\": unknown option 'quary' (did you mean 'query'?)"]
      ),
      (
        ["GET": .text("http://x"), "query": .text("a")],
        ["1 request \"x\": 'query' is a text, where a table is expected"]
      ),
      (
        ["GET": .text("http://x"), "json": .list([.fields(["a": .run])])],
        ["1 request \"x\": 'json[1].a' is a function, where a value is expected (a function goes into a step's 'run')"]
      ),
      (
        ["POST": .text("http://x"), "json": .list([]), "form": .fields([:])],
        ["1 request \"x\": has two bodies, 'json' and 'form'"]
      ),
      (
        ["GET": .text("http://x"), "basic": .text("me")],
        ["1 request \"x\": 'basic' is a text, where { user, password } is expected"]
      ),
      (
        ["GET": .text("http://x"), "bearer": .text("t"), "basic": .list([.text("a"), .text("b")])],
        ["1 request \"x\": has both 'bearer' and 'basic'"]
      ),
      (
        ["GET": .text("http://x"), "expect": .fields(["status": .number(700)])],
        ["1 request \"x\": 'expect.status' is 700 (write a status (200), a class (\"2xx\"), or a list of these)"]
      ),
      (
        ["GET": .text("http://x"), "expect": .fields(["stats": .number(200)])],
        ["1 request \"x\": unknown option 'expect.stats' (did you mean 'status'?)"]
      ),
      (
        ["GET": .text("http://x"), "expect": .fields(["body": .fields(["a": .fields(["mim": .number(1)])])])],
        ["1 request \"x\": unknown bound 'mim' in 'expect.body.a' (did you mean 'min'?)"]
      ),
      (
        ["GET": .text("http://x"), "expect": .fields(["body": .fields(["a": .fields(["matches": .text("[")])])])],
        ["1 request \"x\": 'expect.body.a.matches': the pattern \"[\" leaves a set open"]
      ),
      (
        ["GET": .text("http://x"), "extract": .text("a..b")],
        ["1 request \"x\": 'extract' is no path: path 'a..b', column 3: an empty name between dots"]
      ),
      (
        ["GET": .text("http://x"), "redirects": .number(-1)],
        ["1 request \"x\": 'redirects' is -1: a whole number, 0 to 100, is expected"]
      ),
      (
        ["GET": .text("http://x"), "max_bytes": .json("1.5")],
        ["1 request \"x\": 'max_bytes' is 1.5: a whole number, 0 to 4294967295, is expected"]
      ),
      (
        ["GET": .text("http://x"), "timeout": .text("0s")],
        [
          "1 request \"x\": 'timeout' is \"0s\": a length of time above zero is expected (write \"500ms\", \"5s\", \"2m\", \"1h\", or a number of seconds)"
        ]
      ),
      (
        ["GET": .text("http://x"), "timeout": .fields(["conect": .number(1)])],
        ["1 request \"x\": unknown option 'timeout.conect' ('timeout' knows: connect, total)"]
      ),
      (
        ["GET": .text("http://x"), "queue": .text("line")],
        [
          "1 request \"x\": 'queue' is a text, where a queue is expected (local line = tide.queue \"line\" { width = 1 }, then queue = line)"
        ]
      ),
      (
        ["GET": .text("http://x"), "after": .text("a")],
        ["1 request \"x\": 'after' is a text, where a list of handles is expected"]
      ),
      (
        ["GET": .text("http://x"), "when": .text("a")],
        ["1 request \"x\": 'when' is a text, where a handle, or { handle, condition } is expected"]
      ),
      (
        ["GET": .text("http://x"), "secret": .text("yes")],
        ["1 request \"x\": 'secret' is a text, where true or false is expected"]
      ),
      (
        ["GET": .text("http://x"), "otherwise": .node(NodeID(0))],
        [
          "1 request \"x\": 'otherwise' holds a handle, where a value that is known now is expected (to use another node's value in its place, merge the two with wait = 1)"
        ]
      ),
      (
        ["GET": .text("http://x"), "tls": .fields(["key": .text("k")])],
        ["1 request \"x\": unknown option 'tls.key' ('tls' knows: ca)"]
      ),
    ] as [(KeyValuePairs<String, Argument>, [String])])
  func `a request's options are checked`(options: KeyValuePairs<String, Argument>, expected: [String]) {
    let complaints = told("request", [], options)
    // The list of all that a request knows is not repeated here.
    #expect(
      complaints.map { String($0.prefix(upTo: $0.firstRange(of: " ('request' knows")?.lowerBound ?? $0.endIndex)) }
        == expected)
  }

  @Test(
    arguments: [
      ("step", [], ["run": .text("f")], "1 step \"x\": 'run' is a text, where a function is expected"),
      (
        "step", [], [:],
        "1 step \"x\": 'run' is missing (run = function(...) ... end gets the inputs' values in their order)"
      ),
      (
        "step", [.run], ["run": .run],
        "1 step \"x\": input [1] is a function, where a handle or a value is expected (a step's function is its 'run' option: run = function(...) ... end)"
      ),
      ("request", [.number(1)], ["GET": .text("http://x")], "1 request \"x\": takes no inputs, and has 1"),
      (
        "merge", [.number(1)], ["wait": .text("any")],
        "1 merge \"x\": 'wait' is \"any\": \"all\", \"settled\" or a number from 1 on is expected"
      ),
      ("merge", [.number(1)], ["wait": .number(2)], "1 merge \"x\": waits for 2 of its 1 inputs, and can never open"),
      (
        "barrier", [.number(1)], ["wait": .number(0)],
        "1 barrier \"x\": 'wait' is 0: \"all\", \"settled\" or a number from 1 on is expected"
      ),
      (
        "barrier", [.list([.node(NodeID(0)), .node(NodeID(1))])], [:],
        "1 barrier \"x\": input [1] is made of several nodes (p, q) (give each node as an input of its own)"
      ),
      ("merge", [], ["how": .text("zipp")], "1 merge \"x\": 'how' is \"zipp\" (did you mean 'zip'?)"),
      ("sort", [], ["by": .text("a")], "1 sort \"x\": takes one input, the list to sort, and has 0"),
      (
        "sort", [.number(1), .number(2)], ["by": .text("a")],
        "1 sort \"x\": takes one input, the list to sort, and has 2 (tide.merge makes one list of several)"
      ),
      (
        "sort", [.number(1)], [:],
        "1 sort \"x\": 'by' is missing (by = \"createTime\" sorts by that field, \"-createTime\" downwards, a list by several)"
      ),
      ("sort", [.number(1)], ["by": .number(1)], "1 sort \"x\": 'by' holds a number, where a path is expected"),
      (
        "sort", [.number(1)], ["by": .text("a"), "nulls": .text("frist")],
        "1 sort \"x\": 'nulls' is \"frist\" (did you mean 'first'?)"
      ),
      (
        "sort", [.number(1)], ["by": .text("a"), "as": .text("colour")],
        "1 sort \"x\": 'as' is \"colour\" (one of: natural, number, text, time)"
      ),
      (
        "sort", [.number(1)], ["by": .text("a"), "limit": .number(-1)],
        "1 sort \"x\": 'limit' is -1: a whole number, 0 or more, is expected"
      ),
      ("input", [], ["type": .text("strin")], "1 input \"x\": 'type' is \"strin\" (did you mean 'string'?)"),
      (
        "input", [], ["type": .text("integer"), "default": .text("a")],
        "1 input \"x\": 'default' is \"a\", where a whole number is expected"
      ),
      (
        "input", [], ["enum": .json("[1,2]"), "default": .number(3)],
        "1 input \"x\": 'default' is 3, where one of 1, 2 is expected"
      ),
      (
        "queue", [], [:],
        "1 queue \"x\": 'width', 'rate' or 'trip' is missing (width = 1 makes it a serial queue, width = n lets n of its nodes run at once, rate = \"10/s\" so many a second)"
      ),
      ("queue", [], ["width": .number(0)], "1 queue \"x\": 'width' is 0: a whole number, 1 to 2147483647, is expected"),
    ] as [(String, [Argument], KeyValuePairs<String, Argument>, String)])
  func `every verb is checked`(
    verb: String, inputs: [Argument], options: KeyValuePairs<String, Argument>, expected: String
  ) {
    var script = Script()
    script.node("input", "p")
    script.node("input", "q")
    script.node(verb, "x", inputs, options)
    #expect(script.complaints == ["3" + expected.dropFirst()])
  }

  @Test func `an option's place is where it is written`() throws {
    var script = Script(
      "local a = tide.request \"a\" {\n  GET = 'http://x',\n  wdth == 1, wdth= 2,\n}\nlocal b\n  wdth = 3\n")
    script.node("request", "a", [], ["GET": .text("http://x"), "wdth": .number(1), "other": .number(1)])
    let places = script.builder.diagnostics.map(\.location)
    #expect(
      places == [
        Location(file: "a.lua", line: 3, columns: 14..<18), Location(file: "a.lua", line: 1),
      ])
  }

  @Test func `ten thousand nodes are declared in a breath`() throws {
    var script = Script()
    var last = script.node("input", "n0")
    for index in 1..<10_000 { last = script.node("step", "n\(index)", [.node(last)], ["run": .run]) }
    let plan = try script.plan(last)
    #expect(plan.nodes.count == 10_000)
    #expect(plan.waves.count == 9_999)
    #expect(plan.dependencies(of: last).map(\.node) == [NodeID(9_998)])
    #expect(plan.dependents(of: NodeID(0)).map(\.node) == [NodeID(1)])
  }
}
