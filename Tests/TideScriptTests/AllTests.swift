import Testing
import TideBarrier
import TideFixtures
import TideGraph
import TideValue

@testable import TideScript

@Suite struct AllTests {
  /// `get "a"` in a script.
  private static let get = "local function get(name) return tide.fetch { GET = 'https://h/' .. name } end"

  private func stage(_ body: String) throws -> Stage {
    try Stage(step: "function(v)\n\(body) end", before: AllTests.get)
  }

  @Test(arguments: [["a", "b", "c"], ["c", "b", "a"], ["b", "c", "a"]])
  func `the values come in declared order, whatever answers first`(order: [String]) throws {
    let stage = try stage(
      "local a, b, c, d = tide.all { function() return get 'a' end, function() return get 'b' end, "
        + "function() return get 'c' end } return { a, b, c, d == nil }")
    let started = try stage.start()
    try stage.executor.runUntilIdle()
    #expect(stage.network.sent == ["GET https://h/a", "GET https://h/b", "GET https://h/c"])
    for name in order {
      #expect(started.results.isEmpty)
      stage.network.answer("GET https://h/\(name)", .success(Value(name)))
      try stage.executor.runUntilIdle()
    }
    #expect(started.said == [#"["a","b","c",true]"#])
  }

  @Test(arguments: [
    ("return select('#', tide.all {})", "0"), ("return select('#', tide.all { function() end })", "1"),
    ("return tide.all { function() return 1, 2 end }", "1"),
    ("return { select(2, tide.all { function() return nil end, function() return false end }) }", "[false]"),
    (
      "local a, b = tide.all { function() return tide.null, 'x' end, function() end } return { a, b == nil }",
      "[null,true]"
    ),
    ("return { tide.all { tide.now, math.random and function() return 2 end } }", "[1.5,2]"),
    (
      "return { tide.all { function() return tide.all { function() tide.sleep(1) return 1 end, function() return 2 end } end, "
        + "function() local a, b = tide.all { function() return 3 end, function() tide.sleep(2) return 4 end } return { a, b } end } }",
      "[1,[3,4]]"
    ),
    (
      "local n = 0 local f = function() n = n + 1 tide.sleep(1) return n end return { tide.all { f, f, f } }", "[3,3,3]"
    ),
    (
      "return select('#', tide.all((function() local t = {} for i = 1, 2000 do t[i] = function() tide.sleep(i) return i end end return t end)()))",
      "2000"
    ),
    ("return { pcall(tide.all, { function() error('x', 0) end }) }", #"[false,"x"]"#),
    ("return { coroutine.wrap(function() return tide.all { function() tide.sleep(1) return 1 end } end)() }", "[1]"),
    ("return { tide.all { coroutine.wrap(function() tide.sleep(1) coroutine.yield(5) end) } }", "[5]"),
  ])
  func `functions run at once and give their first values`(body: String, expected: String) throws {
    #expect(try stage(body).say() == expected)
  }

  @Test func `branches sleep at once`() throws {
    let stage = try stage(
      "tide.all { function() tide.sleep(3) end, function() tide.sleep(5) end, function() tide.sleep(4) end }")
    #expect(try stage.say() == "null")
    #expect(stage.executor.now.nanoseconds == 5_000_000_000)
  }

  @Test func `all within all, a thousand deep, is no recursion`() throws {
    let body = """
      local function nest(n)
        if n == 0 then tide.sleep(1) return v end
        return (tide.all { function() return nest(n - 1) end })
      end
      return nest(5000)
      """
    #expect(try stage(body).run("s", Value(7)).said == "7")
    #expect(try stage(body.replacing("return v", with: "error('deep')")).say() == "step test.lua:3: deep")
  }

  @Test(arguments: [
    ("error('boom')", "step test.lua:4: boom"),
    ("tide.fail('bad', { code = 1 })", #"step test.lua:4: bad = {"code":1}"#),
    ("return nil, 'why'", "step test.lua:2: why"), ("return get 'bad'", "status test.lua:1: no = 5"),
    ("local t = nil; t.x = 1", "step test.lua:4:16-17: attempt to index a nil value (local 't')"),
  ])
  func `the first branch that fails stops the others, and all raises its error`(failing: String, expected: String)
    throws
  {
    let stage = try stage(
      """
      tide.all { function() local c <close> = setmetatable({}, { __close = function() tide.log 'closed' end }) return get 'a' end,
        function() tide.sleep(1)
      \(failing) end,
        function() tide.sleep(60) tide.log 'never' end,
        function() return tide.all { function() return get 'b' end } end }
      """)
    stage.network.know(
      "GET https://h/bad", .failure(Failure(.status, "no", status: 404, body: Value(5))))
    let result = try stage.run()
    #expect(result.said == expected)
    #expect(stage.network.aborted.sorted() == ["GET https://h/a", "GET https://h/b"])
    #expect(stage.lines.all == ["0: closed"])
    #expect(stage.executor.now.nanoseconds == 1_000_000_000)
    #expect(stage.script.suspendedSteps == 0)
  }

  @Test func `after a caught error of all the step goes on`() throws {
    let stage = try stage(
      """
      local ok, err = pcall(tide.all, { function() return get 'a' end, function() tide.sleep(1) return get 'bad' end })
      return { ok, err.status, (get 'a') }
      """)
    stage.network.know("GET https://h/bad", .failure(Failure(.status, "no", status: 404)))
    let started = try stage.start()
    try stage.executor.runUntilIdle()
    #expect(stage.network.aborted == ["GET https://h/a"])
    stage.network.answer("GET https://h/a", .success(Value(1)))
    try stage.executor.runUntilIdle()
    #expect(started.said == ["[false,404,1]"])
  }

  @Test func `of branches that were answered together the one declared first fails first`() throws {
    let stage = try stage(
      "tide.all { function() local v, err = get 'a' error(err) end, function() local v, err = get 'b' error(err) end }")
    let started = try stage.start()
    try stage.executor.runUntilIdle()
    stage.network.answer("GET https://h/b", .failure(Failure(.reset, "second")))
    stage.network.answer("GET https://h/a", .failure(Failure(.reset, "first")))
    try stage.executor.runUntilIdle()
    #expect(started.said == ["reset test.lua:1: first"])
  }

  @Test func `what waits inside of a coroutine of a stopped branch is closed, the innermost first`() throws {
    let stage = try stage(
      """
      local function closing(name) return setmetatable({}, { __close = function() tide.log(name) end }) end
      local inner
      local ok = pcall(tide.all, {
        function()
          local x <close> = closing 'outer'
          coroutine.wrap(function()
            local y <close> = closing 'wrapped'
            inner = coroutine.create(function() local z <close> = closing 'created' tide.sleep(60) end)
            coroutine.resume(inner)
          end)()
        end,
        function() tide.sleep(1) error 'x' end,
      })
      return { ok, coroutine.status(inner), coroutine.resume(inner) }
      """)
    #expect(try stage.say() == #"[false,"dead",false,"cannot resume dead coroutine"]"#)
    #expect(stage.lines.all == ["0: created", "0: wrapped", "0: outer"])
  }

  @Test func `what closes a stopped branch can neither wait nor fail it`() throws {
    let stage = try stage(
      """
      local said
      local ok, err = pcall(tide.all, {
        function()
          local x <close> = setmetatable({}, { __close = function() said = select(2, pcall(tide.sleep, 1)) error 'closing' end })
          tide.sleep(60)
        end,
        function() error('first', 0) end,
      })
      return { err, said }
      """)
    let said = try stage.say()
    #expect(said.hasPrefix(#"["first","tide.sleep can't wait here: "#), "\(said)")
  }
}

@Suite struct CoroutineTests {
  @Test func `a generator may fetch, and its own yields work`() throws {
    let stage = try Stage(
      step: """
        function()
          local pages = coroutine.wrap(function()
            local at = "1"
            while at do
              local page = tide.fetch { GET = "https://h/" .. at }
              for _, item in ipairs(page.items) do coroutine.yield(item) end
              at = page.next
            end
          end)
          local all = {}
          for item in pages do all[#all + 1] = item end
          return all
        end
        """)
    stage.network.know("GET https://h/1", .success(try json(#"{"items":[1,2],"next":"2"}"#)))
    stage.network.know("GET https://h/2", .success(try json(#"{"items":[],"next":"3"}"#)))
    stage.network.know("GET https://h/3", .success(try json(#"{"items":[3]}"#)))
    #expect(try stage.say() == "[1,2,3]")
  }

  @Test(arguments: [
    (
      "local co = coroutine.create(function(a) tide.sleep(1) local b = coroutine.yield(a) tide.sleep(1) return b, 9 end) "
        + "return { coroutine.resume(co, 1), select(2, coroutine.resume(co, 2)), coroutine.status(co) }",
      #"[true,2,"dead"]"#
    ),
    (
      "local v = 0 for i in coroutine.wrap(function() for i = 1, 3 do tide.sleep(1) coroutine.yield(i) end end) do v = v + i end return v",
      "6"
    ),
    ("local t = setmetatable({}, { __index = function(t, k) tide.sleep(1) return k end }) return t.x", "\"x\""),
    ("local t = setmetatable({}, { __add = function(a, b) tide.sleep(1) return b end }) return t + 5", "5"),
    (
      "do local c <close> = setmetatable({}, { __close = function() tide.sleep(1) tide.log 'closed' end }) end return 1",
      "1"
    ),
    ("for k in function(s, k) tide.sleep(1) if not k then return 1 end end do tide.log(k) end return 2", "2"),
  ])
  func `a wait may lie in whatever Lua itself can suspend`(body: String, expected: String) throws {
    let stage = try Stage(step: "function() \(body) end")
    #expect(try stage.say() == expected)
    #expect(stage.executor.now.nanoseconds >= 1_000_000_000)
  }

  @Test(arguments: [
    "coroutine.resume(shared)", "coroutine.close(shared)",
    "select(2, pcall(coroutine.close, me)) and coroutine.resume(me)",
  ])
  func `nobody else goes on with a coroutine that waits`(other: String) throws {
    let stage = try Stage(
      step: """
        function()
          local me
          local shared = coroutine.create(function() tide.sleep(5) return "slept" end)
          local a, b = tide.all {
            function() me = coroutine.running() return { coroutine.resume(shared) } end,
            function() tide.sleep(1) return select(2, pcall(function() return \(other) end)) end,
          }
          return { a, b }
        end
        """)
    let said = try stage.say()
    #expect(said.hasPrefix(#"[[true,"slept"],"#), "\(said)")
    #expect(
      said.contains("the coroutine waits (for tide.fetch, tide.sleep or tide.all), and goes on by itself"), "\(said)")
  }

  @Test func `a coroutine or an iterator of another step that is suspended is refused`() throws {
    let stage = try Stage(
      """
      local box = { }
      local function swap(new) return new end
      return {
        tide.step "a" { run = function()
          local n = 0
          for k, v in pairs { 1, 2, 3 } do tide.sleep(1) n = n + v end
          local parts = {}
          for word in ("x y z"):gmatch("%a") do tide.sleep(1) parts[#parts + 1] = word end
          return { n, parts }
        end },
      }
      """)
    let started = try (0..<50).map { try stage.start("a", node: $0) }
    try stage.executor.runUntilIdle()
    #expect(started.map(\.said) == Array(repeating: [#"[6,["x","y","z"]]"#], count: 50))
  }
}
