import CLua
import TideGraph
import TideValue

extension Interpreter {
  /// What the error on top of a coroutine says. The coroutine is as the error left it.
  func error(in body: LuaStack) -> ScriptError {
    let known = chunks.location(clua_error_place(body.pointer))
    switch Int(clua_stopped(state)) {
    case CLUA_ABORTED: return stopped("the step was stopped", at: known)
    case CLUA_TIMED_OUT:
      return timedOut(at: known)
    case CLUA_OUT_OF_MEMORY: return outOfMemory(at: known)
    default: break
    }
    var error = ScriptError(code: .scriptError, message: "", location: known)
    switch body.type(at: -1) {
    case LUA_TSTRING: describe(body.shownString(at: -1) ?? "", in: body, &error)
    case LUA_TTABLE: describeTable(in: body, &error)
    case LUA_TNIL: error.message = "error(nil): an error without a message"
    default: error.message = "an error that is \(body.noun(at: -1))"
    }
    return error
  }

  private func timedOut(at location: Location?) -> ScriptError {
    var message = "was stopped: the time that the test has is over"
    if case .declaring = work, limits.end?.hasPassed != true {
      message = "the script still declares after \(limits.declaringTime), which is the limit"
    }
    return ScriptError(
      code: .scriptError, message: message, location: location, help: "is there a loop without an end?")
  }

  func outOfMemory(at location: Location? = nil) -> ScriptError {
    ScriptError(
      code: .scriptError, message: "not enough memory: the limit of a script is \(limits.memory >> 20) MB",
      location: location, isOutOfMemory: true)
  }

  private func stopped(_ message: String, at location: Location?) -> ScriptError {
    ScriptError(code: .scriptError, message: message, location: location, wasStopped: true)
  }

  private func describe(_ text: String, in body: LuaStack, _ error: inout ScriptError) {
    let (location, message) = chunks.split(text)
    error.message = String(message)
    error.location = location ?? error.location
    if let fault, fault.message == error.message {
      error.code = fault.code
      error.help = fault.help
      error.location = fault.location ?? error.location
      return
    }
    guard error.message.hasSuffix("got handle)") else { return }
    error.code = .handleMisuse
    error.help = misuseHelp("h")
    if let handle = clua_blamed_handle(body.pointer)?.pointee {
      let title = title(of: handle)
      error.message += ": the handle '\(title)'"
      error.help = misuseHelp(title)
    }
  }

  /// `error { message = ... }`, what `tide.fail` made, or what a `tide.fetch` gave.
  private func describeTable(in body: LuaStack, _ error: inout ScriptError) {
    let isFailure = clua_marked(body.pointer, -1) == CLUA_MT_FAILURE
    let message = body.field("message", ofTableAt: -1) { $0.shownString(at: -1) }
    if isFailure {
      error.message = message ?? ""
      error.passedOn = passedOn(in: body, message: error.message)
      error.data = body.field("data", ofTableAt: -1) { $0.isNone(at: -1) ? nil : try? $0.value(at: -1) }
      return
    }
    error.data = try? body.value(at: -1)
    error.message = message ?? error.data.map { "an error: \($0.excerpt)" } ?? "an error that is a table"
  }
}

extension LuaStack {
  /// A value as it reads in a sentence.
  func noun(at index: Int32) -> String {
    switch type(at: index) {
    case LUA_TNONE, LUA_TNIL: "nil"
    case LUA_TBOOLEAN: "a boolean"
    case LUA_TNUMBER: "a number"
    case LUA_TSTRING: "a text"
    case LUA_TTABLE: "a table"
    case LUA_TFUNCTION: "a function"
    case LUA_TTHREAD: "a coroutine"
    default: handle(at: index) != nil ? "a handle" : isNull(at: index) ? "tide.null" : "a number"
    }
  }

  /// Looks a field up past all metamethods, and gives what `body` makes of it.
  func field<R>(_ name: String, ofTableAt index: Int32, _ body: (LuaStack) -> R?) -> R? {
    guard reserve(4) else { return nil }
    clua_push_content(pointer, index)
    push(name)
    lua_rawget(pointer, -2)
    defer { pop(2) }
    return body(self)
  }
}

extension Sources {
  /// The place with the columns of a word in its line, if it is there.
  ///
  /// - Parameter isUsed: where it is indexed or called comes before where it only stands.
  func pinpoint(_ word: some StringProtocol, at location: Location, isUsed: Bool = false) -> Location {
    guard !word.isEmpty, let line = line(at: location) else { return location }
    let text = Array(line.utf8)
    let wanted = Array(word.utf8)
    func isWord(_ byte: UInt8) -> Bool {
      byte == 0x5F || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte >= 0x80
    }
    guard text.count >= wanted.count else { return location }
    var found: Location?
    for start in 0...(text.count - wanted.count) where text[start..<(start + wanted.count)].elementsEqual(wanted) {
      let end = start + wanted.count
      if isWord(wanted[0]), start > 0, isWord(text[start - 1]) { continue }
      if isWord(wanted[wanted.count - 1]), end < text.count, isWord(text[end]) { continue }
      let place = Location(file: location.file, line: location.line, columns: (start + 1)..<(end + 1))
      if !isUsed || ".[:({".utf8.contains(end < text.count ? text[end] : 0) { return place }
      found = found ?? place
    }
    return found ?? location
  }
}

/// The name that a message of Lua's ends with: `... (field 'items')`, `... near 'x'`, `... variable 'x'`.
func namedWord(in message: String) -> Substring? {
  let isNear = message.hasSuffix("'") && (message.contains(" near '") || message.contains("variable '"))
  guard isNear || message.hasSuffix("')") else { return nil }
  let quoted = message.split(separator: "'", omittingEmptySubsequences: false)
  guard quoted.count >= 3 else { return nil }
  return quoted[quoted.count - 2]
}
