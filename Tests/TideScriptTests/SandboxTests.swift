import Testing
import TideFixtures
import TideGraph

@testable import TideScript

@Suite struct SandboxTests {
  /// What a script prints.
  private func output(_ text: String) throws -> [String] {
    let lines = Lines()
    _ = try load(text + " return tide.input 'x'", lines: lines)
    return lines.all
  }

  @Test func `only these globals are there`() throws {
    #expect(
      try output(
        "local names = {} for name in pairs(_G) do names[#names + 1] = name end print(table.concat(names, ' '))")
        == [
          "_G _VERSION assert coroutine error getmetatable ipairs math next pairs pcall print rawequal rawget rawlen rawset "
            + "require select setmetatable string table tonumber tostring type utf8 xpcall"
        ])
  }

  @Test(arguments: [
    ("string", "byte char find format gmatch gsub len lower match pack packsize rep reverse sub unpack upper"),
    ("table", "concat insert move pack remove sort unpack"), ("utf8", "char charpattern codepoint codes len offset"),
    ("coroutine", "close create isyieldable resume running status wrap yield"),
    (
      "tide",
      "aggregate all array barrier base64 distinct error fail failed fallback fetch file filter format get group hmac input "
        + "json log map md5 merge now null object ok path pick queue raw request response secret sha256 signal sleep slice sort "
        + "step url value"
    ),
  ])
  func `a library has these functions`(library: String, expected: String) throws {
    let names =
      "local names = {} for name in pairs(\(library)) do names[#names + 1] = name end print(table.concat(names, ' '))"
    #expect(try output(names) == [expected])
  }

  @Test(arguments: [
    ("\nlocal a = nosuch", "T0102 test.lua:2:11-17: undefined variable 'nosuch'"),
    ("\nassert(nosuch)", "T0102 test.lua:2:8-14: undefined variable 'nosuch'"),
    (
      "local detail = tide.input 'd'\nreturn tide.merge 'm' { detial }",
      "T0102 test.lua:2:25-31: undefined variable 'detial' | did you mean 'detail'?"
    ),
    (
      "local up = 1 local function f()\nreturn u + upp end return f()",
      "T0102 test.lua:2:8-9: undefined variable 'u' | did you mean 'up'?"
    ),
    (
      "tide.input 'detail'\nreturn tide.merge 'm' { detail }",
      "T0102 test.lua:2:25-31: undefined variable 'detail' | 'detail' is the name of a node: keep its handle in a variable, "
        + "local detail = tide..."
    ),
    (
      "tide.input 'detail'\nreturn tide.merge 'm' { detai }",
      "T0102 test.lua:2:25-30: undefined variable 'detai' | did you mean the node 'detail'? Keep its handle in a variable"
    ),
    ("return pirnt(1)", "T0102 test.lua:1:40-45: undefined variable 'pirnt' | did you mean 'print'?"),
    (
      "local t = os.time()",
      "T0102 test.lua:1:43-45: undefined variable 'os' | a script sees no files, no clock and no "
        + "environment: it gets what it needs as tide.input; tide.now() is the time in a step"
    ),
    (
      "load('return 1')()",
      "T0102 test.lua:1:33-37: undefined variable 'load' | a script runs no code from texts: put it "
        + "into a file beside the script, and require it"
    ),
    ("local a = _G.nosuch", "T0102 test.lua:1:46-52: undefined variable 'nosuch'"),
    ("local a = _G[1]", "T0102 test.lua:1: a global has a name, and a number is none"),
  ])
  func `an undefined global is an error, always`(text: String, expected: String) {
    #expect(complaints(text) == [expected])
  }

  @Test func `a global may be asked for and assigned while declaring`() throws {
    #expect(
      try output(
        "print(rawget(_G, 'later'), pcall(function() return later end)) function later() return 1 end print(later())")
        == ["nil\tfalse\ttest.lua:1: undefined variable 'later'", "1"])
  }

  @Test(arguments: [
    ("math.random()", "there is no randomness in a script: the same inputs must give the same run"),
    ("string.format('%p', {})", "'%p' is not to be had: an address is different in every run"),
    ("setmetatable({}, { __gc = print })", "'__gc' is not to be had: nothing runs when a table is freed"),
    ("setmetatable(_G, {})", "cannot change a protected metatable"),
    ("setmetatable(string, {})", "the metatable of a read-only table can't be changed"),
    ("string.upper = 1", "'upper' can't be assigned: 'string' is read-only"),
    ("rawset(string, 'upper', 1)", "'upper' can't be assigned: 'string' is read-only"),
    ("rawset(tide, 'x', 1)", "'x' can't be assigned: 'tide' is read-only"),
    ("table.insert(table, 1)", "[1] can't be assigned: 'table' is read-only"),
    ("local x = string.dump", nil), ("local x = getmetatable('').__index", "attempt to index a boolean value"),
    (
      "coroutine.yield()",
      "coroutine.yield outside of a coroutine: only what coroutine.wrap or coroutine.create runs can yield"
    ),
    ("tide.now()", "there is no clock while the script declares"),
    ("setmetatable(getmetatable(tide.array {}), {})", "bad argument #1 to 'setmetatable' (table expected, got nil)"),
  ])
  func `what would undo the sandbox is refused`(lua: String, expected: String?) {
    let found = complaints("\n\(lua)\nreturn tide.input 'x'")
    guard let expected else {
      #expect(found == [])
      return
    }
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("T0104 test.lua:2") == true)
    #expect(found.first?.contains(": \(expected)") == true, "\(found)")
  }

  @Test func `no address shows`() throws {
    #expect(
      try output(
        "print(tostring({}), tostring(print), string.format('%s %s', {}, print), coroutine.create(print), "
          + "tostring(setmetatable({}, { __name = 'Point' })), tostring(setmetatable({}, { __tostring = function() return 'p' end })))"
      )
        == ["table\tfunction\ttable function\tthread\tPoint\tp"])
  }

  @Test func `a metatable of the script's own works`() throws {
    #expect(
      try output(
        "local P = {} P.__index = P P.__add = function(a, b) return a.x + b.x end function P.len(s) return s.x end "
          + "local p = setmetatable({ x = 2 }, P) print(p:len(), p + p, getmetatable(p) == P, rawequal(p, p), rawlen({ 1, 2 }))"
      )
        == ["2\t4\ttrue\ttrue\t2"])
  }

  @Test(arguments: [
    ("pcall(error, 'x')", "false\tx"), ("pcall(error)", "false\tnil"), ("pcall(print)", nil),
    ("pcall(function(...) return ... end, 1, nil, 3)", "true\t1\tnil\t3"),
    ("pcall(error, { a = 1 })", "false\t{\"a\":1}"),
    ("pcall(function() error('x') end)", "false\ttest.lua:1: x"),
    ("pcall(function() error('x', 0) end)", "false\tx"),
    ("xpcall(function(a) error(a, 0) end, function(e) return e .. '!' end, 'x')", "false\tx!"),
    ("xpcall(function(...) return ... end, print, 1, 2)", "true\t1\t2"),
    ("xpcall(error, function() error('y', 0) end)", nil),
    ("select('#', pcall(error))", "2"), ("pcall(tide.fail, 'm', 1)", "false\tm"),
    ("select(2, pcall(tide.fail, 'm', { 1 })).data[1]", "1"),
  ])
  func `errors can be caught`(lua: String, expected: String?) throws {
    if let expected {
      #expect(try output("print(\(lua))").last == expected)
    } else if lua.hasPrefix("xpcall") {
      #expect(complaints("print(\(lua))") == ["T0104 test.lua:1: y"])
    }
  }

  @Test(arguments: [
    ("coroutine.wrap(function(a) local b = coroutine.yield(a + 1) return b * 2 end)", "f(1), f(5)", "2\t10"),
    ("coroutine.create(function() error('x') end)", "coroutine.resume(f)", "false\ttest.lua:1: x"),
    ("coroutine.create(function() error({ 1 }) end)", "coroutine.resume(f)", "false\t[1]"),
    (
      "coroutine.create(function() end)", "coroutine.resume(f), coroutine.resume(f)",
      "true\tfalse\tcannot resume dead coroutine"
    ),
    ("coroutine.wrap(function() error('x', 0) end)", "pcall(f)", "false\tx"),
    ("coroutine.wrap(function() return pcall(coroutine.yield, 1) end)", "f(), f(7, 8)", "1\ttrue\t7\t8"),
    (
      "coroutine.create(function() local t <close> = setmetatable({}, { __close = function() print 'closed' end }) coroutine.yield() end)",
      "coroutine.resume(f), coroutine.close(f), coroutine.status(f)", "true\ttrue\tdead"
    ),
    (
      "coroutine.create(function() return coroutine.resume(f) end)", "pcall(coroutine.close, coroutine.running())",
      "false\tcannot close a running coroutine"
    ),
    (
      "nil", "pcall(coroutine.resume, 1)",
      "false\tbad argument #1 to 'coroutine.resume' (coroutine expected, got number)"
    ),
  ])
  func `coroutines work`(function: String, calls: String, expected: String) throws {
    #expect(try output("local f f = \(function) print(\(calls))").last == expected)
  }
}

@Suite struct SyntaxTests {
  @Test(arguments: [
    ("\nlocal x = = 1", "T0101 test.lua:2:9-10: unexpected symbol near '='"),
    ("\nif true then\n", "T0101 test.lua:3: 'end' expected (to close 'if' at line 2) near <eof>"),
    ("\nlocal function f( end", "T0101 test.lua:2:19-22: <name> or '...' expected near 'end'"),
    ("\nx = 'abc", "T0101 test.lua:2: unfinished string near <eof>"),
    ("\ngoto nowhere", "T0101 test.lua:2: no visible label 'nowhere' for <goto> at line 2"),
    ("\nlocal x <const> = 1 x = 2", "T0101 test.lua:2:7-8: attempt to assign to const variable 'x'"),
  ])
  func `a syntax error is told at its place`(text: String, expected: String) {
    #expect(complaints(text) == [expected])
  }

  @Test(arguments: [
    ("\nlocal t = {} return t.items[1]", "T0104 test.lua:2:23-28: attempt to index a nil value (field 'items')"),
    ("\nlocal t = {}\nt.x.y = 1", "T0104 test.lua:3:3-4: attempt to index a nil value (field 'x')"),
    ("\nlocal n = nil + 1", "T0104 test.lua:2: attempt to perform arithmetic on a nil value"),
    ("\nlocal f = 5\nf()", "T0104 test.lua:3:1-2: attempt to call a number value (local 'f')"),
    ("\nlocal s = ''\ns:nosuch()", "T0104 test.lua:3:3-9: attempt to call a nil value (method 'nosuch')"),
    ("\nerror('boom')", "T0104 test.lua:2: boom"), ("\nerror('boom', 0)", "T0104 test.lua:2: boom"),
    ("\nerror({ message = 'm' })", "T0104 test.lua:2: m"), ("\nerror({ 1 })", "T0104 test.lua:2: an error: [1]"),
    ("\nerror()", "T0104 test.lua:2: error(nil): an error without a message"),
    ("\nerror(print)", "T0104 test.lua:2: an error that is a function"),
    ("\nlocal function f() error('up', 2) end\nf()", "T0104 test.lua:3: up"),
    ("\ntable.sort({ 1, {} })", "T0104 test.lua:2: attempt to compare table with number"),
    (
      "\ntable.sort({ 2, 1 }, function()\nreturn nil + 1 end)",
      "T0104 test.lua:3: attempt to perform arithmetic on a nil value"
    ),
    ("\nlocal x = ('x'):rep(-1, 2, 3):bad()", "T0104 test.lua:2:31-34: attempt to call a nil value (method 'bad')"),
    ("\nlocal function f() return f() + 1 end f()", "T0104 test.lua:2: stack overflow"),
    ("\ncoroutine.wrap(function()\nerror('in') end)()", "T0104 test.lua:3: in"),
    ("\ncoroutine.wrap(function()\nerror({ message = 'in' }) end)()", "T0104 test.lua:3: in"),
    ("\ntide.fail('stop')", "T0104 test.lua:2: stop"),
  ])
  func `an error while declaring is told at its line`(text: String, expected: String) {
    let found = complaints(text)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix(expected) == true, "\(found)")
  }

  @Test func `a first line for the shell and a byte order mark are skipped`() throws {
    let executor = TideFixtures.SimulatedExecutor()
    for start in ["#!/usr/bin/env tidegate\n", "\u{FEFF}\n"] {
      let text = start + "local tide = require 'tidegate'\nreturn tide.input 'x'"
      let script = try Script.load(name: "s.lua", text: text, folder: nil, executor: executor, output: { _ in })
      #expect(script.plan.nodes.map(\.place.line) == [3])
    }
  }

  @Test func `precompiled code is no script`() {
    let found = complaints("")
    #expect(
      found == [
        "T0207 test.lua:1: the script returns nothing | end it with 'return' and the handle of the node whose "
          + "value is the result, or a table of handles"
      ])
    do {
      _ = try Script.load(
        name: "s.lua", text: "\u{1B}LuaT", folder: nil, executor: TideFixtures.SimulatedExecutor(), output: { _ in })
      Issue.record("loaded")
    } catch {
      #expect(error.all.map(\.message) == ["attempt to load a binary chunk (mode is 't')"])
    }
  }

  @Test func `a long name of a file stays whole in places`() {
    let name = String(repeating: "folder/", count: 20) + "script.lua"
    do {
      _ = try Script.load(
        name: name, text: "\nlocal x = nil + 1", folder: nil, executor: TideFixtures.SimulatedExecutor(),
        output: { _ in })
      Issue.record("loaded")
    } catch {
      #expect(error.all.map(\.location) == [Location(file: name, line: 2)])
      #expect(error.all.map(\.message) == ["attempt to perform arithmetic on a nil value"])
    }
  }
}
