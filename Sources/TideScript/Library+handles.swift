import CLua
import TideGraph
import TideValue

/// Operators that a handle can't take, and how each reads: the number is the metamethod's tag.
private let refusedOperators: [(metamethod: String, sign: String, instead: String)] = [
  ("__add", "+", "return v + 1"), ("__sub", "-", "return v - 1"), ("__mul", "*", "return v * 2"),
  ("__div", "/", "return v / 2"), ("__mod", "%", "return v % 2"), ("__pow", "^", "return v ^ 2"),
  ("__idiv", "//", "return v // 2"), ("__unm", "-", "return -v"), ("__band", "&", "return v & 1"),
  ("__bor", "|", "return v | 1"), ("__bxor", "~", "return v ~ 1"), ("__bnot", "~", "return ~v"),
  ("__shl", "<<", "return v << 1"), ("__shr", ">>", "return v >> 1"), ("__lt", "<", "return v < 10"),
  ("__le", "<=", "return v <= 10"), ("__eq", "==", "return v == 10"), ("__len", "#", "return #v"),
  ("__tostring", "tostring", "return tostring(v)"), ("__close", "<close>", "return v"),
]

extension Interpreter {
  /// What handles do.
  func installHandles() {
    func set(_ name: String, _ function: clua_function, tag: Int = 0) {
      main.pushFunction(function, tag: tag)
      clua_set_metafield(main.pointer, Int32(CLUA_MT_HANDLE), name)
    }
    for (tag, refused) in refusedOperators.enumerated() { set(refused.metamethod, refusedOperator, tag: tag) }
    set("__call", callHandle)
    set("__index", indexHandle)
    set("__concat", joinHandles)
    set("__newindex", assignField)
    set("__pairs", walkHandle)
    main.push("handle")
    clua_set_metafield(main.pointer, Int32(CLUA_MT_HANDLE), "__name")
  }

  /// How a handle reads: `login.user.id`.
  func title(of handle: clua_handle) -> String {
    switch (HandleKind(rawValue: handle.kind), work) {
    case (.node?, .declaring(let declarer)): return declarer.builder.name(of: NodeID(Int(handle.index)))
    case (.expression?, .declaring(let declarer)):
      return declarer.expressions[Int(handle.index)].title { declarer.builder.name(of: $0) }
    case (.queue?, .declaring(let declarer)): return declarer.builder.queueName(QueueID(Int(handle.index)))
    case (.opening?, .declaring(let declarer)): return declarer.openings[Int(handle.index)].name
    default: return handleTitles[handle.serial] ?? "?"
    }
  }

  /// `how` is what was done: an operator, `call`, `[1]`.
  func misuse(of handle: clua_handle, _ how: String, instead: String = "return v") -> ScriptFault {
    let title = title(of: handle)
    if handle.kind == HandleKind.queue.rawValue {
      return ScriptFault(
        .handleMisuse, "'\(how)' of the queue '\(title)': a queue has no value",
        help: "it goes into a node's table: queue = \(title)")
    }
    guard case .declaring = work else {
      return ScriptFault(
        .handleMisuse, "'\(how)' of the handle '\(title)' in a step: a handle has no value here",
        help: "give it to the step as an input: { \(title), run = function(v) ... end }")
    }
    return ScriptFault(
      .handleMisuse, "'\(how)' of the handle '\(title)': its value is not known while the script declares",
      help: misuseHelp(title, instead: instead))
  }

  func misuseHelp(_ title: String, instead: String = "return v") -> String {
    guard case .declaring = work else { return "give it to the step as an input" }
    return "use it inside a step: tide.step \"name\" { \(title), run = function(v) \(instead) end }"
  }

  /// Complains of a handle among the arguments of a function that wants values.
  func refuseHandles(_ stack: LuaStack, _ function: String) throws(ScriptFault) {
    guard stack.top > 0 else { return }
    for index in 1...stack.top {
      if let handle = stack.handle(at: index) {
        throw misuse(of: handle, function, instead: "return \(function)(v)")
      }
    }
  }
}

private let refusedOperator: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    let refused = refusedOperators[Int(clua_function_tag(stack.pointer))]
    guard let handle = stack.handle(at: 1) ?? stack.handle(at: 2) else { return 0 }
    throw interpreter.misuse(of: handle, refused.sign, instead: refused.instead)
  }
}

private let walkHandle: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    guard let handle = stack.handle(at: 1) else { return 0 }
    throw interpreter.misuse(
      of: handle, stack.shownString(at: 2) ?? "pairs", instead: "for i, item in ipairs(v) do ... end")
  }
}

/// `login.user`: a handle on the field. One key, never a path.
private let indexHandle: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    guard let handle = stack.handle(at: 1) else { return 0 }
    guard stack.type(at: 2) == LUA_TSTRING, let key = stack.string(at: 2) else {
      let shown = stack.joinable(at: 2).map { String(decoding: $0, as: UTF8.self) } ?? stack.noun(at: 2)
      var fault = interpreter.misuse(of: handle, "[\(shown)]", instead: "return v[\(shown)]")
      if case .declaring = interpreter.work {
        fault.help =
          (fault.help ?? "") + "; or tide.path(\(interpreter.title(of: handle)), \"$[0]\"), which counts from 0"
      }
      throw fault
    }
    guard case .declaring(let declarer) = interpreter.work, let expression = declarer.expression(of: handle) else {
      throw interpreter.misuse(of: handle, ".\(key)")
    }
    if case .text = expression { throw interpreter.misuse(of: handle, ".\(key)") }
    try interpreter.pushHandle(.field(expression, key), stack, declarer)
    return 1
  }
}

private let assignField: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    guard let handle = stack.handle(at: 1) else { return 0 }
    throw interpreter.misuse(of: handle, ".\(stack.shownString(at: 2) ?? "?") =", instead: "v.field = 1 return v")
  }
}

/// `api .. "/users/" .. id`: a handle on the text, flat however it was put together.
let joinHandles: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    guard case .declaring(let declarer) = interpreter.work else {
      guard let handle = stack.handle(at: 1) ?? stack.handle(at: 2) else { return 0 }
      throw interpreter.misuse(of: handle, "..")
    }
    var parts = try interpreter.textParts(stack, 1, declarer)
    for part in try interpreter.textParts(stack, 2, declarer) { parts.append(joining: part) }
    try interpreter.pushHandle(.text(parts), stack, declarer)
    return 1
  }
}

extension [TextPart] {
  /// Adds a part; neighbouring texts become one.
  mutating func append(joining part: TextPart) {
    if case .text(let text) = part, case .text(let before)? = last {
      self[count - 1] = .text(before + text)
    } else {
      append(part)
    }
  }
}

extension Interpreter {
  /// - Throws: a handle on a field of a field and so on, deeper than what can be walked without harm.
  func pushHandle(_ expression: Expression, _ stack: LuaStack, _ declarer: Declarer) throws(ScriptFault) {
    if expression.isDeeper(than: 200) {
      throw ScriptFault(
        .badValue, "a handle of more than 200 fields and texts inside each other",
        help: "is a loop adding to the same handle? A step can walk a value of any depth")
    }
    clua_push_handle(stack.pointer, HandleKind.expression.rawValue, declarer.add(expression))
  }

  /// One side of `..`.
  func textParts(_ stack: LuaStack, _ index: Int32, _ declarer: Declarer) throws(ScriptFault) -> [TextPart] {
    if let handle = stack.handle(at: index) {
      guard let expression = declarer.expression(of: handle) else { throw misuse(of: handle, "..") }
      if case .text(let parts) = expression { return parts }
      return [.joined(expression)]
    }
    if stack.isNull(at: index) {
      throw ScriptFault(.handleMisuse, "tide.null can't be joined to a text: it is nothing")
    }
    guard let bytes = stack.joinable(at: index) else {
      throw ScriptFault(
        .scriptError, "attempt to join \(stack.noun(at: index)) to a handle: a text, a number or a handle is expected")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ScriptFault(.badValue, "a text that is not UTF-8 can't be joined to a handle")
    }
    return [.text(text)]
  }
}

/// What `print` shows of a handle.
let describeHandle: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    guard let handle = stack.handle(at: 1) else { return 0 }
    let title = interpreter.title(of: handle)
    if case .declaring = interpreter.work {
      stack.push(handle.kind == HandleKind.queue.rawValue ? "queue '\(title)'" : "handle '\(title)'")
      return 1
    }
    throw interpreter.misuse(of: handle, "print")
  }
}

extension Expression {
  /// Whether it nests more levels than this. What a handle stands for holds no tables.
  fileprivate func isDeeper(than limit: Int) -> Bool {
    guard limit > 0 else { return true }
    switch self {
    case .field(let inner, _), .path(let inner, _, _): return inner.isDeeper(than: limit - 1)
    case .text(let parts):
      return parts.contains { part in
        switch part {
        case .text: false
        case .joined(let inner), .raw(let inner): inner.isDeeper(than: limit - 1)
        }
      }
    case .literal, .value, .list, .object, .response, .question: return false
    }
  }
}
