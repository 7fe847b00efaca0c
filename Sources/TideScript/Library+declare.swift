import CLua
import TideGraph
import TideValue

/// `tide.VERB "name"`, `tide.VERB("name", table)`.
let declareVerb: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    let verb = PlanBuilder.verbs[Int(clua_function_tag(stack.pointer))]
    let declarer = try interpreter.declarer(for: "tide.\(verb)")
    let name = try nodeName(stack, verb)
    let opening = declarer.open(verb, name: name, place: interpreter.chunks.place(clua_caller(stack.pointer)))
    clua_push_handle(stack.pointer, HandleKind.opening.rawValue, UInt32(truncatingIfNeeded: opening))
    if stack.top > 2 { try interpreter.declare(stack, opening, handleAt: stack.top, tableAt: 2, declarer) }
    return 1
  }
}

private func nodeName(_ stack: LuaStack, _ verb: String) throws(ScriptFault) -> String {
  if let name = stack.string(at: 1) { return name }
  if stack.type(at: 1) == LUA_TTABLE {
    throw ScriptFault(
      .badValue, "tide.\(verb) needs a name before its table", help: "write tide.\(verb) \"name\" { ... }")
  }
  throw ScriptFault(
    .badValue,
    stack.type(at: 1) == LUA_TSTRING
      ? "the name of a node is not UTF-8" : "tide.\(verb) needs a name, which is a text, and has \(stack.noun(at: 1))")
}

/// The second call of `tide.VERB "name" { ... }`; any other call of a handle is a mistake.
let callHandle: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    guard let handle = stack.handle(at: 1) else { return 0 }
    guard case .declaring(let declarer) = interpreter.work, handle.kind == HandleKind.opening.rawValue else {
      throw interpreter.misuse(of: handle, "call")
    }
    let opening = declarer.openings[Int(handle.index)]
    guard opening.declared == nil else {
      throw ScriptFault(
        .handleMisuse, "\(opening.verb) \"\(opening.name)\" is declared already, and is given a table once more",
        help: "its table stands directly behind its name: tide.\(opening.verb) \"\(opening.name)\" { ... }")
    }
    try interpreter.declare(stack, Int(handle.index), handleAt: 1, tableAt: 2, declarer)
    stack.pushCopy(of: 1)
    return 1
  }
}

extension Interpreter {
  /// The declarer, for a function that declares.
  func declarer(for name: String) throws(ScriptFault) -> Declarer {
    if case .declaring(let declarer) = work { return declarer }
    if case .testing = work {
      throw ScriptFault(
        .forbidden, "\(name) declares, and a test can't: it runs a script that does",
        help: "put it into a script, and run that: test.run(\"script.lua\")")
    }
    throw ScriptFault(
      .forbidden, "\(name) declares, and a step can't: the plan is complete when its first node starts",
      help: "declare the node outside, and give the step its value as an input")
  }

  /// Reads an opening's table, declares it, and makes its handle one of the node's.
  fileprivate func declare(
    _ stack: LuaStack, _ opening: Int, handleAt place: Int32, tableAt table: Int32, _ declarer: Declarer
  ) throws(ScriptFault) {
    let it = declarer.openings[opening]
    let title = "\(it.verb) \"\(it.name)\""
    guard stack.type(at: table) == LUA_TTABLE else {
      throw ScriptFault(
        .badValue, "\(title): its table is \(stack.noun(at: table))", help: "write tide.\(title) { ... }")
    }
    var reader = ArgumentReader(stack, declarer, title: title)
    let (inputs, options) = try reader.readTable(at: table)
    let declared = declarer.declare(opening, inputs: inputs, options: options)
    guard let handle = clua_to_handle(stack.pointer, place) else { return }
    let mutable = UnsafeMutablePointer(mutating: handle)
    switch declared {
    case .node(let node):
      mutable.pointee.kind = HandleKind.node.rawValue
      mutable.pointee.index = node.index
    case .queue(let queue):
      mutable.pointee.kind = HandleKind.queue.rawValue
      mutable.pointee.index = queue.index
    }
  }
}
