import CLua
import Glibc
import TideGraph

/// Loads what `require` names, and pushes its function.
let resolveModule: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    guard let name = stack.string(at: 1) else { throw ScriptFault(.module, "the name of a module is not UTF-8") }
    guard let declarer = interpreter.work.requiring else {
      throw ScriptFault(
        .module, "a step can't require '\(name)' for the first time",
        help:
          "require it at the top of the script: local \(name.split(separator: ".").last ?? "m") = require \"\(name)\"")
    }
    let (path, shown) = try locate(name, declarer)
    let text: String
    do throws(Diagnostic) {
      text = try readScript(at: path, shownAs: shown)
    } catch {
      throw ScriptFault(.module, "require \"\(name)\": \(error.message)", help: error.help)
    }
    let file = declarer.builder.sources.add(name: shown, text: text)
    try interpreter.load(text, name: shown, file: file, on: stack)
    return 1
  }
}

extension Interpreter.Work {
  /// For whom files are loaded; nil where none may be.
  fileprivate var requiring: Declarer? {
    switch self {
    case .declaring(let declarer): declarer
    case .testing(let work): work.declarer
    case .nothing, .step: nil
    }
  }
}

/// Where a module's file is, and how it is called: beside the script, as the script was named.
private func locate(_ name: String, _ declarer: Declarer) throws(ScriptFault) -> (path: String, shown: String) {
  guard let folder = declarer.source.folder else {
    throw ScriptFault(.module, "require \"\(name)\": this script has no folder to look in")
  }
  let parts = name.split(separator: ".", omittingEmptySubsequences: false)
  let isPlain = parts.allSatisfy { part in
    !part.isEmpty && !part.utf8.contains { $0 == 0x2F || $0 == 0x5C || $0 < 0x20 }
  }
  guard isPlain else {
    throw ScriptFault(
      .module, "require \"\(name)\": the name of a module is names with dots between",
      help: "\"lib.util\" is the file lib/util.lua in the script's folder")
  }
  let relative = parts.joined(separator: "/") + ".lua"
  let shown =
    folder == "." || folder.isEmpty ? relative : folder.hasSuffix("/") ? folder + relative : "\(folder)/\(relative)"
  guard let root = resolved(folder.isEmpty ? "." : folder), let path = resolved(shown) else {
    throw ScriptFault(
      .module, "require \"\(name)\": there is no \(shown)",
      help: name == "tide" ? "the library is called \"tidegate\"" : didYouMean(name, among: ["tidegate"]))
  }
  guard path.hasPrefix(root == "/" ? root : root + "/") else {
    throw ScriptFault(
      .module, "require \"\(name)\": \(shown) leads out of the script's folder",
      help: "a script sees the files of its own folder only")
  }
  if let main = resolved(declarer.source.name), main == path {
    throw ScriptFault(.module, "require \"\(name)\": that is the script itself")
  }
  if let before = declarer.loaded[path] {
    let why =
      before == name ? "it is being loaded: a loop of files that require each other" : "it is \"\(before)\" already"
    throw ScriptFault(.module, "require \"\(name)\": \(why)")
  }
  declarer.loaded[path] = name
  return (path, shown)
}

/// The path without symbolic links, if there is such a file.
private func resolved(_ path: String) -> String? {
  guard let found = realpath(path, nil) else { return nil }
  defer { free(found) }
  return String(cString: found)
}

extension Interpreter {
  /// Pushes the function of a file's text.
  ///
  /// - Throws: a syntax error, in words.
  func load(_ text: String, name: String, file: Int, on stack: LuaStack) throws(ScriptFault) {
    var code = text.utf8.starts(with: [0xEF, 0xBB, 0xBF]) ? String(text.unicodeScalars.dropFirst()) : text
    // A first line for the shell is a comment; its end stays, so that the lines keep their numbers.
    if code.utf8.first == UInt8(ascii: "#") { code = "--" + code }
    let status = code.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        clua_load(stack.pointer, bytes.baseAddress, bytes.count, ChunkTable.chunkName(for: name))
      }
    }
    if status == LUA_OK {
      chunks.add(stack, file: file, name: name)
      return
    }
    let message = stack.shownString(at: -1) ?? ""
    stack.pop()
    if status == LUA_ERRMEM { throw ScriptFault(.scriptError, outOfMemory().message) }
    throw syntaxFault(message, in: name)
  }

  /// `name:line: what near 'token'`.
  private func syntaxFault(_ message: String, in name: String) -> ScriptFault {
    let prefix = ChunkTable.chunkName(for: name).dropFirst() + ":"
    guard message.hasPrefix(prefix) else { return ScriptFault(.syntax, message) }
    let rest = message.dropFirst(prefix.count)
    let digits = rest.prefix { $0.isNumber }
    var fault = ScriptFault(.syntax, String(rest.dropFirst(digits.count + 2)))
    fault.location = Int(digits).map { Location(file: name, line: $0) }
    return fault
  }
}
