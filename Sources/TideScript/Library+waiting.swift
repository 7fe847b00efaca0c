import CLua
import TideGraph
import TideValue

/// The functions of `tide` that wait, which only the body of a step may: they suspend its coroutine, and hold no thread.
/// (`tide.sleep` is among the verbs.)
let waitingFunctions = [
  LibraryFunction(name: "fetch", function: fetchFunction), LibraryFunction(name: "all", function: allFunction),
]

extension Interpreter {
  /// The body that runs, for a function that waits.
  ///
  /// - Throws: why it can't wait where it is called.
  fileprivate func waitingBody(_ stack: LuaStack, _ name: String) throws(ScriptFault) -> StepBody {
    if case .declaring = work {
      throw ScriptFault(
        .forbidden, "tide.\(name) waits, and a script that declares can't: there is no network and no clock",
        help: name == "fetch"
          ? "declare the request, tide.request \"name\" { GET = url }, or fetch in a step's function"
          : "use it in a step: tide.step \"name\" { run = function() ... end }")
    }
    guard let body else {
      throw ScriptFault(
        .forbidden, "tide.\(name) waits, and only the 'run' function of a step can",
        help: "do it in a step, and give its value to this node as an input")
    }
    guard clua_can_wait(stack.pointer) else {
      throw ScriptFault(
        .forbidden,
        "tide.\(name) can't wait here: the function was called by one that can't be suspended, as those are that "
          + "table.sort, string.gsub or tostring call",
        help: "wait before that, and use what came of it here")
    }
    return body
  }
}

/// `tide.fetch { GET = url, ... }`: the value, or nil and `{ kind, message, status, body, attempts }`.
private let fetchFunction: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    let body = try interpreter.waitingBody(stack, "fetch")
    guard stack.top == 1, stack.type(at: 1) == LUA_TTABLE else {
      let found = stack.top > 1 ? "\(stack.top) arguments" : stack.noun(at: 1)
      throw ScriptFault(
        .badValue, "tide.fetch takes one table, and has \(found)", help: "write tide.fetch { GET = url }")
    }
    var reader = ArgumentReader(stack, stepOf: interpreter, title: "tide.fetch")
    let (inputs, options) = try reader.readTable(at: 1)
    let fetch: Fetch
    do throws(Failure) {
      fetch = try Fetch(options: options, isExtra: !inputs.isEmpty)
    } catch {
      throw ScriptFault(.badValue, error.message, help: error.help)
    }
    body.wait(at: clua_caller(stack.pointer)) { .fetch(body.run.fetch(fetch, wait: $0)) }
    return Int32(CLUA_YIELD)
  }
}

/// `tide.sleep(0.5)`, `tide.sleep "500ms"` in a step; while declaring, the verb.
let sleepFunction: clua_function = { pointer in
  if let pointer, let interpreter = Interpreter.of(pointer), case .declaring = interpreter.work,
    LuaStack(pointer: pointer).type(at: 1) == LUA_TSTRING
  {
    return declareVerb(pointer)
  }
  return perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    if case .declaring = interpreter.work {
      throw ScriptFault(
        .badValue, "tide.sleep needs a name, which is a text, and has \(stack.noun(at: 1))",
        help: "write tide.sleep \"name\" { ... }; only in a step's function does tide.sleep(seconds) wait")
    }
    let body = try interpreter.waitingBody(stack, "sleep")
    try interpreter.refuseHandles(stack, "tide.sleep")
    let isLength = stack.type(at: 1) == LUA_TNUMBER || stack.type(at: 1) == LUA_TSTRING
    let value = isLength ? try? stack.value(at: 1) : nil
    guard stack.top == 1, let length = value.flatMap({ Duration($0) }) else {
      let found = stack.top > 1 ? "\(stack.top) arguments" : value?.excerpt ?? stack.noun(at: 1)
      throw ScriptFault(
        .badValue, "tide.sleep takes a length of time, and has \(found)",
        help: "write \"500ms\", \"5s\", \"2m\", or a number of seconds")
    }
    body.wait(at: clua_caller(stack.pointer)) { .sleep(body.run.sleep(length, wait: $0)) }
    return Int32(CLUA_YIELD)
  }
}

/// `local a, b = tide.all { f, g }`: runs the functions at once, and returns the first value of each, in this order.
///
/// The first that fails, by an error or by `return nil, err` as a step would, decides: the others are stopped (their
/// requests aborted, what they have to close closed), then `tide.all` raises its error.
private let allFunction: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    let body = try interpreter.waitingBody(stack, "all")
    guard stack.top == 1, stack.type(at: 1) == LUA_TTABLE else {
      let found = stack.top > 1 ? "\(stack.top) arguments" : stack.noun(at: 1)
      throw ScriptFault(
        .badValue, "tide.all takes a list of functions, and has \(found)",
        help: "write tide.all { function() ... end, function() ... end }")
    }
    let parent = body.current
    let count = try countFunctions(stack)
    guard count > 0 else { return 0 }
    var branches: [UInt32] = []
    for place in 1...count {
      lua_rawgeti(stack.pointer, -1, place)
      guard let coroutine = clua_new_body(stack.pointer) else { break }
      let reference = clua_hold(stack.pointer)
      branches.append(
        body.add(
          Strand(stack: LuaStack(pointer: coroutine), parent: parent, reference: reference, state: .ready(0))))
      // The trampoline says so, once this has returned.
      if place % 64 == 0, clua_is_full(interpreter.state) { return 0 }
    }
    body.set(parent, .joining(branches, left: branches.count))
    return Int32(CLUA_YIELD)
  }
}

/// Pushes the content of the list, and counts it.
///
/// - Throws: what is no function in it.
private func countFunctions(_ stack: LuaStack) throws(ScriptFault) -> lua_Integer {
  clua_push_content(stack.pointer, 1)
  let count = lua_Integer(lua_rawlen(stack.pointer, -1))
  var found: lua_Integer = 0
  stack.pushNil()
  while lua_next(stack.pointer, -2) != 0 {
    let isItem = clua_is_integer(stack.pointer, -2) && (1...max(count, 1)).contains(clua_to_integer(stack.pointer, -2))
    guard isItem else {
      throw ScriptFault(
        .badValue, "tide.all takes a list of functions, and has a key that is \(stack.noun(at: -2))",
        help: "write tide.all { f, g }: its values come back in this order")
    }
    found += 1
    guard stack.type(at: -1) == LUA_TFUNCTION else {
      throw ScriptFault(
        .badValue,
        "tide.all takes a list of functions, and item \(clua_to_integer(stack.pointer, -2)) is \(stack.noun(at: -1))",
        help: "write function() return ... end around what is to run at once")
    }
    stack.pop()
  }
  guard found == count else { throw ScriptFault(.badValue, "tide.all takes a list of functions, and has a hole") }
  return count
}
