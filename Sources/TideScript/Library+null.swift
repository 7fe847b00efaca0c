import CLua
import TideGraph

private let arithmetic = [
  "__add", "__sub", "__mul", "__div", "__mod", "__pow", "__unm", "__idiv", "__band", "__bor", "__bxor", "__bnot",
  "__shl", "__shr", "__lt", "__le",
]
private let nullUses = arithmetic + ["__index", "__newindex", "__call", "__concat", "__len", "__pairs", "__close"]

extension Interpreter {
  /// `tide.null` says what it is wherever it is used as something else.
  func installNull() {
    for (tag, name) in nullUses.enumerated() {
      main.pushFunction(refuseNull, tag: tag)
      clua_set_metafield(main.pointer, Int32(CLUA_MT_NULL), name)
    }
    main.pushFunction { pointer in
      perform(pointer) { (_, stack) throws(ScriptFault) in
        stack.push("null")
        return 1
      }
    }
    clua_set_metafield(main.pointer, Int32(CLUA_MT_NULL), "__tostring")
    main.push("tide.null")
    clua_set_metafield(main.pointer, Int32(CLUA_MT_NULL), "__name")
  }

  /// A number that no Lua number holds is passed on as it is written; nothing can be computed with it.
  func installNumbers() {
    for name in arithmetic {
      main.pushFunction(refuseArithmetic)
      clua_set_metafield(main.pointer, Int32(CLUA_MT_NUMBER), name)
    }
    for (name, function) in [("__tostring", numberText), ("__concat", joinNumber), ("__eq", equalNumbers)] {
      main.pushFunction(function)
      clua_set_metafield(main.pointer, Int32(CLUA_MT_NUMBER), name)
    }
    main.push("number")
    clua_set_metafield(main.pointer, Int32(CLUA_MT_NUMBER), "__name")
  }
}

private let refuseNull: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    let use = nullUses[Int(clua_function_tag(stack.pointer))]
    // The other side of an operator may be a handle, which knows better.
    if use == "__concat", stack.handle(at: 1) != nil || stack.handle(at: 2) != nil { return joinHandles(pointer) }
    let what =
      switch use {
      case "__index": "attempt to index tide.null (field '\(stack.shownString(at: 2) ?? "?")')"
      case "__newindex": "attempt to assign a field of tide.null (field '\(stack.shownString(at: 2) ?? "?")')"
      case "__call": "attempt to call tide.null"
      case "__concat": "attempt to join tide.null to a text"
      case "__len": "attempt to get the length of tide.null"
      case "__pairs": "attempt to walk tide.null with \(stack.shownString(at: 2) ?? "pairs")"
      case "__lt", "__le": "attempt to compare with tide.null"
      case "__close": "attempt to close tide.null"
      default: "attempt to compute with tide.null"
      }
    throw ScriptFault(
      .scriptError, what,
      help: "it is JSON's null, and true to 'if': ask v == tide.null, or use tide.get(v, \"a.b\", default)")
  }
}

private let refuseArithmetic: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    let text = stack.numberText(at: 1) ?? stack.numberText(at: 2) ?? "?"
    let shown = text.utf8.count > 40 ? "\(text.prefix(37))..." : text
    throw ScriptFault(
      .scriptError, "attempt to compute with the number \(shown), which is beyond what Lua's numbers can hold",
      help: "it can be passed on as it is, joined to a text, and compared with ==")
  }
}

private let numberText: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    stack.push(stack.numberText(at: 1) ?? "?")
    return 1
  }
}

private let joinNumber: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    if stack.handle(at: 1) != nil || stack.handle(at: 2) != nil { return joinHandles(pointer) }
    var joined: [UInt8] = []
    for index: Int32 in 1...2 {
      guard let bytes = stack.joinable(at: index) else {
        throw ScriptFault(.scriptError, "attempt to join \(stack.noun(at: index)) to a text")
      }
      joined += bytes
    }
    stack.push(joined)
    return 1
  }
}

private let equalNumbers: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    let left = stack.numberText(at: 1)
    lua_pushboolean(stack.pointer, left != nil && left == stack.numberText(at: 2) ? 1 : 0)
    return 1
  }
}
