import CLua
import TideGraph

/// The captured variables that some function reachable from a step assigns: what could carry a value from one step to
/// the next. (What captured tables hold is read-only, and so can't.)
struct Captures {
  struct Variable {
    /// The kept function, and which of its upvalues.
    let function: Int32
    let upvalue: Int32
    let name: String
    let location: Location?
    /// The kept value that it had when the script had declared.
    let value: Int32
  }

  private(set) var variables: [Variable] = []

  var isEmpty: Bool { variables.isEmpty }

  /// Takes in the variables that the function on top of the stack assigns.
  mutating func add(_ prototype: Prototype, _ stack: LuaStack, file: String) {
    guard !prototype.assignments.isEmpty else { return }
    let function = clua_keep(stack.pointer, -1)
    for assignment in prototype.assignments {
      guard lua_getupvalue(stack.pointer, -1, Int32(assignment.upvalue)) != nil else { continue }
      let value = clua_keep(stack.pointer, -1)
      stack.pop()
      variables.append(
        Variable(
          function: function, upvalue: Int32(assignment.upvalue), name: assignment.name,
          location: Location(file: file, line: assignment.line), value: value))
    }
  }

  /// Gives every variable the value it had, and returns the first that had another.
  func restore(_ stack: LuaStack) -> Variable? {
    var changed: Variable?
    for variable in variables {
      clua_push_kept(stack.pointer, variable.function)
      clua_push_kept(stack.pointer, variable.value)
      if lua_getupvalue(stack.pointer, -2, variable.upvalue) != nil {
        if lua_rawequal(stack.pointer, -1, -2) == 0 {
          changed = changed ?? variable
          stack.pop()
          stack.pushCopy(of: -1)
          lua_setupvalue(stack.pointer, -3, variable.upvalue)
        } else {
          stack.pop()
        }
      }
      stack.pop(2)
    }
    return changed
  }
}

extension Interpreter {
  /// The script has declared: what its steps can reach becomes read-only.
  ///
  /// - Returns: the assignments to captured variables that the steps' own functions make.
  /// - Throws: if there is not enough memory.
  func freeze(steps: [FunctionID], declarer: Declarer) throws(ScriptFault) -> [Location: String] {
    var roots = steps.map { Int32(truncatingIfNeeded: $0.index) }
    let before = clua_is_full(state)
    guard !before, clua_freeze(main.pointer, &roots, Int32(roots.count)) == LUA_OK else {
      throw ScriptFault(.scriptError, outOfMemory().message)
    }
    noteHandles(declarer)
    main.pop()
    let assigning = try assigningLines()
    var refused: [Location: String] = [:]
    defer { main.top = 0 }
    guard !assigning.isEmpty else { return refused }
    let steps = Set(steps.map { Int32(truncatingIfNeeded: $0.index) })
    let own = Set(steps.compactMap { identity(ofKept: $0) })
    for place in 1..<(lua_Integer(lua_rawlen(main.pointer, -1)) + 1) {
      lua_rawgeti(main.pointer, -1, place)
      defer { main.pop() }
      guard let (prototype, file) = assigningPrototype(assigning) else { continue }
      if let identity = lua_topointer(main.pointer, -1), own.contains(identity) {
        for assignment in prototype.assignments {
          refused[Location(file: file, line: assignment.line)] = assignment.name
        }
      }
      captures.add(prototype, main, file: file)
    }
    return refused
  }

  private func identity(ofKept function: Int32) -> UnsafeRawPointer? {
    clua_push_kept(main.pointer, function)
    defer { main.pop() }
    return lua_topointer(main.pointer, -1)
  }

  /// The list of handles on top.
  private func noteHandles(_ declarer: Declarer) {
    let count = lua_Integer(lua_rawlen(main.pointer, -1))
    guard count > 0 else { return }
    for place in 1...count {
      lua_rawgeti(main.pointer, -1, place)
      if let handle = main.handle(at: -1) { handleTitles[handle.serial] = title(of: handle) }
      main.pop()
    }
  }

  /// By chunk, the lines of the functions that assign what they captured: most scripts have none, and then no function
  /// needs a closer look.
  private func assigningLines() throws(ScriptFault) -> [Int: [ClosedRange<Int>]] {
    var found: [Int: [ClosedRange<Int>]] = [:]
    for kept in chunks.keptFunctions {
      clua_push_kept(main.pointer, kept)
      defer { main.pop() }
      var first: Int32 = 0
      var last: Int32 = 0
      guard let file = chunks.file(of: clua_chunk(main.pointer, -1, &first, &last)) else { continue }
      guard let prototype = prototypeOnTop() else {
        throw ScriptFault(.scriptError, "the code of \(chunks.names[file]) can't be looked through")
      }
      prototype.forEachAssigning { found[file, default: []].append($0.lines) }
    }
    return found
  }

  private func assigningPrototype(_ assigning: [Int: [ClosedRange<Int>]]) -> (Prototype, String)? {
    var first: Int32 = 0
    var last: Int32 = 0
    guard let file = chunks.file(of: clua_chunk(main.pointer, -1, &first, &last)), let lines = assigning[file],
      lines.contains(where: { $0 == Int(first)...Int(max(first, last)) }), let prototype = prototypeOnTop()
    else { return nil }
    return (prototype, chunks.names[file])
  }

  /// What the code of the function on top says.
  func prototypeOnTop() -> Prototype? {
    codeOnTop().flatMap { code in code.withUnsafeBytes { Prototype(code: $0) } }
  }

  func codeOnTop() -> [UInt8]? {
    var code = clua_bytes()
    guard clua_dump(main.pointer, -1, &code) == LUA_OK, let bytes = code.bytes else { return nil }
    defer { clua_free(bytes) }
    return Array(UnsafeRawBufferPointer(start: bytes, count: code.count))
  }
}
