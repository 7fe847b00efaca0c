import CLua
import TideGraph

/// A function of ours, and the number that it gets along.
struct LibraryFunction {
  let name: String
  let function: clua_function
  var tag = 0
}

extension Interpreter {
  /// Puts everything that is ours into a new sandbox: `tide`, `print`, what undefined globals and handles do.
  func installLibrary() {
    let pointer = main.pointer
    main.pushFunction(undefinedGlobal)
    clua_set_metafield(pointer, Int32(CLUA_MT_GLOBALS), "__index")
    for which in [CLUA_MT_GLOBALS, CLUA_MT_MODULE] {
      lua_pushboolean(pointer, 0)
      clua_set_metafield(pointer, Int32(which), "__metatable")
    }
    clua_push_sayer(pointer, "\t", describeHandle, sayLine)
    clua_set_global(pointer, "print")
    installHandles()
    installNull()
    installNumbers()
    main.pushFunction(failureText)
    clua_set_metafield(pointer, Int32(CLUA_MT_FAILURE), "__tostring")
    pushModule()
    clua_set_module(pointer, "tidegate", resolveModule)
    main.top = 0
  }

  private func pushModule() {
    let pointer = main.pointer
    let functions =
      PlanBuilder.verbs.enumerated().map { tag, verb in
        LibraryFunction(name: verb, function: verb == "sleep" ? sleepFunction : declareVerb, tag: tag)
      } + handleFunctions + valueFunctions + waitingFunctions
    lua_createtable(pointer, 0, Int32(functions.count + 8))
    for entry in functions {
      main.pushFunction(entry.function, tag: entry.tag)
      main.setRaw(entry.name, in: -2)
    }
    clua_push_null(pointer)
    main.setRaw("null", in: -2)
    clua_push_sayer(pointer, " ", describeHandle, sayLine)
    main.setRaw("log", in: -2)
    clua_push_format(pointer, joinFormat)
    main.setRaw("format", in: -2)
    pushCallable("json", call: encodeJSON, decode: decodeJSON)
    main.setRaw("json", in: -2)
    pushCallable("base64", call: encodeBase64, decode: decodeBase64)
    main.setRaw("base64", in: -2)
    main.pushFunction(unknownFunction)
    clua_set_metafield(pointer, Int32(CLUA_MT_MODULE), "__index")
    clua_mark(pointer, -1, Int32(CLUA_MT_MODULE))
    main.pushCopy(of: -1)
    clua_freeze_table(pointer, "tide")
    main.pop()
  }

  /// A read-only table with a function `decode` that can itself be called.
  private func pushCallable(_ name: String, call: @escaping clua_function, decode: @escaping clua_function) {
    lua_createtable(main.pointer, 0, 1)
    main.pushFunction(decode)
    main.setRaw("decode", in: -2)
    main.pushCopy(of: -1)
    clua_freeze_table(main.pointer, "tide.\(name)")
    main.pop()
    lua_getmetatable(main.pointer, -1)
    main.pushFunction(call)
    main.setRaw("__call", in: -2)
    main.pop()
  }
}

/// `tide.requets`.
private let unknownFunction: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    guard let name = stack.shownString(at: 2) else { throw ScriptFault(.scriptError, "tide has names only") }
    throw ScriptFault(
      .undefinedName, "there is no tide.\(name)", help: didYouMean(name, among: Interpreter.moduleNames))
  }
}

/// A finished line of `print` or `tide.log`.
private let sayLine: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    let line = stack.shownString(at: 1) ?? ""
    switch interpreter.work {
    case .step(let context): context.log(context.node, line)
    case .testing(let work): work.print(line)
    case .declaring, .nothing: interpreter.output(line)
    }
    return 0
  }
}

extension Interpreter {
  /// Everything that `tide` has.
  static let moduleNames: [String] =
    PlanBuilder.verbs + (handleFunctions + valueFunctions + waitingFunctions).map(\.name)
    + ["null", "log", "format", "json", "base64"]
}
