import CLua
import TideGraph

/// A global that nobody has assigned. To read it is an error, always: it is most often a name that is misspelt.
let undefinedGlobal: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    guard let name = stack.shownString(at: 2) else {
      throw ScriptFault(.undefinedName, "a global has a name, and \(stack.noun(at: 2)) is none")
    }
    throw ScriptFault(.undefinedName, "undefined variable '\(name)'", help: interpreter.help(undefined: name, stack))
  }
}

extension Interpreter {
  fileprivate func help(undefined name: String, _ stack: LuaStack) -> String? {
    if let reason = missingOnPurpose[name] { return reason }
    if let meant = didYouMean(name, among: visibleNames(stack)) { return meant }
    let file = chunks.file(of: clua_caller(stack.pointer).chunk)
    let text = file.flatMap { file in allSources.files.indices.contains(file) ? allSources.files[file].text : nil }
    let locals = text.map { localNames(in: $0) } ?? []
    if locals.contains(name) { return "the local '\(name)' has its value only where its own statement has ended" }
    if let meant = didYouMean(name, among: locals) { return meant }
    if case .testing = work, name == "test" { return "local test = require \"tidegate.test\" gives it" }
    guard case .declaring(let declarer) = work else { return nil }
    if let node = nearest(to: name, among: declarer.builder.declaredNames) {
      return node == name
        ? "'\(name)' is the name of a node: keep its handle in a variable, local \(name) = tide..."
        : "did you mean the node '\(node)'? Keep its handle in a variable"
    }
    return name == "tide" ? "local tide = require \"tidegate\" gives it" : nil
  }

  private var allSources: Sources {
    switch work {
    case .declaring(let declarer): declarer.builder.sources
    case .testing(let testing): testing.declarer.builder.sources
    case .nothing, .step: sources
    }
  }

  /// The names that a text declares with `local`, wherever: a function sees only those at run time that it uses.
  private func localNames(in text: String) -> [String] {
    var names: [String] = []
    var isDeclaring = false
    for word in text.split(whereSeparator: { !($0 == "_" || $0 == "," || $0.isASCII && ($0.isLetter || $0.isNumber)) })
    {
      if word == "local" || word == "function" {
        isDeclaring = true
      } else if isDeclaring {
        names += word.split(separator: ",").map(String.init)
        isDeclaring = word.hasSuffix(",")
      }
    }
    return names
  }

  /// The locals, upvalues and globals that the calling function sees.
  private func visibleNames(_ stack: LuaStack) -> [String] {
    var names: [String] = []
    var call = lua_Debug()
    if lua_getstack(stack.pointer, 1, &call) != 0, stack.reserve(8) {
      var place: Int32 = 1
      while let name = lua_getlocal(stack.pointer, &call, place) {
        names.append(String(cString: name))
        stack.pop()
        place += 1
      }
      if lua_getinfo(stack.pointer, "f", &call) != 0 {
        place = 1
        while let name = lua_getupvalue(stack.pointer, -1, place) {
          names.append(String(cString: name))
          stack.pop()
          place += 1
        }
        stack.pop()
      }
    }
    clua_push_globals(stack.pointer)
    clua_push_content(stack.pointer, -1)
    stack.pushNil()
    var globals: [String] = []
    while lua_next(stack.pointer, -2) != 0 {
      if let name = stack.string(at: -2) { globals.append(name) }
      stack.pop()
    }
    stack.pop(2)
    return names.filter { !$0.hasPrefix("(") && $0 != "_ENV" } + globals.sorted()
  }
}

/// What other Luas have, and this one has not.
private let missingOnPurpose: [String: String] = {
  let system = "a script sees no files, no clock and no environment: it gets what it needs as tide.input"
  let code = "a script runs no code from texts: put it into a file beside the script, and require it"
  return [
    "os": "\(system); tide.now() is the time in a step", "io": "\(system); print writes a line", "debug": system,
    "package": "require \"name\" loads a file from the script's folder", "load": code, "loadstring": code,
    "dofile": "require \"name\" loads a file from the script's folder",
    "loadfile": "require \"name\" loads a file from the script's folder",
    "collectgarbage": "memory takes care of itself", "warn": "print or tide.log writes a line",
    "unpack": "it is table.unpack", "setfenv": "Lua 5.4 has no setfenv", "getfenv": "Lua 5.4 has no getfenv",
    "bit32": "Lua 5.4 has operators: a & b, a | b, a << n", "null": "it is tide.null",
  ]
}()

/// What `tide.fail` raised, as text.
let failureText: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    let message = stack.field("message", ofTableAt: 1) { $0.shownString(at: -1) }
    stack.push(message ?? "a failure")
    return 1
  }
}
