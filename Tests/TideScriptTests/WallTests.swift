import CLua
import Testing
import TideBarrier
import TideGraph

@testable import TideScript

/// Counts the objects of it that are alive.
private final class Witness {
  static let alive = Locked(0)
  init() { Witness.alive.withLock { $0 += 1 } }
  deinit { Witness.alive.withLock { $0 -= 1 } }
}

private func witness(_ pointer: OpaquePointer?, _ body: (LuaStack) -> Int32) -> Int32 {
  guard let pointer else { return 0 }
  let witness = Witness()
  defer { withExtendedLifetime(witness) {} }
  return body(LuaStack(pointer: pointer))
}

private let complain: clua_function = { pointer in
  witness(pointer) { stack in
    stack.push("from Swift")
    return Int32(CLUA_ERROR)
  }
}

/// Asks for more memory than the state has, many times, from under a Swift frame.
private let hoard: clua_function = { pointer in
  witness(pointer) { stack in
    for _ in 0..<64 {
      stack.push([UInt8](repeating: 0x78, count: 1 << 20))
      stack.pop()
    }
    stack.push([UInt8](repeating: 0x78, count: 64 << 20))
    return 1
  }
}

/// Runs Lua from Swift, which fails in there.
private let callBack: clua_function = { pointer in
  witness(pointer) { stack in
    stack.pushCopy(of: 1)
    guard let body = clua_new_body(stack.pointer) else { return 0 }
    var results: Int32 = 0
    let status = clua_resume(body, stack.pointer, 0, &results)
    let message = LuaStack(pointer: body).shownString(at: -1) ?? ""
    stack.push("\(status == LUA_OK ? "ok" : "caught"): \(message)")
    return 1
  }
}

private let yieldTwo: clua_function = { pointer in
  witness(pointer) { stack in
    stack.push("to the engine")
    stack.push("two")
    return Int32(CLUA_YIELD) - 2
  }
}

@Suite(.serialized) struct WallTests {
  private func interpreter(_ limits: ScriptLimits = ScriptLimits()) throws -> Interpreter {
    guard let interpreter = Interpreter(limits: limits, output: { _ in }) else { throw Stage.Missing() }
    for (name, function) in [("complain", complain), ("hoard", hoard), ("callBack", callBack), ("yieldTwo", yieldTwo)] {
      interpreter.main.pushFunction(function)
      clua_set_global(interpreter.main.pointer, name)
    }
    interpreter.beginWork()
    return interpreter
  }

  /// Runs a text in a coroutine: what it returned, or its error.
  private func run(_ lua: String, _ interpreter: Interpreter) throws -> String {
    try interpreter.load(lua, name: "wall.lua", file: 0, on: interpreter.main)
    let pointer = try #require(clua_new_body(interpreter.main.pointer).map(LuaStack.init))
    defer { interpreter.main.top = 0 }
    var results: Int32 = 0
    guard clua_resume(pointer.pointer, interpreter.main.pointer, 0, &results) == LUA_OK else {
      let error = interpreter.error(in: pointer)
      return "error \(error.location.map { "\($0.line)" } ?? "?"): \(error.message)"
    }
    return pointer.shownString(at: -1) ?? "no text"
  }

  @Test(arguments: [
    ("complain()", "error 1: from Swift"), ("return select(2, pcall(complain))", "from Swift"),
    ("return select(2, pcall(function() complain() end))", "wall.lua:1: from Swift"),
    ("return callBack(function() error('in Lua') end)", "caught: wall.lua:1: in Lua"),
    ("return callBack(function() complain() end)", "caught: wall.lua:1: from Swift"),
    (
      "return callBack(function() local x = nil + 1 end)",
      "caught: wall.lua:1: attempt to perform arithmetic on a nil value"
    ),
    ("return callBack(function() return 'v' end)", "ok: v"),
    ("callBack(function() error('in Lua') end) complain()", "error 1: from Swift"),
    ("for i = 1, 100 do pcall(complain) pcall(callBack, complain) end return 'done'", "done"),
    ("coroutine.wrap(function() complain() end)()", "error 1: from Swift"),
  ])
  func `an error leaves no Swift frame behind`(lua: String, expected: String) throws {
    let interpreter = try interpreter()
    #expect(try run(lua, interpreter) == expected)
    #expect(Witness.alive.withLock { $0 } == 0)
  }

  @Test func `memory that runs out under a Swift frame is told after it has returned`() throws {
    let interpreter = try interpreter(ScriptLimits(memory: 8 << 20))
    #expect(try run("return hoard()", interpreter) == "error 1: not enough memory: the limit of a script is 8 MB")
    #expect(Witness.alive.withLock { $0 } == 0)
    interpreter.beginWork()
    #expect(try run("return pcall(hoard)", interpreter) == "error 1: not enough memory: the limit of a script is 8 MB")
    interpreter.beginWork()
    #expect(try run("return 'fine'", interpreter) == "fine")
    #expect(Witness.alive.withLock { $0 } == 0)
  }

  @Test(arguments: [
    "return select('#', yieldTwo()) .. ' ' .. yieldTwo()",
    "return (select(2, pcall(function() return '1 ' .. yieldTwo() end)))",
    "return coroutine.wrap(function() return '1 ' .. coroutine.wrap(function() return yieldTwo() end)() end)()",
    "local ok, v = coroutine.resume(coroutine.create(function() return '1 ' .. yieldTwo() end)) return v",
  ])
  func `an engine's yield goes through every coroutine, and its answer comes back`(lua: String) throws {
    let interpreter = try interpreter()
    try interpreter.load(lua, name: "wall.lua", file: 0, on: interpreter.main)
    let body = try #require(clua_new_body(interpreter.main.pointer).map(LuaStack.init))
    var results: Int32 = 0
    var arguments: Int32 = 0
    var yields = 0
    while clua_resume(body.pointer, interpreter.main.pointer, arguments, &results) == LUA_YIELD {
      #expect(results == 2)
      #expect(body.shownString(at: -2) == "to the engine")
      body.pop(results)
      body.push("answer")
      arguments = 1
      yields += 1
      #expect(Witness.alive.withLock { $0 } == 0)
      clua_take_yield(interpreter.state)
    }
    #expect(yields == (lua.contains("'#'") ? 2 : 1))
    #expect(body.shownString(at: -1) == "1 answer")
  }

  @Test func `a state that is dropped leaves nothing behind`() throws {
    weak var dropped: Interpreter?
    do {
      let interpreter = try interpreter()
      dropped = interpreter
      #expect(try run("return 'x'", interpreter) == "x")
    }
    #expect(dropped == nil)
  }
}
