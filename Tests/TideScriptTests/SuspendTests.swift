import CLua
import Testing
import TideBarrier
import TideFixtures
import TideGraph
import TideValue

@testable import TideScript

@Suite struct SuspendTests {
  @Test func `a thousand steps are suspended at once`() throws {
    let stage = try Stage(
      step: "function(v) local r = tide.fetch { GET = 'https://h/' .. v.id } return { v.name, v.list, r } end")
    let started = try (0..<1000).map {
      try stage.start(node: $0, arguments: [json(#"{"id":\#($0),"name":"n\#($0)","list":[\#($0)]}"#)])
    }
    try stage.executor.runUntilIdle()
    #expect(stage.script.suspendedSteps == 1000)
    for id in (0..<1000).reversed() { stage.network.answer("GET https://h/\(id)", .success(try json("[\(id)]"))) }
    try stage.executor.runUntilIdle()
    #expect(started.map(\.said) == (0..<1000).map { [#"["n\#($0)",[\#($0)],[\#($0)]]"#] })
    #expect(stage.script.suspendedSteps == 0)
  }

  @Test func `what is lent to a suspended step stays lent while others end`() throws {
    let stage = try Stage(
      """
      return {
        tide.step "long" { run = function(v) tide.sleep(1000) return { v.deep.list, #v.deep.list, v } end },
        tide.step "short" { run = function(v) tide.sleep(1) return v end },
      }
      """)
    let text = #"{"deep":{"list":[1.10,{"b":1,"a":2}]}}"#
    let long = try stage.start("long", arguments: [json(text)])
    let short = try (0..<200).map { try stage.start("short", node: $0, arguments: [json(#"{"n":[\#($0)]}"#)]) }
    try stage.executor.runUntilIdle()
    #expect(short.map(\.said) == (0..<200).map { [#"{"n":[\#($0)]}"#] })
    #expect(long.said == [#"[[1.10,{"b":1,"a":2}],2,{"deep":{"list":[1.10,{"b":1,"a":2}]}}]"#])
  }

  @Test func `what a step has assigned is undone before another one runs, and it fails`() throws {
    let stage = try Stage(
      """

      local n = 0
      local function count()
        n = n + 1
      end
      local function get() return n end
      return {
        tide.step "count" { run = function() count() tide.sleep(1) return n end },
        tide.step "read" { run = function() return get() end },
      }
      """)
    let count = try stage.start("count")
    let read = try stage.start("read")
    try stage.executor.runUntilIdle()
    #expect(read.said == ["0"])
    #expect(
      count.said == [
        "step test.lua:4: the step assigned 'n', which was captured: what a step captures is read-only | return the value "
          + "instead, and give it to the next step as an input"
      ])
    #expect(stage.script.suspendedSteps == 0)
  }

  @Test func `a suspended step that is stopped ends, aborts what it waits for, and runs no more`() throws {
    let stage = try Stage(
      step: """
        function()
          local c <close> = setmetatable({}, { __close = function() tide.log "closed" end })
          pcall(tide.all, {
            function() return tide.fetch { GET = "https://h/a" } end,
            function() coroutine.wrap(function() return tide.fetch { GET = "https://h/b" } end)() end,
            function() tide.sleep(60) end,
          })
          tide.log "went on"
        end
        """)
    let started = try stage.start()
    try stage.executor.run(for: .seconds(1))
    #expect(stage.network.open.count == 2)
    started.run.abort()
    started.run.abort()
    try stage.executor.runUntilIdle()
    #expect(started.said == ["cancelled ?: the step was stopped"])
    #expect(stage.network.aborted.sorted() == ["GET https://h/a", "GET https://h/b"])
    #expect(stage.lines.all.isEmpty)
    #expect(stage.script.suspendedSteps == 0)
    #expect(stage.executor.now.nanoseconds == 1_000_000_000)
    started.run.abort()
    try stage.executor.runUntilIdle()
    #expect(started.results.count == 1)
    #expect(try stage.start().results.isEmpty)
  }

  @Test func `a stop that comes with the answer wins, and the step ends once`() throws {
    let stage = try Stage(step: "function() tide.fetch { GET = 'https://h/' } tide.log 'went on' end")
    let started = try stage.start()
    try stage.executor.runUntilIdle()
    stage.network.answer("GET https://h/", .success(Value(1)))
    started.run.abort()
    try stage.executor.runUntilIdle()
    #expect(started.said == ["cancelled ?: the step was stopped"])
    #expect(stage.lines.all.isEmpty)
  }

  @Test func `a step may end while nothing of its waits, and a late answer does no harm`() throws {
    let stage = try Stage(
      step: """
        function()
          pcall(tide.all, { function() tide.fetch { GET = "https://h/slow" } end, function() error "x" end })
          return 1
        end
        """)
    #expect(try stage.say() == "1")
    #expect(stage.network.aborted == ["GET https://h/slow"])
    stage.network.answer("GET https://h/slow", .success(Value(1)))
    try stage.executor.runUntilIdle()
    #expect(try stage.say() == "1")
  }

  @Test func `ten thousand steps that are suspended and stopped leave nothing`() throws {
    let stage = try Stage(
      step: """
        function(v)
          local big = ("x"):rep(1000) .. v.id
          tide.all {
            function() return tide.fetch { GET = "https://h/" .. v.id, json = { big } } end,
            coroutine.wrap(function() tide.sleep(60) return big end),
          }
        end
        """)
    func round(_ count: Int) throws {
      for id in 0..<count {
        let started = try stage.start(node: id, arguments: [json(#"{"id":\#(id)}"#)])
        try stage.executor.run(for: .milliseconds(1))
        started.run.abort()
        try stage.executor.run(for: .milliseconds(1))
        #expect(started.said == ["cancelled ?: the step was stopped"])
      }
    }
    try round(500)
    let before = stage.script.memoryAfterCollecting
    try round(10_000)
    let growth = stage.script.memoryAfterCollecting - before
    #expect(abs(growth) < 4096, "it grew by \(growth) bytes")
    #expect(stage.script.suspendedSteps == 0)
    #expect(stage.network.open.isEmpty)
    #expect(stage.executor.pendingTimers == 0)
  }

  @Test func `ten thousand steps that wait and end leave nothing`() throws {
    let stage = try Stage(
      step: "function(v) tide.all { function() tide.sleep(1) end } return { v, tide.fetch { GET = 'https://h/' } } end")
    stage.network.know("GET https://h/", .success(try json("[1]")))
    for id in 0..<500 { #expect(try stage.run("s", Value(id)).said == "[\(id),[1]]") }
    let before = stage.script.memoryAfterCollecting
    for id in 0..<10_000 { #expect(try stage.run("s", Value(id)).said == "[\(id),[1]]") }
    #expect(abs(stage.script.memoryAfterCollecting - before) < 4096)
  }

  @Test func `a branch that wants too much memory fails its step only`() throws {
    let stage = try Stage(
      """
      return {
        tide.step "hog" { run = function()
          local keep = { pcall(tide.all, { function() tide.sleep(2) end,
            function() tide.sleep(1) local t = {} while true do t[#t + 1] = {} end end }) }
        end },
        tide.step "all" { run = function()
          local t = {} for i = 1, 1000000 do t[i] = print end tide.all(t)
        end },
        tide.step "other" { run = function(v) tide.sleep(5) return v end },
      }
      """, limits: ScriptLimits(memory: 16 << 20))
    let other = try stage.start("other", arguments: [json("[1]")])
    let hog = try stage.start("hog")
    let all = try stage.start("all")
    try stage.executor.runUntilIdle()
    #expect(hog.said == ["memory test.lua:4: not enough memory: the limit of a script is 16 MB"])
    #expect(all.said == ["memory test.lua:7: not enough memory: the limit of a script is 16 MB"])
    #expect(other.said == ["[1]"])
    #expect(stage.script.suspendedSteps == 0)
  }

  @Test func `an answer that is too large for the state fails its step only`() throws {
    let stage = try Stage(
      step: "function() local v = tide.fetch { GET = 'https://h/' } return #v end",
      limits: ScriptLimits(memory: 4 << 20))
    stage.network.know("GET https://h/", .success(Value(String(repeating: "x", count: 5 << 20))))
    #expect(try stage.say() == "memory test.lua:1: not enough memory: the limit of a script is 4 MB")
    stage.network.know("GET https://h/", .success(Value("abc")))
    #expect(try stage.say() == "3")
  }

  @Test func `a script is released with what was suspended in it`() throws {
    weak var dropped: StepBench?
    do {
      let stage = try Stage(step: "function() tide.fetch { GET = 'https://h/' } return 1 end")
      dropped = stage.script.bench
      let started = try stage.start()
      try stage.executor.runUntilIdle()
      started.run.abort()
      try stage.executor.runUntilIdle()
      #expect(started.results.count == 1)
      #expect(dropped != nil)
    }
    #expect(dropped == nil)
  }

  @Test func `on Dispatch, steps that wait run to their ends, stopped ones too`() async throws {
    let executor = DispatchExecutor()
    let script = try load(
      """
      return tide.step "s" { run = function(n)
        local a, b = tide.all {
          function() return tide.fetch { GET = "https://h/" } end,
          function() tide.sleep("1ms") return n end,
        }
        if n % 10 == 0 then tide.sleep("1h") end
        if n % 10 == 1 then while true do end end
        return a + b
      end }
      """, executor: executor)
    let fetcher: StepContext.Fetcher = { _, _, completion in
      executor.submit {
        completion(.success(Value(1)))
        completion(.success(Value(2)))
      }
      return NothingGoingOn()
    }
    let context = StepContext(
      node: NodeID(0), name: "s", location: nil, wallClock: { 0 }, log: { _, _ in }, fetcher: fetcher)
    let function = try script.function("s")
    let done = Completion<[Int: String]>()
    let ends = Locked<[Int: String]>([:])
    let total = 300
    var runs: [any Abortable] = []
    for number in 0..<total {
      let run = script.run(function, arguments: [Value(number)], context: context) { result in
        let all = ends.withLock { ends in
          ends[number] = (ends[number] ?? "") + result.said
          return ends
        }
        if all.count == total { done.complete(all) }
      }
      if number % 10 < 2 { runs.append(run) }
    }
    // In the order in which they hold the lane up: those that loop keep all behind them waiting until they are stopped.
    for run in runs { run.abort() }
    let all = await done.value()
    for number in 0..<total {
      #expect(all[number] == (number % 10 < 2 ? "cancelled ?: the step was stopped" : "\(number + 1)"))
    }
    #expect(script.suspendedSteps == 0)
  }
}

extension Script {
  var suspendedSteps: Int { bench.suspended.count }

  /// What the Lua state holds when nothing runs in it.
  var memoryAfterCollecting: Int {
    clua_collect(bench.interpreter.state)
    return clua_memory(bench.interpreter.state)
  }
}
