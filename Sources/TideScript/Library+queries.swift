import CLua
import TideGraph
import TideValue

/// The functions of `tide` that take a handle and give another one.
let handleFunctions =
  [
    LibraryFunction(name: "path", function: pathFunction), LibraryFunction(name: "raw", function: rawFunction),
    LibraryFunction(name: "response", function: responseFunction),
  ]
  + Question.allCases.enumerated().map { LibraryFunction(name: $1.rawValue, function: questionFunction, tag: $0) }

extension Interpreter {
  /// The handle that is the first argument of a function.
  fileprivate func expression(
    _ stack: LuaStack, _ function: String, _ declarer: Declarer
  ) throws(ScriptFault) -> Expression {
    guard let handle = stack.handle(at: 1) else {
      throw ScriptFault(
        .wrongType, "\(function) takes a handle, and has \(stack.noun(at: 1))",
        help: "a handle is what tide.request, tide.step and their like return")
    }
    if let expression = declarer.expression(of: handle) { return expression }
    throw misuse(of: handle, function)
  }

  /// The node whose own handle is the first argument.
  fileprivate func node(_ stack: LuaStack, _ function: String, _ declarer: Declarer) throws(ScriptFault) -> NodeID {
    let expression = try expression(stack, function, declarer)
    if case .value(let node) = expression { return node }
    let title = expression.title { declarer.builder.name(of: $0) }
    throw ScriptFault(
      .wrongType, "\(function) takes the handle of a node, and has '\(title)'",
      help: "\(function) asks about a whole node; a field can be taken of what it gives")
  }
}

/// `tide.path(h, "a.b", { default = v })`.
private let pathFunction: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    let declarer = try interpreter.declarer(for: "tide.path")
    let subject = try interpreter.expression(stack, "tide.path", declarer)
    guard let text = stack.string(at: 2) else {
      throw ScriptFault(.wrongType, "tide.path takes a path, which is a text, and has \(stack.noun(at: 2))")
    }
    let path: Path
    do {
      path = try Path(text)
    } catch {
      throw ScriptFault(.badValue, "\(error)")
    }
    let fallback = try interpreter.pathDefault(stack)
    try interpreter.pushHandle(.path(subject, path, fallback: fallback), stack, declarer)
    return 1
  }
}

extension Interpreter {
  fileprivate func pathDefault(_ stack: LuaStack) throws(ScriptFault) -> Value? {
    if stack.isNone(at: 3) { return nil }
    guard stack.type(at: 3) == LUA_TTABLE else {
      throw ScriptFault(
        .wrongType, "the options of tide.path are \(stack.noun(at: 3))", help: "write { default = v }")
    }
    clua_push_content(stack.pointer, 3)
    defer { stack.pop() }
    stack.pushNil()
    var fallback: Value?
    while lua_next(stack.pointer, -2) != 0 {
      guard stack.string(at: -2) == "default" else {
        let name = stack.joinable(at: -2).map { String(decoding: $0, as: UTF8.self) } ?? stack.noun(at: -2)
        stack.pop(2)
        throw ScriptFault(.unknownOption, "unknown option '\(name)' of tide.path", help: "tide.path knows: default")
      }
      do {
        fallback = try stack.value(at: -1)
      } catch {
        stack.pop(2)
        throw ScriptFault(.badValue, "'default' of tide.path: \(error.message)")
      }
      stack.pop()
    }
    return fallback
  }
}

/// `tide.raw(h)`: joined to a URL as it is.
private let rawFunction: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    let declarer = try interpreter.declarer(for: "tide.raw")
    let subject = try interpreter.expression(stack, "tide.raw", declarer)
    var parts = [TextPart.raw(subject)]
    if case .text(let joined) = subject {
      parts = joined.map { if case .joined(let inner) = $0 { .raw(inner) } else { $0 } }
    }
    try interpreter.pushHandle(.text(parts), stack, declarer)
    return 1
  }
}

/// `tide.response(h)`.
private let responseFunction: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    let declarer = try interpreter.declarer(for: "tide.response")
    let node = try interpreter.node(stack, "tide.response", declarer)
    guard declarer.requests.contains(node) else {
      throw ScriptFault(
        .wrongType, "tide.response takes the handle of a request, and '\(declarer.builder.name(of: node))' is none")
    }
    try interpreter.pushHandle(.response(of: node), stack, declarer)
    return 1
  }
}

/// `tide.ok(h)`, `tide.failed(h)`, `tide.value(h)`, `tide.error(h)`.
private let questionFunction: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    let question = Question.allCases[Int(clua_function_tag(stack.pointer))]
    let declarer = try interpreter.declarer(for: "tide.\(question.rawValue)")
    let node = try interpreter.node(stack, "tide.\(question.rawValue)", declarer)
    try interpreter.pushHandle(.question(question, node), stack, declarer)
    return 1
  }
}

/// `tide.format` with a handle among its arguments: a handle on the joined text.
let joinFormat: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    guard case .declaring(let declarer) = interpreter.work else {
      try interpreter.refuseHandles(stack, "tide.format")
      return 0
    }
    guard let format = stack.string(at: 1) else {
      throw ScriptFault(.wrongType, "tide.format takes a format, which is a text, and has \(stack.noun(at: 1))")
    }
    var parts: [TextPart] = []
    var argument: Int32 = 1
    var rest = Substring(format)
    while let percent = rest.firstIndex(of: "%") {
      if percent > rest.startIndex { parts.append(joining: .text(String(rest[..<percent]))) }
      let sign = rest[percent...].dropFirst().first
      rest = rest[percent...].dropFirst(2)
      switch sign {
      case "%": parts.append(joining: .text("%"))
      case "s":
        argument += 1
        guard argument <= stack.top else {
          throw ScriptFault(.badValue, "tide.format: value \(argument - 1) is missing")
        }
        for part in try interpreter.textParts(stack, argument, declarer) { parts.append(joining: part) }
      default:
        throw ScriptFault(
          .handleMisuse, "tide.format with a handle knows %s and %%, not %\(sign.map(String.init) ?? "")",
          help: "format it inside a step, where the value is known")
      }
    }
    if !rest.isEmpty { parts.append(joining: .text(String(rest))) }
    try interpreter.pushHandle(.text(parts), stack, declarer)
    return 1
  }
}
