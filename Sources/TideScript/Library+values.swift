import CCrypto
import CLua
import TideGraph
import TideValue

/// The functions of `tide` that take values: in steps, and while declaring for what is known then.
let valueFunctions = [
  LibraryFunction(name: "md5", function: digestFunction, tag: 0),
  LibraryFunction(name: "sha256", function: digestFunction, tag: 1),
  LibraryFunction(name: "hmac", function: hmacFunction), LibraryFunction(name: "url", function: urlFunction),
  LibraryFunction(name: "get", function: getFunction), LibraryFunction(name: "fail", function: failFunction),
  LibraryFunction(name: "now", function: nowFunction), LibraryFunction(name: "array", function: arrayFunction),
  LibraryFunction(name: "object", function: objectFunction),
]

private let digests = ["md5", "sha256"]

extension LuaStack {
  /// An argument that is a text, or a number as a text.
  func textArgument(_ index: Int32, of function: String) throws(ScriptFault) -> [UInt8] {
    if type(at: index) != LUA_TUSERDATA, let bytes = joinable(at: index) { return bytes }
    throw ScriptFault(.scriptError, "\(function) takes a text, and has \(noun(at: index))")
  }
}

private func hexadecimal(_ bytes: some Sequence<UInt8>) -> [UInt8] {
  let digits = Array("0123456789abcdef".utf8)
  return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
}

private func pushDigest(
  _ stack: LuaStack, _ algorithm: String, _ compute: (UnsafeMutablePointer<UInt8>) -> Int32
) throws(ScriptFault) {
  if let problem = ccrypto_problem() { throw ScriptFault(.scriptError, String(cString: problem)) }
  var digest = [UInt8](repeating: 0, count: Int(CCRYPTO_MAXIMUM))
  let count = digest.withUnsafeMutableBufferPointer { buffer in buffer.baseAddress.map(compute) ?? -1 }
  guard count >= 0 else {
    throw ScriptFault(
      .scriptError, "there is no digest '\(algorithm)'", help: "for example: md5, sha1, sha256, sha384, sha512")
  }
  stack.push(hexadecimal(digest.prefix(Int(count))))
}

private let digestFunction: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    let algorithm = digests[Int(clua_function_tag(stack.pointer))]
    try interpreter.refuseHandles(stack, "tide.\(algorithm)")
    let text = try stack.textArgument(1, of: "tide.\(algorithm)")
    try pushDigest(stack, algorithm) { ccrypto_digest(algorithm, text, text.count, $0) }
    return 1
  }
}

/// `tide.hmac(key, text, algorithm)`, sha256 if not said.
private let hmacFunction: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    try interpreter.refuseHandles(stack, "tide.hmac")
    let key = try stack.textArgument(1, of: "tide.hmac")
    let text = try stack.textArgument(2, of: "tide.hmac")
    var algorithm = "sha256"
    if !stack.isNone(at: 3) {
      algorithm = String(decoding: try stack.textArgument(3, of: "tide.hmac"), as: UTF8.self)
    }
    try pushDigest(stack, algorithm) { ccrypto_hmac(algorithm, key, key.count, text, text.count, $0) }
    return 1
  }
}

private let urlFunction: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    try interpreter.refuseHandles(stack, "tide.url")
    let bytes = try stack.textArgument(1, of: "tide.url")
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ScriptFault(.badValue, "tide.url takes a text, and has bytes that are not UTF-8")
    }
    stack.push(percentEncoded(text))
    return 1
  }
}

/// `tide.get(v, "a.b", default)`: the default, or nil, where the path leads to nothing.
private let getFunction: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    if let handle = stack.handle(at: 1) {
      var fault = interpreter.misuse(of: handle, "tide.get")
      if case .declaring = interpreter.work {
        fault.help = "tide.path(\(interpreter.title(of: handle)), \"...\", { default = v }) is a handle on it"
      }
      throw fault
    }
    guard let text = stack.string(at: 2) else {
      throw ScriptFault(.wrongType, "tide.get takes a path, which is a text, and has \(stack.noun(at: 2))")
    }
    do {
      let path = try Path(text)
      let isFound = text.hasPrefix("$") ? try find(path, stack) : walk(text, stack)
      if !isFound { stack.pushCopy(of: 3) }
    } catch let error as ConversionError {
      throw ScriptFault(.scriptError, "tide.get: \(error.message)")
    } catch {
      throw ScriptFault(.badValue, "\(error)")
    }
    return 1
  }
}

/// Pushes what a dotted path leads to; false, and pushes nothing, if that is nothing.
private func walk(_ path: String, _ stack: LuaStack) -> Bool {
  stack.top = max(stack.top, 3)
  stack.pushCopy(of: 1)
  for name in path.split(separator: ".") {
    guard stack.type(at: -1) == LUA_TTABLE else { break }
    clua_push_content(stack.pointer, -1)
    clua_remove(stack.pointer, -2)
    stack.push(String(name))
    lua_rawget(stack.pointer, -2)
    clua_remove(stack.pointer, -2)
    if stack.isNone(at: -1) {
      stack.pop()
      return false
    }
    if name.endIndex == path.endIndex { return true }
  }
  stack.pop()
  return false
}

private func find(_ path: Path, _ stack: LuaStack) throws -> Bool {
  stack.top = max(stack.top, 3)
  guard let found = try path.find(in: try stack.value(at: 1, isVerbatim: true)) else { return false }
  try stack.push(found)
  return true
}

/// `tide.fail(message, data)`: the error is a table, so that a script that catches it finds both.
private let failFunction: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    try interpreter.refuseHandles(stack, "tide.fail")
    stack.top = 2
    guard let message = stack.joinable(at: 1) else {
      throw ScriptFault(.scriptError, "tide.fail takes a message, which is a text, and has \(stack.noun(at: 1))")
    }
    lua_createtable(stack.pointer, 0, 2)
    stack.push(message)
    stack.setRaw("message", in: 3)
    stack.pushCopy(of: 2)
    stack.setRaw("data", in: 3)
    clua_mark(stack.pointer, 3, Int32(CLUA_MT_FAILURE))
    return Int32(CLUA_ERROR)
  }
}

/// `tide.now()`: seconds since 1970 by the run's clock.
private let nowFunction: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    guard case .step(let context) = interpreter.work else {
      throw ScriptFault(
        .scriptError, "there is no clock while the script declares",
        help: "ask for the time in a step: tide.step \"now\" { run = function() return tide.now() end }")
    }
    lua_pushnumber(stack.pointer, Double(context.wallClock()) / 1e9)
    return 1
  }
}

private let arrayFunction: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    try mark(stack, "tide.array", Int32(CLUA_MT_ARRAY), interpreter)
  }
}

private let objectFunction: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    try mark(stack, "tide.object", Int32(CLUA_MT_OBJECT), interpreter)
  }
}

/// Marks the table that is given, or a new one.
private func mark(
  _ stack: LuaStack, _ function: String, _ which: Int32, _ interpreter: Interpreter
) throws(ScriptFault) -> Int32 {
  try interpreter.refuseHandles(stack, function)
  if stack.isNone(at: 1) {
    stack.top = 0
    lua_createtable(stack.pointer, 0, 0)
  }
  stack.top = 1
  guard stack.type(at: 1) == LUA_TTABLE else {
    throw ScriptFault(.scriptError, "\(function) takes a table, and has \(stack.noun(at: 1))")
  }
  let hasForeignMetatable = lua_getmetatable(stack.pointer, 1) != 0 && clua_marked(stack.pointer, 1) < 0
  stack.top = 1
  if hasForeignMetatable {
    throw ScriptFault(.scriptError, "\(function) takes a table without a metatable")
  }
  clua_mark(stack.pointer, 1, which)
  return 1
}
