import Testing
import TideGraph
import TideValue

@testable import TideScript

@Suite struct CaptureTests {
  @Test(arguments: [
    ("local n = 0", "n = n + 1", "n"), ("local t = {}", "t = {}", "t"),
    ("local n = 0", "local function inner() n = 1 end inner()", "n"),
    ("local a, b = 1, 2", "local function f() return function() b = 3 end end f()()", "b"),
  ])
  func `a step that assigns what it captured is an error before the run`(before: String, body: String, name: String) {
    let found = complaints("\n\(before)\nreturn tide.step 's' { run = function()\n\(body) end }")
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("T0103 test.lua:4:") == true)
    #expect(
      found.first?.contains(": a step assigns '\(name)', which it captured: what a step captures is read-only") == true,
      "\(found)")
  }

  @Test func `a step may assign its own locals, from inner functions too`() throws {
    #expect(
      try step(
        "function() local n = 0 local function up() n = n + 1 return function() n = n + 1 end end up()() return n end")
        == "2")
  }

  @Test func `a function that counts may be used while declaring`() throws {
    let script = try load(
      """
      local n = 0
      local function name() n = n + 1 return "s" .. n end
      tide.step(name(), { run = function() return 1 end })
      return tide.step(name(), { run = function() return 2 end })
      """)
    #expect(script.plan.nodes.map(\.name) == ["s1", "s2"])
  }

  @Test func `a function that counts fails the step that calls it, and counts nothing`() throws {
    let stage = try Stage(
      """

      local n = 0
      local function count()
        n = n + 1
        return n
      end
      local box = { count = count }
      local function get() return n end
      return {
        tide.step "direct" { run = function() return count() end },
        tide.step "box" { run = function() return box.count() end },
        tide.step "read" { run = function() return get() end },
        tide.step "error" { run = function() count() error("x") end },
      }
      """)
    let expected =
      "step test.lua:4: the step assigned 'n', which was captured: what a step captures is read-only | return the value instead, "
      + "and give it to the next step as an input"
    for name in ["direct", "box", "error", "direct"] {
      #expect(try stage.say(name) == expected)
      #expect(try stage.say("read") == "0")
    }
  }

  @Test(arguments: [
    (
      "t.x = 1",
      "'x' can't be assigned: the step captured its table, and what a step captures is read-only; assign to a local "
        + "table of the step's own"
    ),
    ("t[1] = 1", "[1] can't be assigned: the step captured its table"), ("t.list[1] = 5", "[1] can't be assigned"),
    ("t.deep.er.x = 1", "'x' can't be assigned"), ("table.insert(t.list, 1)", "[4] can't be assigned"),
    ("table.remove(t.list)", "[3] can't be assigned"), ("table.sort(t.list)", "[1] can't be assigned"),
    ("rawset(t, 'x', 1)", "'x' can't be assigned"),
    ("setmetatable(t, {})", "the metatable of a read-only table can't be changed"),
    ("table.move({ 1 }, 1, 1, 1, t.list)", "[1] can't be assigned"), ("Class.x = 1", "'x' can't be assigned"),
    ("getmetatable(obj).x = 1", "'x' can't be assigned"), ("obj.x = 1", "'x' can't be assigned"),
    ("getmetatable(obj).__index.x = 1", "'x' can't be assigned"), ("f().x = 1", "'x' can't be assigned"),
    (
      "x = 1",
      "the global 'x' can't be assigned in a step: globals are read-only once the script has declared; use a local"
    ),
    ("helper = nil", "the global 'helper' can't be assigned in a step"),
    ("_G.x = 1", "the global 'x' can't be assigned in a step"),
    ("rawset(_G, 'x', 1)", "the global 'x' can't be assigned in a step"), ("shared.x = 1", "'x' can't be assigned"),
    ("_ENV.print = 1", "the global 'print' can't be assigned in a step"),
    ("string.x = 1", "'x' can't be assigned: 'string' is read-only"),
    ("gen()", "the coroutine was made before this step began, and a step can't go on with it: make it in the step"),
    ("coroutine.resume(co)", "the coroutine was made before this step began"),
    ("words()", "the iterator was made before this step began"),
    ("walk()", "the iterator was made before this step began"),
  ])
  func `what a step captured is read-only, however it is reached`(body: String, expected: String) throws {
    let stage = try Stage(
      """
      local t = { list = { 3, 2, 1 }, deep = { er = {} } }
      Class = { y = 5 } Class.__index = Class
      local obj = setmetatable({}, Class)
      local hidden = {} local function f() return hidden end
      function helper() return 1 end shared = { y = 1 }
      local gen = coroutine.wrap(function() while true do coroutine.yield(1) end end) gen()
      local co = coroutine.create(function() end)
      local words = ("a b c"):gmatch("%a") words()
      local walk = pairs({ 1, 2 }) walk()
      return tide.step "s" { run = function()
        \(body) end }
      """)
    for _ in 0..<2 {
      let said = try stage.say()
      #expect(said.hasPrefix("step test.lua:11: \(expected)"), "\(said)")
    }
  }

  @Test(arguments: [
    ("#t.list", "3"), ("t.list[2]", "2"), ("select('#', table.unpack(t.list))", "3"),
    ("table.concat(t.list, ',')", "\"3,2,1\""),
    ("rawlen(t.list)", "3"), ("rawget(t, 'a')", "1"), ("rawequal(t, t)", "true"), ("next(t.list)", "1"),
    ("keys(t)", #"["a","list"]"#),
    ("keys(t.list)", "[1,2,3]"), ("t", #"{"a":1,"list":[3,2,1]}"#),
    ("{ t, t.list }", #"[{"a":1,"list":[3,2,1]},[3,2,1]]"#),
    ("obj:get()", "7"), ("getmetatable(obj) == Class", "true"), ("obj == same", "true"), ("obj + 1", "8"),
    ("tostring(obj)", "\"obj\""), ("#obj", "99"), ("obj(2)", "9"), ("Class.new(3):get()", "3"),
    ("Class.new(3) + 1", "4"),
    ("getmetatable(Class.new(3)) == Class", "true"), ("empty", "{}"), ("emptyList", "[]"), ("helper(t)", "1"),
    ("_G.helper == helper", "true"),
    ("#keys(_G) > 10", "true"), ("tide.json(t)", #""{\"a\":1,\"list\":[3,2,1]}""#), ("tide.get(t, 'list')", "[3,2,1]"),
    ("string.format('%s', obj)", "\"obj\""), ("lazy.anything", "\"lazy anything\""), ("rawget(_G, 'nosuch')", "null"),
    ("ipairsSum(t.list)", "6"), ("(function() for k in pairs(custom) do return k end end)()", "\"custom\""),
  ])
  func `what a step captured can be read as before`(lua: String, expected: String) throws {
    let stage = try Stage(
      """
      local t = { a = 1, list = { 3, 2, 1 } }
      Class = {} Class.__index = Class
      function Class.new(x) return setmetatable({ x = x }, Class) end
      function Class.get(self) return self.x end
      Class.__add = function(self, n) return self.x + n end
      Class.__eq = function(a, b) return a.x == b.x end
      Class.__tostring = function() return "obj" end
      Class.__len = function() return 99 end
      Class.__call = function(self, n) return self.x + n end
      local obj, same = Class.new(7), Class.new(7)
      local empty, emptyList = tide.object {}, tide.array {}
      local lazy = setmetatable({}, { __index = function(self, key) return "lazy " .. key end })
      local custom = setmetatable({}, { __pairs = function() return next, { custom = 1 } end })
      function helper(v) return v.a end
      local function keys(v) local out = {} for k in pairs(v) do out[#out + 1] = k end return out end
      local function ipairsSum(v) local n = 0 for _, x in ipairs(v) do n = n + x end return n end
      return tide.step "s" { run = function() return \(lua) end }
      """)
    for _ in 0..<2 { #expect(try stage.say() == expected) }
  }

  @Test func `a state is the same before and after a run`() throws {
    let stage = try Stage(
      """
      local log, n, config = {}, 0, { retries = 3, hosts = { "a" } }
      counter = { value = 0 }
      local function bump() n = n + 1 end
      local function attempt(f, ...) return (select(2, pcall(f, ...))) end
      return {
        tide.step "look" { run = function() return { n, config, counter, #log } end },
        tide.step "touch" { run = function()
          attempt(bump)
          attempt(rawset, config, "retries", 4)
          attempt(function() config.hosts[2] = "b" end)
          attempt(function() counter.value = 1 end)
          attempt(function() counter = nil end)
          attempt(table.insert, log, "x")
          attempt(function() string.upper = nil end)
          attempt(setmetatable, config, { __index = { x = 1 } })
          attempt(function() getmetatable("").__index = nil end)
        end },
        tide.step "loop" { run = function() bump() while true do end end },
      }
      """)
    let before = try stage.say("look")
    #expect(before == #"[0,{"hosts":["a"],"retries":3},{"value":0},0]"#)
    _ = try stage.run("touch")
    #expect(try stage.say("look") == before)
    #expect(try stage.say("touch").hasPrefix("step test.lua:3: the step assigned 'n'"))
    #expect(try stage.say("look") == before)
  }

  @Test func `what one step makes the next one does not see`() throws {
    let stage = try Stage(step: "function(v) v[#v + 1] = 1 return v end")
    for _ in 0..<3 { #expect(try stage.run("s", .array([])).said == "[1]") }
  }
}

@Suite struct PrototypeTests {
  private func newInterpreter() throws -> Interpreter {
    guard let interpreter = Interpreter(limits: ScriptLimits(), output: { _ in }) else { throw Stage.Missing() }
    return interpreter
  }

  /// What the functions of a file assign of what they captured.
  private func assignments(_ lua: String) throws -> [String] {
    let interpreter = try newInterpreter()
    try interpreter.load(lua, name: "p.lua", file: 0, on: interpreter.main)
    let prototype = try #require(interpreter.prototypeOnTop())
    var found: [String] = []
    prototype.forEachAssigning { function in
      for assignment in function.assignments {
        found.append(
          "\(function.lines.lowerBound)-\(function.lines.upperBound): \(assignment.name) at \(assignment.line)")
      }
    }
    return found
  }

  @Test(
    arguments: [
      ("local n = 1 n = 2", []), ("local n\nlocal function f()\nn = 1\nend", ["2-4: n at 3"]),
      ("local n\nlocal function f()\nreturn function() n = 1 end\nend", ["2-4: n at 3", "3-3: n at 3"]),
      ("local function f()\nlocal n\nreturn function() n = 1 end\nend", ["3-3: n at 3"]),
      ("x = 1", []), ("_ENV = {}", ["0-0: _ENV at 1"]), ("local t = {}\nfunction f() t.x = 1 t[1] = 2 end", []),
      ("local a, b\nfunction f() a = 1\nb = 2\na = 3 end", ["2-4: a at 2", "2-4: b at 3"]),
      (
        "local s, n = 'a long text that is more than forty bytes long, so that it is a long one', 1.5\nlocal function f() s = n end",
        ["2-2: s at 2"]
      ),
    ] as [(String, [String])])
  func `assignments are traced to where the variable is captured`(lua: String, expected: [String]) throws {
    #expect(try assignments(lua) == expected)
  }

  @Test func `lines are right in long functions`() throws {
    let gap = String(repeating: "\n", count: 300)
    let filler = (0..<200).map { "local x\($0 % 50) = \($0)" }.map { "do \($0) end" }.joined(separator: "\n")
    #expect(try assignments("local n\nlocal function f()\(gap)\(filler)\(gap)n = 1\nend") == ["2-802: n at 801"])
  }

  @Test func `code that is cut short is no prototype`() throws {
    let interpreter = try newInterpreter()
    try interpreter.load(
      "local n local function f() n = 1 return 'x', 1.5 end return f", name: "p", file: 0, on: interpreter.main)
    let code = try #require(interpreter.codeOnTop())
    for count in 0..<code.count { #expect(code[..<count].withUnsafeBytes { Prototype(code: $0) } == nil) }
    #expect(code.withUnsafeBytes { Prototype(code: $0) }?.inner.count == 1)
  }
}
