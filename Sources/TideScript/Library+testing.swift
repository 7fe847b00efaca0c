import CLua
import TideGraph
import TideValue

/// What the library of tests asks of Swift.
private let testFunctions = [
  LibraryFunction(name: "add", function: addTest), LibraryFunction(name: "fail", function: failTest),
  LibraryFunction(name: "pend", function: pendTest), LibraryFunction(name: "noun", function: nounOfValue),
  LibraryFunction(name: "show", function: showValue), LibraryFunction(name: "text", function: textOfValue),
  LibraryFunction(name: "difference", function: findDifference),
  LibraryFunction(name: "unknown", function: unknownCheck),
  LibraryFunction(name: "run", function: runWorkflow), LibraryFunction(name: "survives", function: askSurvival),
  LibraryFunction(name: "snapshot", function: askSnapshot),
]

extension LuaStack {
  /// Pushes a table of them.
  func pushTestFunctions() {
    lua_createtable(pointer, 0, Int32(testFunctions.count + 1))
    let table = top
    for entry in testFunctions {
      pushFunction(entry.function)
      setRaw(entry.name, in: table)
    }
    clua_push_null(pointer)
    setRaw("null", in: table)
  }

  /// A value as messages show it, if it is long without its end.
  fileprivate func shown(at index: Int32) -> String {
    switch type(at: index) {
    case LUA_TNONE, LUA_TNIL: return "nil"
    case _ where isNull(at: index): return "tide.null"
    default: return (try? value(at: index))?.shortened ?? noun(at: index)
    }
  }

  /// - Throws: what of it is no value, with its path.
  fileprivate func checkedValue(at index: Int32, of what: String) throws(ScriptFault) -> Value {
    do {
      return try value(at: index)
    } catch {
      throw ScriptFault(.badValue, "\(what): \(error.message)")
    }
  }
}

extension Interpreter {
  fileprivate func testing() throws(ScriptFault) -> TestWork {
    if case .testing(let work) = work { return work }
    throw ScriptFault(.forbidden, "only a test file has tests")
  }

  /// The line of the test file, or of what it requires, that called into the library.
  func testLocation(_ stack: LuaStack, _ work: TestWork) -> Location? {
    var level: Int32 = 0
    var call = lua_Debug()
    while lua_getstack(stack.pointer, level, &call) != 0 {
      level += 1
      guard stack.reserve(2), lua_getinfo(stack.pointer, "Sl", &call) != 0, call.currentline > 0 else { continue }
      let place = clua_place(chunk: call.source, line: call.currentline)
      guard let file = chunks.file(of: place.chunk), file != work.libraryFile else { continue }
      return chunks.location(place)
    }
    return nil
  }

  /// A complaint of the host's, as an error of the test's.
  fileprivate func fault(_ complaint: TestComplaint, _ stack: LuaStack, _ work: TestWork) -> ScriptFault {
    work.complaint = complaint
    var fault = ScriptFault(.testFailed, complaint.message, help: complaint.help)
    fault.location = testLocation(stack, work)
    return fault
  }

  /// Calls the host, and passes on what it complains of.
  fileprivate func asking<R>(
    _ stack: LuaStack, _ body: (any TestHost) throws(TestComplaint) -> R
  ) throws(ScriptFault) -> R {
    let work = try testing()
    do throws(TestComplaint) {
      return try body(work.host)
    } catch {
      throw fault(error, stack, work)
    }
  }
}

/// `add(names, places, is_pending)`.
private let addTest: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    let work = try interpreter.testing()
    let names = try stack.checkedValue(at: 1, of: "the names of a test").items.map { $0.string ?? "" }
    let places = try stack.checkedValue(at: 2, of: "the place of a test").items.map { Int($0.int64 ?? 0) }
    work.tests.append(
      TestState.Test(
        names: names, location: interpreter.testLocation(stack, work), isPending: lua_toboolean(stack.pointer, 3) != 0,
        place: places))
    return 0
  }
}

private let failTest: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    let work = try interpreter.testing()
    throw interpreter.fault(TestComplaint(stack.shownString(at: 1) ?? "the test failed"), stack, work)
  }
}

/// `pending("why")` in a test: it ends here.
private let pendTest: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    let work = try interpreter.testing()
    work.pendingReason = stack.shownString(at: 1) ?? "pending"
    throw interpreter.fault(TestComplaint("pending"), stack, work)
  }
}

private let nounOfValue: clua_function = { pointer in
  perform(pointer) { (_, stack) throws(ScriptFault) in
    stack.push(stack.noun(at: 1))
    return 1
  }
}

private let showValue: clua_function = { pointer in
  perform(pointer) { (_, stack) throws(ScriptFault) in
    stack.push(stack.shown(at: 1))
    return 1
  }
}

/// A text as it is, anything else as it is shown.
private let textOfValue: clua_function = { pointer in
  perform(pointer) { (_, stack) throws(ScriptFault) in
    stack.push(stack.shownString(at: 1) ?? stack.shown(at: 1))
    return 1
  }
}

/// Nil, or where two values differ first.
private let findDifference: clua_function = { pointer in
  perform(pointer) { (_, stack) throws(ScriptFault) in
    if lua_rawequal(stack.pointer, 1, 2) != 0 { return 0 }
    let expected = try stack.checkedValue(at: 1, of: "the expected value")
    let actual = try stack.checkedValue(at: 2, of: "the actual value")
    guard let difference = expected.firstDifference(from: actual) else { return 0 }
    stack.push(difference.description)
    return 1
  }
}

private let unknownCheck: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    let work = try interpreter.testing()
    let (path, name) = (stack.shownString(at: 1) ?? "?", stack.shownString(at: 2) ?? "?")
    var names: [String] = []
    stack.pushNil()
    while stack.reserve(4), lua_next(stack.pointer, 3) != 0 {
      if let name = stack.string(at: -2) { names.append(name) }
      stack.pop()
    }
    names.sort()
    let help = didYouMean(name, among: names) ?? "there are: \(names.joined(separator: ", "))"
    throw interpreter.fault(TestComplaint("there is no assert.\(path)", help: help), stack, work)
  }
}

/// `test.run(script, options)`: the run, and its number.
private let runWorkflow: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    guard let script = stack.string(at: 1) else {
      throw interpreter.fault(
        TestComplaint(
          "test.run takes the path of a script, and has \(stack.noun(at: 1))",
          help: "the path is seen from the test file: test.run(\"shares.lua\", { inputs = { uid = \"7\" } })"),
        stack, try interpreter.testing())
    }
    let options = try stack.checkedValue(at: 2, of: "the options of test.run")
    let (run, number) = try interpreter.asking(stack) { (host) throws(TestComplaint) in
      try host.run(script: script, options: options)
    }
    do throws(ConversionError) {
      try stack.push(run)
    } catch {
      throw ScriptFault(.scriptError, "what test.run gives: \(error.message)")
    }
    lua_pushinteger(stack.pointer, lua_Integer(number))
    return 2
  }
}

private let askSurvival: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    let nodes = try stack.checkedValue(at: 2, of: "the nodes of assert.survives")
    let names = (nodes.kind == .array ? nodes.items : [nodes]).compactMap(\.string)
    let complaint = try interpreter.asking(stack) { (host) throws(TestComplaint) in
      guard !names.isEmpty, nodes.kind != .array || names.count == nodes.count else {
        throw TestComplaint("assert.survives takes a list of names of nodes: assert.survives(run, { \"detail\" })")
      }
      return try host.survives(run: Int(clua_to_integer(stack.pointer, 1)), nodes: names)
    }
    guard let complaint else { return 0 }
    stack.push(complaint)
    return 1
  }
}

private let askSnapshot: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    let value = try stack.checkedValue(at: 1, of: "the value of the snapshot")
    let complaint = try interpreter.asking(stack) { (host) throws(TestComplaint) in
      guard let name = stack.string(at: 2) else {
        throw TestComplaint(
          "assert.snapshot takes a value and the snapshot's name, and has \(stack.noun(at: 2)) for it")
      }
      return try host.snapshot(value, name: name)
    }
    guard let complaint else { return 0 }
    stack.push(complaint)
    return 1
  }
}
