import Testing
import TideGraph
import TideValue

@testable import TideScript

@Suite struct HandleTests {
  /// How the expression of a handle reads.
  private func title(_ lua: String) throws -> String {
    let script = try load(
      "local h = tide.request 'h' { GET = 'http://x/' } local k = tide.input 'k' return { r = \(lua) }")
    guard case .table(let fields)? = script.plan.result, case .expression(let expression) = fields[0].value else {
      return "no expression"
    }
    return expression.title { script.plan.nodes[$0].name }
  }

  @Test(arguments: [
    ("h", "h"), ("h.user.id", "h.user.id"), ("h['a.b']", "h.a.b"), ("h .. '/x/' .. k", "h .. \"/x/\" .. k"),
    ("'a' .. ('b' .. h)", "\"ab\" .. h"), ("(h .. 1) .. 2.5", "h .. \"12.5\""),
    ("tide.path(h, '$.a[0]')", "tide.path(h, \"$.a[0]\")"), ("h .. tide.raw(k)", "h .. tide.raw(k)"),
    ("tide.raw(h .. 'x')", "tide.raw(h) .. \"x\""), ("tide.response(h).status", "tide.response(h).status"),
    ("tide.ok(h)", "tide.ok(h)"), ("tide.failed(h)", "tide.failed(h)"), ("tide.value(h).x", "tide.value(h).x"),
    ("tide.error(h).kind", "tide.error(h).kind"), ("tide.format('%s/%s?%%=%s', h, 'b', 3)", "h .. \"/b?%=3\""),
    ("h .. tide.json.decode('1e400')", "h .. \"1e400\""),
  ])
  func `a handle makes another one`(lua: String, expected: String) throws {
    #expect(try title(lua) == expected)
  }

  @Test func `a path has a default, null too`() throws {
    let script = try load("local h = tide.input 'h' return { a = tide.path(h, 'x', { default = tide.null }) }")
    guard case .table(let fields)? = script.plan.result, case .expression(.path(_, _, let fallback)) = fields[0].value
    else {
      Issue.record("no path")
      return
    }
    #expect(fallback == .null)
  }

  @Test(arguments: ["h.a", "tide.path(h, 'a')"])
  func `a handle that a loop nests without end is refused, and overflows no stack`(lua: String) throws {
    let text = "local h = tide.input 'h' for i = 1, 100000 do h = \(lua) end return h"
    let error = try #require(#expect(throws: Diagnostics.self) { try load(text) })
    #expect(error.all.map(\.message) == ["a handle of more than 200 fields and texts inside each other"])
  }

  static let instead = "its value is not known while the script declares | use it inside a step: "

  @Test(arguments: [
    ("#h", "#", "return #v"), ("h + 1", "+", "return v + 1"), ("1 - h", "-", "return v - 1"), ("-h", "-", "return -v"),
    ("h * 2", "*", "return v * 2"), ("h / 2", "/", "return v / 2"), ("h // 2", "//", "return v // 2"),
    ("h % 2", "%", "return v % 2"), ("h ^ 2", "^", "return v ^ 2"), ("h & 1", "&", "return v & 1"),
    ("h | 1", "|", "return v | 1"), ("h ~ 1", "~", "return v ~ 1"), ("~h", "~", "return ~v"),
    ("h << 1", "<<", "return v << 1"), ("h >> 1", ">>", "return v >> 1"), ("h < 1", "<", "return v < 10"),
    ("1 >= h", "<=", "return v <= 10"), ("h == tide.null", "==", "return v == 10"),
    ("tostring(h)", "tostring", "return tostring(v)"), ("string.format('%s', h)", "tostring", "return tostring(v)"),
    ("h.x()", "call", "return v"), ("tide.md5(h)", "tide.md5", "return tide.md5(v)"),
    ("tide.json(h)", "tide.json", "return tide.json(v)"), ("tide.url(h)", "tide.url", "return tide.url(v)"),
    ("tide.base64(h)", "tide.base64", "return tide.base64(v)"),
    ("tide.hmac('k', h)", "tide.hmac", "return tide.hmac(v)"),
    ("pairs(h)", "pairs", "for i, item in ipairs(v) do ... end"),
    ("next(h)", "next", "for i, item in ipairs(v) do ... end"),
    ("table.concat(h)", "table.concat", "for i, item in ipairs(v) do ... end"),
  ])
  func `what can't be known while declaring says what to write`(lua: String, how: String, instead: String) {
    let title = lua == "h.x()" ? "h.x" : "h"
    #expect(
      complaints("\nlocal h = tide.input 'h'\nlocal x = \(lua)") == [
        "T0206 test.lua:3: '\(how)' of the handle '\(title)': its value is not known while the script declares | "
          + "use it inside a step: tide.step \"name\" { \(title), run = function(v) \(instead) end }"
      ])
  }

  @Test(arguments: [
    ("local x = h[1]", "'[1]' of the handle 'h'"), ("for i in ipairs(h) do end", "'[1]' of the handle 'h'"),
    ("h()", "input \"h\": its table is nil"), ("h.x = 1", "'.x =' of the handle 'h'"),
    ("local x = ('a' .. h).b", "'.b' of the handle '\"a\" .. h'"),
    ("local x = string.upper(h)", "bad argument #1 to 'upper' (string expected, got handle): the handle 'h'"),
    ("local x = string.rep('a', h.n)", "bad argument #2 to 'rep' (number expected, got handle): the handle 'h.n'"),
    ("local x = string.format('%d', h)", "bad argument #2 to 'format' (number expected, got handle): the handle 'h'"),
    ("for i = 1, h do end", "bad 'for' limit (number expected, got handle) | use it inside a step"),
    ("local x = tide.get(h, 'a')", "'tide.get' of the handle 'h'"),
    ("local x = tide.format('%d', h)", "tide.format with a handle knows %s and %%, not %d"),
    ("local x = tide.format('%s %s', h)", "tide.format: value 2 is missing"),
    ("local x = h .. nil", "attempt to join nil to a handle: a text, a number or a handle is expected"),
    ("local x = h .. tide.null", "tide.null can't be joined to a text: it is nothing"),
    ("local x = h .. '\\xff'", "a text that is not UTF-8 can't be joined to a handle"),
    ("local x = tide.path(h, 'a..b')", "path 'a..b', column 3: an empty name between dots"),
    ("local x = tide.path(h, 'a', { defualt = 1 })", "unknown option 'defualt' of tide.path"),
    ("local x = tide.path(1, 'a')", "tide.path takes a handle, and has a number"),
    ("local x = tide.ok(h.x)", "tide.ok takes the handle of a node, and has 'h.x'"),
    ("local x = tide.response(h)", "tide.response takes the handle of a request, and 'h' is none"),
    ("local q = tide.queue 'q' { width = 1 } local x = q.width", "'.width' of the queue 'q': a queue has no value"),
  ])
  func `a handle is refused where a value is wanted`(lua: String, expected: String) {
    let found = complaints("\nlocal h = tide.input 'h'\n\(lua)")
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("T") == true)
    #expect(found.first?.contains(" test.lua:3") == true)
    #expect(found.first?.contains(": \(expected)") == true, "\(found)")
  }

  @Test func `print describes a handle`() throws {
    let lines = Lines()
    _ = try load(
      "local h = tide.input 'h' print(h, h.a, 1, 'x', nil, { b = 1, a = { true } }, tide.null) return h", lines: lines)
    #expect(lines.all == ["handle 'h'\thandle 'h.a'\t1\tx\tnil\t{\"a\":[true],\"b\":1}\tnull"])
  }

  @Test(arguments: [
    ("h + 1", "'+' of the handle 'h'"), ("h.x", "'.x' of the handle 'h'"), ("h .. 'x'", "'..' of the handle 'h'"),
    ("#t.deep", "'#' of the handle 'h.deep'"), ("h()", "'call' of the handle 'h'"),
    ("h == tide.null", "'==' of the handle 'h'"),
    ("tide.md5(f())", "'tide.md5' of the handle 'h'"), ("print(h)", "'print' of the handle 'h'"),
    ("ipairs(h)(h, 0)", "'[1]' of the handle 'h'"), ("tide.format('%s', h)", "'tide.format' of the handle 'h'"),
  ])
  func `a handle in a step is an error that names it`(lua: String, expected: String) throws {
    let stage = try Stage(
      step: "function() local x = \(lua) end",
      before: "local h = tide.input 'h' local t = { deep = h.deep } local function f() return h end")
    let said = try stage.say()
    #expect(said.hasPrefix("step test.lua:1: \(expected) in a step: a handle has no value here"), "\(said)")
  }

  @Test func `a handle that a step returns is an error`() throws {
    let stage = try Stage(step: "function() return { x = { h } } end", before: "local h = tide.input 'h'")
    #expect(
      try stage.say()
        == "type test.lua:1: the step returned what is no value: 'x[1]' is a handle: a step gets the value as an input "
        + "of its own")
  }

  @Test func `declaring in a step is an error`() throws {
    let stage = try Stage(step: "function() return tide.request 'x' {} end")
    #expect(
      try stage.say()
        == "step test.lua:1: tide.request declares, and a step can't: the plan is complete when its first node starts | "
        + "declare the node outside, and give the step its value as an input")
  }
}
