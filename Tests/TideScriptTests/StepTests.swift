import Testing
import TideBarrier
import TideFixtures
import TideGraph
import TideValue

@testable import TideScript

@Suite struct StepTests {
  @Test(arguments: [
    ("function() return 1 end", "1"), ("function() end", "null"), ("function() return nil end", "null"),
    ("function() return nil, nil end", "null"), ("function() return tide.null end", "null"),
    ("function() return ('a'):gsub('a', 'b') end", "\"b\""), ("function() return {} end", "[]"),
    ("function() return tide.object {} end", "{}"), ("function() return tide.object() end", "{}"),
    ("function() return tide.array {} end", "[]"), ("function() return 3.0 end", "3.0"),
    ("function() return false end", "false"), ("function() return false, 'x' end", "false"),
    ("function() return tide.now() end", "1.5"), ("function() return math.maxinteger end", "9223372036854775807"),
    ("function() return { b = 1, a = { 1, tide.null } } end", #"{"a":[1,null],"b":1}"#),
    ("function(...) return select('#', ...) end", "0"),
  ])
  func `a step's value is what it returns`(function: String, expected: String) throws {
    #expect(try step(function) == expected)
  }

  @Test func `a step gets its inputs by position`() throws {
    let stage = try Stage(step: "function(a, b, c) return { a, b, c == tide.null } end")
    #expect(try stage.run("s", Value(1), Value("x"), .null).said == #"[1,"x",true]"#)
  }

  @Test(arguments: [
    ("error('boom')", "step test.lua:2: boom"), ("error('boom', 0)", "step test.lua:2: boom"),
    ("error()", "step test.lua:2: error(nil): an error without a message"),
    ("error({ code = 7 })", #"step test.lua:2: an error: {"code":7} = {"code":7}"#),
    ("error({ message = 'm', code = 7 })", #"step test.lua:2: m = {"code":7,"message":"m"}"#),
    ("error(print)", "step test.lua:2: an error that is a function"),
    ("error(true)", "step test.lua:2: an error that is a boolean"),
    ("error(5)", "step test.lua:2: an error that is a number"),
    ("return tide.json.decode('1e400') .. {}", "step test.lua:2: attempt to join a table to a text"),
    ("tide.fail('bad', { code = 7 })", #"step test.lua:2: bad = {"code":7}"#),
    ("tide.fail('bad')", "step test.lua:2: bad"),
    ("tide.fail('bad', tide.null)", "step test.lua:2: bad = null"),
    ("tide.fail()", "step test.lua:2: tide.fail takes a message, which is a text, and has nil"),
    ("return nil, 'why'", "step test.lua:1: why"),
    ("return nil, { code = 7 }", #"step test.lua:1: an error: {"code":7} = {"code":7}"#),
    ("return nil, false", "step test.lua:1: false"), ("return nil, 404", "step test.lua:1: 404"),
    ("return pcall(error, 'x')", "false"),
    ("local ok, err = pcall(function()\nerror('deep') end) return nil, err", "step test.lua:3: deep"),
    ("local ok, err = pcall(function()\nerror('deep') end) error(err, 0)", "step test.lua:3: deep"),
    ("local t = {} return t.items.x", "step test.lua:2:23-28: attempt to index a nil value (field 'items')"),
    ("return nosuch", "step test.lua:2:8-14: undefined variable 'nosuch'"),
    (
      "return tide.null.x",
      "step test.lua:2:18-19: attempt to index tide.null (field 'x') | it is JSON's null, and true to 'if': ask v == tide.null, or use "
        + "tide.get(v, \"a.b\", default)"
    ),
    (
      "table.sort({ 3, 2, 1 }, function(a, b)\nreturn a.x < b.x end)",
      "step test.lua:3:8-9: attempt to index a number value (local 'a')"
    ),
    ("return coroutine.wrap(function()\nerror('in') end)()", "step test.lua:3: in"),
    (
      "coroutine.yield(1)",
      "step test.lua:2: coroutine.yield outside of a coroutine: only what coroutine.wrap or coroutine.create runs can yield"
    ),
    (
      "local x <close> = setmetatable({}, { __close = function() error('closing') end }) error('first')",
      "step test.lua:2: first"
    ),
  ])
  func `a step fails with a message and a place`(body: String, expected: String) throws {
    #expect(try step("function()\n\(body) end") == expected)
  }

  @Test(arguments: [
    ("print", "'x' is a function, which is no value"), ("0/0", "'x' is NaN, which no JSON number is"),
    ("-1/0", "'x' is infinite, which no JSON number is"),
    (
      "{ 1, nil, 3 }",
      "'x[2]' is missing: a list has no holes, and "
        + "tide.null stands for nothing"
    ),
    ("{ 1, a = 2 }", "'x' has keys of both kinds: it is neither a list (1...n) nor an object (texts)"),
    ("{ [3] = 1 }", "'x[1]' is missing: a list has no holes, and tide.null stands for nothing"),
    ("{ a = 1, [1.5] = 1 }", "'x' has keys of both kinds: it is neither a list (1...n) nor an object (texts)"),
    ("{ [true] = 1 }", "'x' has a key that is a boolean: the keys of an object are texts"),
    ("'\\xff'", "'x' is a text that is not UTF-8: tide.base64 makes a text of bytes"),
    ("{ ['\\xc0\\x80'] = 1 }", "'x' has a key that is not UTF-8"),
    (
      "'\\xed\\xa0\\x80'",
      "'x' is a text that is not UTF-8: "
        + "tide.base64 makes a text of bytes"
    ),
    ("cycle", "'x.me' is a table that it lies in itself: a cycle"),
    (
      "{ y = { { cycle } } }",
      "'x.y[1][1].me' is a table that it "
        + "lies in itself: a cycle"
    ),
    ("coroutine.create(print)", "'x' is a thread, which is no value"),
  ])
  func `what is no value can't be returned`(lua: String, expected: String) throws {
    let said = try step("function() local cycle = {} cycle.me = cycle return { x = \(lua) } end")
    #expect(said == "type test.lua:1: the step returned what is no value: \(expected)")
  }

  @Test func `nesting has an end, both ways`() throws {
    let deep = String(repeating: "[", count: 900) + String(repeating: "]", count: 900)
    #expect(try step("function(v) return v end", deep) == deep)
    let limit = String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)
    #expect(try step("function(v) return v end", limit) == limit)
    let said = try step("function() local t = {} for i = 1, 5000 do t = { t } end return t end")
    #expect(said.hasSuffix("is nested too deep"))
    var value = Value.array([])
    for _ in 0..<5000 { value = .array([value]) }
    let result = try Stage(step: "function(v) return 1 end").run("s", value).said
    #expect(result == "step test.lua:1: the value is nested deeper than 1000 levels")
  }

  @Test func `print and log go to the run, in a step`() throws {
    let stage = try Stage(step: "function() print('a', 1) tide.log('b', { x = 1 }) end")
    #expect(try stage.say() == "null")
    #expect(stage.lines.all == ["0: a\t1", #"0: b {"x":1}"#])
  }

  @Test func `steps run one after the other on one lane, and each ends once`() throws {
    let executor = DispatchExecutor()
    let script = try load("return tide.step 's' { run = function(n) return n * 2 end }", executor: executor)
    guard case .step(let spec) = script.plan.nodes[0].verb else { return }
    let done = Completion<[Int64]>()
    let sums = Locked<[Int64]>([])
    let context = StepContext(node: NodeID(0), name: "s", location: nil, wallClock: { 0 }, log: { _, _ in })
    for number in 0..<1000 {
      _ = script.run(spec.function, arguments: [Value(number)], context: context) { result in
        let all = sums.withLock { sums in
          sums.append((try? result.get())?.int64 ?? -1)
          return sums
        }
        if all.count == 1000 { done.complete(all) }
      }
    }
    #expect(try done.wait() == (0..<1000).map { Int64($0 * 2) })
  }

  @Test func `coroutines work inside of a step`() throws {
    #expect(
      try step(
        """
        function()
          local out = {}
          local produce = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end)
          for i in produce do out[#out + 1] = i end
          return out
        end
        """) == "[1,2,3]")
  }

  @Test func `an unknown function fails, and does no harm`() throws {
    let stage = try Stage(step: "function() return 1 end")
    let results = Locked<[String]>([])
    _ = stage.script.run(FunctionID(999), arguments: [], context: stage.context("s")) { result in
      results.withLock { $0.append(result.said) }
    }
    try stage.executor.runUntilIdle()
    #expect(results.withLock { $0 } == ["step test.lua:1: the script has no such function"])
    #expect(try stage.say() == "1")
  }
}

@Suite struct ConversionTests {
  @Test(arguments: [
    "null", "true", "1", "-1", "9223372036854775807", "-9223372036854775808", "0.5", "1.5e+300", "\"\"", "\"é😀\"",
    "123456789012345678901234567890", "-9223372036854775809", "1e400", "-1e400", "[]", "{}", "[[],{}]",
    #"{"a":[],"b":{},"c":[null]}"#, #""a\nb\"\\\u0001""#, "[123456789012345678901234567890,1e999]", "-0.0", "2.0",
  ])
  func `a value passes through a step as it is`(text: String) throws {
    #expect(try step("function(v) return v end", text) == text)
  }

  @Test(arguments: [
    ("1.10", "1.1"), ("-0", "-0.0"), ("1e2", "100.0"), ("\"\\u0041\\/\"", "\"A/\""), ("\"\\ud83d\\ude00\"", "\"😀\""),
    ("\"\\ud800x\"", "\"\u{FFFD}x\""),
    (" [ 1 , { \"x\" : [ ] } ] ", #"[1,{"x":[]}]"#), ("0.1000000000000000055511151231257827", "0.1"),
    ("5e-324", "5e-324"),
    ("\"\\b\\f\\n\\r\\t\\\"\\\\\"", #""\b\f\n\r\t\"\\""#),
  ])
  func `what has another form in Lua gets it`(text: String, expected: String) throws {
    #expect(try step("function(v) return v end", text) == expected)
  }

  @Test(arguments: [
    (#"{"b":1,"a":2}"#, #"{"a":2,"b":1}"#), (#"{"a":1,"a":2}"#, #"{"a":2}"#), ("[1.10]", "[1.1]"),
  ])
  func `an object or a list has another form once something in it was changed`(text: String, expected: String) throws {
    #expect(try step("function(v) v.other = nil return v end", text) == expected)
  }

  @Test func `an object that is emptied stays an object`() throws {
    #expect(try step("function(v) v.a = nil return v end", #"{"a":1}"#) == "{}")
    #expect(try step("function(v) v.x[1] = nil return v end", #"{"x":[1]}"#) == #"{"x":[]}"#)
  }

  @Test(arguments: [
    ("math.type(v)", "12", "\"integer\""), ("math.type(v)", "12.0", "\"float\""), ("type(v)", "1e400", "\"userdata\""),
    ("tostring(v)", "1e400", "\"1e400\""), ("v .. '!'", "1e400", "\"1e400!\""), ("v == v", "1e400", "true"),
    ("type(v)", "null", "\"userdata\""), ("v == tide.null", "null", "true"), ("tostring(v)", "null", "\"null\""),
    ("v and 1 or 2", "null", "1"), ("#v", "[1,null]", "2"), ("v[2] == tide.null", "[1,null]", "true"),
    ("getmetatable(v) == nil", "{}", "true"), ("setmetatable(v, { __index = { x = 5 } }).x", "{}", "5"),
    ("#v", "\"é\"", "2"),
  ])
  func `a value reads in Lua`(lua: String, text: String, expected: String) throws {
    #expect(try step("function(v) return \(lua) end", text) == expected)
  }

  @Test(arguments: [
    ("v + 1", "1e400", "attempt to compute with the number 1e400, which is beyond what Lua's numbers can hold"),
    (
      "-v", "123456789012345678901234567890123456789012345",
      "attempt to compute with the number 1234567890123456789012345678901234567..., which is beyond what Lua's numbers can hold"
    ),
    ("v < 1", "1e400", "attempt to compute with the number 1e400, which is beyond what Lua's numbers can hold"),
    ("v.x", "null", "attempt to index tide.null (field 'x')"),
    ("v.x.y", #"{"x":null}"#, "attempt to index tide.null (field 'y')"), ("v()", "null", "attempt to call tide.null"),
    ("v .. 'x'", "null", "attempt to join tide.null to a text"),
    ("#v", "null", "attempt to get the length of tide.null"),
    ("v + 1", "null", "attempt to compute with tide.null"), ("v < 1", "null", "attempt to compare with tide.null"),
    ("pairs(v)", "null", "attempt to walk tide.null with pairs"),
    ("ipairs(v)(v, 0)", "null", "attempt to index tide.null (field '?')"),
    ("table.concat(v)", "null", "attempt to walk tide.null with table.concat"),
  ])
  func `null and numbers beyond Lua's explain themselves`(lua: String, text: String, expected: String) throws {
    let said = try step("function(v) local x = \(lua) end", text)
    #expect(said.hasPrefix("step test.lua:1:"))
    #expect(said.contains(": \(expected) | "), "\(said)")
  }

  @Test func `bytes are a text in Lua, also inside of a list`() throws {
    let bytes = Value(bytes: Buffer(copying: [0xFF, 0x00]))
    let stage = try Stage(step: "function(v, w) return { #v, v:byte(1), #w[1].x, w[1].x == v } end")
    #expect(try stage.run("s", bytes, .array([.object([("x", bytes)])])).said == "[2,255,2,true]")
  }

  @Test func `a large list goes in and comes out`() throws {
    let text = "[" + (0..<20_000).map { #"{"id":\#($0),"name":"n\#($0)"}"# }.joined(separator: ",") + "]"
    #expect(try step("function(v) return v end", text) == text)
  }

  @Test func `an object of many fields keeps byte order`() throws {
    let keys = (0..<500).map { "k\($0)" }.sorted()
    let text = "{" + keys.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
    #expect(try step("function(v) return v end", text) == text)
  }
}
