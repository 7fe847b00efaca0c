import Testing
import TideBarrier
import TideFixtures
import TideGraph
import TideValue

@testable import TideScript

/// Loops that no hook would stop if they ran in Lua's own C functions, and those that try to catch a stop.
private let endless = [
  "while true do end", "for i = 1, math.huge do end", "local function f() return f() end f()",
  "while true do pcall(function() while true do end end) end",
  "while true do xpcall(function() while true do end end, function() while true do end end) end",
  "xpcall(function() while true do end end, function() while true do end end)",
  "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
  "while true do pcall(coroutine.wrap(function() while true do end end)) end",
  "local x <close> = setmetatable({}, { __close = function() while true do end end }) while true do end",
  "coroutine.wrap(function() local x <close> = setmetatable({}, { __close = function() while true do end end }) while true do end end)()",
  "local s = ('a'):rep(10000) s:find('.-.-.-.-b')", "local s = ('a'):rep(30) .. 'b' s:match(('a*'):rep(25) .. 'c')",
  "local s = ('a'):rep(10000) s:gsub('.-.-.-.-b', '')", "for w in (('a'):rep(10000)):gmatch('.-.-.-.-b') do end",
  "table.move({}, 1, 1 << 60, 2, {})",
  "table.insert(setmetatable({}, { __len = function() return 1 << 60 end }), 1, 1)",
  "table.remove(setmetatable({}, { __len = function() return 1 << 60 end }), 1)",
  "table.concat(setmetatable({}, { __len = function() return 1 << 60 end, __index = function() return '' end }))",
  "table.sort({ 1, 2, 3 }, function() while true do end end)",
  "setmetatable({}, { __index = function(t, k) while true do end end }).x()",
]

@Suite struct LimitTests {
  @Test(arguments: endless)
  func `a step that loops for ever is stopped, and the next one runs`(loop: String) async throws {
    let executor = DispatchExecutor()
    let script = try load(
      """
      local loop = tide.step "loop" { run = function(go) tide.log("running") \(loop) end }
      return { loop, tide.step "next" { run = function() return 5 end } }
      """, executor: executor)
    let results = Completion<String>()
    let started = Completion<any Abortable>()
    // By a timer of Dispatch's: a task that other tests keep waiting would let the loop have a core for as long.
    let context = StepContext(
      node: NodeID(0), name: "loop", location: nil, wallClock: { 0 },
      log: { _, _ in executor.after(.milliseconds(5)) { started.notify { $0.abort() } } })
    let run = script.run(try script.function("loop"), arguments: [], context: context) { results.complete($0.said) }
    started.complete(run)
    #expect(await results.value() == "cancelled ?: the step was stopped")
    run.abort()
    let next = Completion<String>()
    _ = script.run(try script.function("next"), arguments: [], context: context) { next.complete($0.said) }
    #expect(await next.value() == "5")
  }

  @Test(arguments: endless)
  func `a script that declares for ever is stopped`(loop: String) {
    let found = complaints("\n\(loop)", limits: ScriptLimits(declaringTime: .milliseconds(30)))
    #expect(
      found == [
        "T0104 test.lua:2: the script still declares after 0.03 seconds, which is the limit | is there a loop without an end?"
      ])
  }

  @Test func `a step that is stopped before its turn does not run`() throws {
    let stage = try Stage(step: "function() tide.log('ran') return 1 end")
    let results = Locked<[String]>([])
    let function = try stage.function(of: "s")
    let first = stage.script.run(function, arguments: [], context: stage.context("s")) { result in
      results.withLock { $0.append(result.said) }
    }
    _ = stage.script.run(function, arguments: [], context: stage.context("s")) { result in
      results.withLock { $0.append(result.said) }
    }
    first.abort()
    first.abort()
    try stage.executor.runUntilIdle()
    first.abort()
    #expect(results.withLock { $0 } == ["cancelled ?: the step was stopped", "1"])
    #expect(stage.lines.all == ["0: ran"])
    #expect(try stage.say() == "1")
  }

  private static let hogs = [
    "local t = {} while true do t[#t + 1] = #t end", "local s = 'x' while true do s = s .. s end",
    "local t = {} while true do t[#t + 1] = {} end", "local s = ('x'):rep(1 << 40)",
    "local t = {} while true do pcall(function() t[#t + 1] = ('x'):rep(1 << 16) .. #t end) end",
    "local t = {} while true do t[#t + 1] = coroutine.wrap(print) end",
    "local t = {} while true do t[#t + 1] = tide.array {} end",
    "local t = {} while true do t[#t + 1] = tide.md5('x') .. #t end",
    "local s = {} for i = 1, 1e9 do s[i] = 'x' end", "local s = string.format(('%99d'):rep(1 << 20), 1)",
    "local t = {} for i = 1, 64 do t = { t, t } end return t",
  ]

  @Test(arguments: hogs)
  func `a step that wants too much memory fails, and the next one runs`(hog: String) throws {
    let stage = try Stage(
      "local hog = tide.step 'hog' { run = function() \(hog) end } return { hog, tide.step 's' { run = function() return 5 end } }",
      limits: ScriptLimits(memory: 8 << 20))
    let result = try stage.run("hog")
    guard case .failure(let failure) = result else {
      Issue.record("it returned \(result.said)")
      return
    }
    if hog.contains("{ t, t }") {
      #expect(failure.message.hasSuffix("is too large: its JSON has more than 8 MB"))
    } else {
      #expect(failure.message == "not enough memory: the limit of a script is 8 MB")
      #expect(failure.kind == .memory)
      #expect(failure.location == Location(file: "test.lua", line: 1))
    }
    #expect(try stage.say() == "5")
  }

  @Test func `a script that wants too much memory while declaring is stopped`() {
    let found = complaints("\nlocal t = {}\nwhile true do t[#t + 1] = {} end", limits: ScriptLimits(memory: 4 << 20))
    #expect(found == ["T0104 test.lua:3: not enough memory: the limit of a script is 4 MB"])
  }

  @Test func `an input that is too large for the state fails its step only`() throws {
    let stage = try Stage(step: "function(v) return #v end", limits: ScriptLimits(memory: 4 << 20))
    let large = Value.array((0..<500_000).map { Value($0) })
    #expect(try stage.run("s", large).said == "memory test.lua:1: not enough memory")
    #expect(
      try stage.run("s", Value(String(repeating: "x", count: 5 << 20))).said
        == "memory test.lua:1: not enough memory: the limit of a script is 4 MB")
    #expect(try stage.run("s", .array([])).said == "0")
  }

  @Test func `a state that is too small is an error`() {
    #expect(complaints("return 1", limits: ScriptLimits(memory: 10_000)).count == 1)
    #expect(complaints("return 1", limits: ScriptLimits(memory: 0)).count == 1)
  }

  @Test func `garbage does not count`() throws {
    let stage = try Stage(
      step: "function() local n = 0 for i = 1, 20000 do local t = { ('x'):rep(1000) .. i } n = n + #t end return n end",
      limits: ScriptLimits(memory: 4 << 20))
    for _ in 0..<5 { #expect(try stage.say() == "20000") }
  }
}

extension Script {
  func function(_ name: String) throws -> FunctionID {
    let node = try #require(plan.nodes.first { $0.name == name })
    guard case .step(let step) = node.verb else { throw Stage.Missing() }
    return step.function
  }
}
