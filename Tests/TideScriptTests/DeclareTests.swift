import Testing
import TideGraph
import TideValue

@testable import TideScript

@Suite struct DeclareTests {
  @Test func `the Gather script declares its plan`() throws {
    let script = try load(
      """

      local api = tide.input "api" { default = "https://api.example.com" }
      local uid, session = tide.input "uid", tide.input "session_id"
      local token = tide.step "token" { uid, session, run = function(uid, session)
        return tide.md5(uid .. session)
      end }
      local detail = tide.request "detail" {
        POST    = api .. "/relation/detail",
        form    = { uid = uid, session_id = session, token = token },
        expect  = { body = { code = "200" }, message = "message" },
        extract = "data.relation",
      }
      local reward = tide.request "reward" { POST = api .. "/relation/reward" }
      local shares = tide.merge "shares" { detail, reward, wait = "settled" }
      return tide.sort "page" { shares, by = "createTime" }
      """)
    let plan = script.plan
    #expect(plan.nodes.map(\.name) == ["api", "uid", "session_id", "token", "detail", "reward", "shares", "page"])
    #expect(plan.nodes.map(\.place.line) == [2, 3, 3, 4, 7, 13, 14, 15])
    #expect(plan.dependencies(of: NodeID(4)).map { $0.node.index } == [0, 2, 3, 1])
    guard case .expression(.value(of: NodeID(7)))? = plan.result else {
      Issue.record("the result is \(String(describing: plan.result))")
      return
    }
    #expect(plan.sources.files.map(\.name) == ["test.lua"])
  }

  @Test func `the parenthesised form and a name from a variable are the same`() throws {
    let script = try load(
      "local name = 'a' .. 1 local h = tide.step(name, { run = function() end }) return tide.step(\"b\")({ h, run = print })"
    )
    #expect(script.plan.nodes.map(\.name) == ["a1", "b"])
    #expect(script.plan.dependencies(of: NodeID(1)).count == 1)
  }

  @Test func `an input without a table takes its place at its line`() throws {
    let script = try load("local a = tide.input 'a' tide.input 'b' local c = tide.secret 'c' return { c, a }")
    #expect(script.plan.nodes.map(\.name) == ["a", "b", "c"])
  }

  @Test func `options are in byte order, however they are written`() throws {
    let script = try load("return tide.request 'r' { GET = 'http://x/', json = { z = 1, a = 2, B = 3, ['é'] = 4 } }")
    guard case .request(let request) = script.plan.nodes[0].verb, case .json(let body) = request.body else {
      Issue.record("no request with a JSON body")
      return
    }
    #expect(body.constant?.description == #"{"B":3,"a":2,"z":1,"é":4}"#)
  }

  @Test(arguments: [
    ("1", "1"), ("math.mininteger", "-9223372036854775808"), ("3.0", "3.0"), ("0.1", "0.1"), ("1e100", "1e+100"),
    ("true", "true"), ("tide.null", "null"), ("'a\\u{1F600}'", "\"a😀\""), ("{}", "[]"), ("tide.object{}", "{}"),
    ("tide.array{}", "[]"), ("{ 1, { 2 } }", "[1,[2]]"), ("{ a = { b = {} } }", #"{"a":{"b":[]}}"#),
    ("tide.json.decode('[1.5, 123456789012345678901234567890]')[2]", "123456789012345678901234567890"),
  ])
  func `a constant keeps its value`(lua: String, expected: String) throws {
    let script = try load("return tide.step 's' { \(lua), run = print }")
    guard case .step(let step) = script.plan.nodes[0].verb else {
      Issue.record("no step")
      return
    }
    #expect(step.arguments.map { $0.constant?.description } == [expected])
  }

  @Test(arguments: [
    ("{ 1, nil, 3 }", "T0205 test.lua:1: step \"s\": '[1][2]' is nil: a list has no holes"),
    (
      "{ 1, a = 2 }",
      "T0205 test.lua:1: step \"s\": '[1]' has items and named fields: it is neither a list nor an object"
    ),
    ("{ a = { [1.5] = 2 } }", "T0205 test.lua:1: step \"s\": '[1].a' has a key that is a number outside of 1...n"),
    ("{ [true] = 2 }", "T0205 test.lua:1: step \"s\": '[1]' has a key that is a boolean: a key is a text"),
    ("{ x = 0/0 }", "T0205 test.lua:1: step \"s\": '[1].x' is NaN, which no JSON number is"),
    ("{ x = { 1/0 } }", "T0205 test.lua:1: step \"s\": '[1].x[1]' is infinite, which no JSON number is"),
    ("'\\xff'", "T0205 test.lua:1: step \"s\": '[1]' is a text that is not UTF-8"),
    ("{ ['\\xff'] = 1 }", "T0205 test.lua:1: step \"s\": '[1]' has a key that is not UTF-8"),
    ("coroutine.create(print)", "T0205 test.lua:1: step \"s\": '[1]' is a coroutine, which is no value"),
    ("cycle", "T0205 test.lua:1: step \"s\": '[1].me' is a table that it lies in itself: a cycle"),
    ("deep", "T0205 test.lua:1: step \"s\": '[1]"),
  ])
  func `what is no value is refused at its path`(lua: String, expected: String) {
    let found = complaints(
      "local cycle = {} cycle.me = cycle local deep = {} for i = 1, 300 do deep = { deep } end "
        + "return tide.step 's' { \(lua), run = print }")
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix(expected) == true, "\(found)")
  }

  @Test func `a hole among the inputs is an error`() {
    #expect(
      complaints("local t = {} return tide.merge 'm' { tide.input 'a', t.b, tide.input 'c' }") == [
        "T0205 test.lua:1: merge \"m\": '[2]' is nil: a list has no holes | tide.null stands for a value that is nothing"
      ])
  }

  @Test(arguments: [
    (
      "\nlocal r = tide.request 'r'\nreturn tide.input 'x'",
      [
        "T0208 test.lua:2: request \"r\": its table is missing | write tide.request \"r\" { ... }, with its inputs and options"
      ]
    ),
    (
      "local r = tide.step 'r' return tide.merge 'm' { r }",
      ["T0208 test.lua:1: merge \"m\": '[1]' is step \"r\" without its table | write tide.step \"r\" { ... }"]
    ),
    (
      "local a = tide.input 'a' a {} a {}",
      [
        "T0206 test.lua:1: 'call' of the handle 'a': its value is not known while the script declares | "
          + "use it inside a step: tide.step \"name\" { a, run = function(v) return v end }"
      ]
    ),
    (
      "local a = tide.input 'a' tide.input 'b' a { default = 1 } return a",
      [
        "T0206 test.lua:1: input \"a\" is declared already, and is given a table once more | "
          + "its table stands directly behind its name: tide.input \"a\" { ... }"
      ]
    ),
    (
      "return tide.request { GET = 'http://x/' }",
      ["T0205 test.lua:1: tide.request needs a name before its table | write tide.request \"name\" { ... }"]
    ),
    ("return tide.request(nil)", ["T0205 test.lua:1: tide.request needs a name, which is a text, and has nil"]),
    (
      "return tide.request('r', 5)",
      ["T0205 test.lua:1: request \"r\": its table is a number | write tide.request \"r\" { ... }"]
    ),
    (
      "return tide.request('r', nil)",
      ["T0205 test.lua:1: request \"r\": its table is nil | write tide.request \"r\" { ... }"]
    ),
    ("return tide.requets 'r' {}", ["T0102 test.lua:1: there is no tide.requets | did you mean 'request'?"]),
    ("tide.request = 1", ["T0104 test.lua:1: 'request' can't be assigned: 'tide' is read-only"]),
  ])
  func `a declaration that is no declaration is an error at its line`(text: String, expected: [String]) {
    #expect(complaints(text) == expected)
  }

  @Test func `all that is wrong is told at once`() {
    let found = complaints(
      """

      local a = tide.request "a" { GTE = "http://x/" }
      local b = tide.sort "b" { a }
      return b + 1
      """)
    #expect(found.count == 4)
    #expect(found.last?.hasPrefix("T0206 test.lua:4: '+' of the handle 'b'") == true)
  }
}

@Suite struct ResultTests {
  @Test func `a script returns a handle, or tables of handles and constants`() throws {
    let script = try load("local a = tide.input 'a' return { a, { name = 'x', field = a.b, list = {} }, 'text ' .. a }")
    guard case .list(let items)? = script.plan.result, items.count == 3, case .table(let fields) = items[1] else {
      Issue.record("the result is \(String(describing: script.plan.result))")
      return
    }
    #expect(fields.map(\.key) == ["field", "list", "name"])
  }

  @Test(arguments: [
    ("tide.input 'a'\n", "T0207 test.lua:1: the script returns nothing"),
    ("tide.input 'a'\nreturn nil", "T0207 test.lua:2: the script returns nothing"),
    ("tide.input 'a'\nreturn 'x'", "T0204 test.lua:2: the script returns a text, where a handle is expected"),
    ("tide.input 'a'\nreturn { 1, 2 }", "T0204 test.lua:2: the script returns a table without a handle"),
    ("local a = tide.input 'a'\nreturn a, a", "T0204 test.lua:2: the script returns 2 values"),
    ("return { tide.input 'a', print }", "T0204 test.lua:1: the result holds a function"),
    ("return { tide.queue 'a' { width = 1 } }", "T0204 test.lua:1: the result holds a queue, which has no value"),
    ("return tide.queue 'a' { width = 1 }", "T0204 test.lua:1: the result holds a queue, which has no value"),
    ("return { tide.input 'a', { x = 0/0 } }", "T0205 test.lua:1: the result: '[2].x' is NaN, which no JSON number is"),
  ])
  func `what is no result is an error`(text: String, expected: String) {
    let found = complaints(text)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix(expected) == true, "\(found)")
  }
}
