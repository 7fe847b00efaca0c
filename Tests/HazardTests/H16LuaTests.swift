import Testing
import TideBarrier
import TideEngine
import TideFixtures
import TideGraph
import TideScript
import TideValue

/// Lua in Swift: errors that jump over frames, and states that remember.
@Suite struct H16LuaTests {
  /// A script, and runs of it, on a simulated executor.
  private struct Stage {
    let executor = SimulatedExecutor()
    let script: Script

    init(_ text: String) throws {
      script = try Script.load(name: "h.lua", text: text, folder: nil, executor: executor, output: { _ in })
    }

    func run(_ inputs: [String: Value] = [:]) throws -> RunReport {
      let given = try script.plan.bind(GivenInputs(inputs: inputs.mapValues { .value($0) }))
      let fakes = Fakes(executor, functions: [], acts: [:])
      let configuration = RunConfiguration(executor: executor, transport: fakes, stepRunner: script)
      let run = Run.start(script.plan, inputs: given, configuration)
      try executor.runUntilIdle()
      return try #require(run.completion.result)
    }

    /// What runs Lua in it.
    var interpreter: AnyObject? {
      func part(_ name: String, of whole: Any) -> Any? {
        Mirror(reflecting: whole).children.first { $0.label == name }?.value
      }
      return part("bench", of: script).flatMap { part("interpreter", of: $0) } as AnyObject?
    }
  }

  private static let raising = [
    "tide.fail('no', { 1 })", "tide.md5({})", "tide.json.decode('{')", "tide.get(1)", "local x = tide.requets",
    "local x = undefined_global", "local x = tide.null.field", "tide.base64.decode('!')", "tide.hmac()",
    "error('text')", "error({ message = 'table' })", "error(nil)",
  ]

  @Test func `H16 errors of every kind leave no Swift frame behind, and the state as good as new`() throws {
    weak var interpreter: AnyObject?
    weak var script: Script?
    do {
      var text = "local tide = require 'tidegate'\n"
      for (index, body) in Self.raising.enumerated() {
        text += """
          tide.step "s\(index)" { run = function()
            for _ = 1, 100 do assert(not pcall(function() \(body) end)) end
            local caught = coroutine.wrap(function() return pcall(function() \(body) end) end)
            assert(not caught())
            \(body)
          end }\n
          """
      }
      text += "return tide.step 'last' { run = function() return tide.json({ 1, tide.md5('a') }) end }"
      let stage = try Stage(text)
      (interpreter, script) = (stage.interpreter, stage.script)
      #expect(interpreter != nil)
      for _ in 0..<3 {
        let report = try stage.run()
        let failed = report.plan.nodeIDs.filter { report.ending(of: $0).outcome == .failed }
        #expect(failed.count == Self.raising.count)
        #expect(failed.allSatisfy { report.failure(of: $0)?.kind == .step })
        #expect(report.failure(of: NodeID(0))?.body == json("[1]"))
        #expect(report.result == Value(#"[1,"0cc175b9c0f1b6a831c399e269772661"]"#))
      }
    }
    // A frame that was jumped over would still hold what it was called with.
    #expect(interpreter == nil)
    #expect(script == nil)
  }

  @Test func `H24 a state that served one run shows nothing of it to the next`() throws {
    let stage = try Stage(
      """
      local tide = require "tidegate"
      local token = tide.input "token"
      local stash, deep = {}, { inner = {} }
      local function try(body) return (pcall(body)) end
      return tide.step "s" { token, run = function(token)
        local found = { tostring(stash.x), tostring(deep.inner.x), tostring(stash[1]), tostring(string.x),
          tostring(rawget(stash, "x")), tostring(math.x) }
        local wrote = {
          try(function() stash.x = token end), try(function() deep.inner.x = token end),
          try(function() table.insert(stash, token) end), try(function() string.x = token end),
          try(function() math.x = token end), try(function() tide.x = token end),
          try(function() setmetatable(stash, { __index = function() return token end }) end),
          try(function() leaked = token end),
        }
        return { found = found, wrote = wrote }
      end }
      """)
    let nothing =
      #"{"found":["nil","nil","nil","nil","nil","nil"],"#
      + #""wrote":[false,false,false,false,false,false,false,false]}"#
    for token in ["first", "second"] { #expect(try stage.run(["token": Value(token)]).result?.description == nothing) }
  }

  @Test func `H24 a step that assigns what it captured fails, and the next run finds it as it was`() throws {
    let stage = try Stage(
      """
      local tide = require "tidegate"
      local token = tide.input "token"
      local count = "untouched"
      local function bump(value) count = value end
      local writer = tide.step "writer" { token, run = function(token)
        local before = count
        bump(token)
        return before
      end }
      return tide.step "reader" { after = { writer }, run = function() return count end }
      """)
    for token in ["first", "second"] {
      let report = try stage.run(["token": Value(token)])
      #expect(report.failure(of: NodeID(1))?.message.contains("what a step captures is read-only") == true)
      #expect(report.result == Value("untouched"))
    }
  }
}
