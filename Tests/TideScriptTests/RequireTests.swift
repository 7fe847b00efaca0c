import Foundation
import Testing
import TideFixtures
import TideGraph

@testable import TideScript

/// A folder with files, as long as this lives.
final class Folder {
  let path: String

  init(_ files: [String: String]) throws {
    path = NSTemporaryDirectory() + "tide-" + UUID().uuidString
    for (name, text) in files {
      let file = URL(fileURLWithPath: path).appendingPathComponent(name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func load(_ name: String = "main.lua", lines: Lines = Lines()) throws(Diagnostics) -> Script {
    try Script.load(path: "\(path)/\(name)", executor: SimulatedExecutor(), output: { lines.append($0) })
  }

  /// What is wrong, with the folder's path left out.
  func complaints(_ name: String = "main.lua") -> [String] {
    do {
      _ = try load(name)
      return []
    } catch {
      return error.all.map { $0.line.replacingOccurrences(of: path + "/", with: "") }
    }
  }
}

private let head = "local tide = require 'tidegate' "

@Suite struct RequireTests {
  @Test func `files of the folder are loaded once, in the sandbox`() throws {
    let folder = try Folder([
      "main.lua": head + "local a = require 'helpers' local b = require 'lib.util' return a.make(b.name)",
      "helpers.lua": head
        + "local util = require 'lib.util' print('helpers', ...) return { make = function(n) return tide.input(n) end }",
      "lib/util.lua": "print('util') return { name = 'n' }",
    ])
    let lines = Lines()
    let script = try folder.load(lines: lines)
    #expect(lines.all == ["util", "helpers\thelpers"])
    #expect(script.plan.nodes.map(\.name) == ["n"])
    let location = script.plan.sources.location(script.plan.nodes[0].place)
    #expect(location == Location(file: "\(folder.path)/helpers.lua", line: 1))
    #expect(
      script.plan.sources.files.map(\.name)
        == ["main.lua", "helpers.lua", "lib/util.lua"].map { "\(folder.path)/\($0)" })
  }

  @Test func `a module that returns nothing is true, and steps use what it returned`() throws {
    let folder = try Folder([
      "main.lua": head + "assert(require 'none' == true and require 'none' == true) local m = require 'm' "
        + "return tide.step 's' { run = function() return { m.f(), require('m') == m } end }",
      "none.lua": "", "m.lua": "local n = { v = 4 } return { f = function() return n.v end }",
    ])
    let executor = SimulatedExecutor()
    let script = try Script.load(path: folder.path + "/main.lua", executor: executor, output: { _ in })
    var said: [String] = []
    let results = Lines()
    let context = StepContext(node: NodeID(0), name: "s", location: nil, wallClock: { 0 }, log: { _, _ in })
    _ = script.run(try script.function("s"), arguments: [], context: context) { results.append($0.said) }
    try executor.runUntilIdle()
    said = results.all
    #expect(said == ["[4,true]"])
  }

  @Test(arguments: [
    ("return require 'nosuch'", "T0105 main.lua:2: require \"nosuch\": there is no nosuch.lua"),
    (
      "return require 'tidegat'",
      "T0105 main.lua:2: require \"tidegat\": there is no tidegat.lua | did you mean 'tidegate'?"
    ),
    (
      "return require 'tide'",
      "T0105 main.lua:2: require \"tide\": there is no tide.lua | the library is called \"tidegate\""
    ),
    (
      "return require '..up'",
      "T0105 main.lua:2: require \"..up\": the name of a module is names with dots between | "
        + "\"lib.util\" is the file lib/util.lua in the script's folder"
    ),
    ("return require '../up'", "T0105 main.lua:2: require \"../up\": the name of a module is names with dots between"),
    (
      "return require '/etc/passwd'",
      "T0105 main.lua:2: require \"/etc/passwd\": the name of a module is names with dots"
    ),
    ("return require 'a\\0b'", "T0105 main.lua:2: require \"a\0b\": the name of a module is names with dots between"),
    ("return require ''", "T0105 main.lua:2: require \"\": the name of a module is names with dots between"),
    ("return require 'main'", "T0105 main.lua:2: require \"main\": that is the script itself"),
    ("return require 'sub'", "T0105 main.lua:2: require \"sub\": sub.lua: is a folder"),
    (
      "return require 'out'",
      "T0105 main.lua:2: require \"out\": out.lua leads out of the script's folder | a script sees the "
        + "files of its own folder only"
    ),
    ("return require 'a'", "T0105 b.lua:1: require \"a\": it is being loaded: a loop of files that require each other"),
    ("return require 'syntax'", "T0101 syntax.lua:2:9-10: unexpected symbol near '='"),
    ("return require 'fails'", "T0104 fails.lua:3:8-9: attempt to index a nil value (local 'x')"),
    ("return require 'undefined'", "T0102 undefined.lua:1:8-14: undefined variable 'nosuch'"),
    (
      "return require 'bytes'",
      "T0105 main.lua:2: require \"bytes\": bytes.lua: is not UTF-8 | a script is a text; save it as UTF-8"
    ),
    ("return require(5)", "T0105 main.lua:2: require \"5\": there is no 5.lua"),
    ("return require({})", "T0104 main.lua:2: bad argument #1 to 'require' (string expected, got table)"),
  ])
  func `what can't be required is an error at the right place`(text: String, expected: String) throws {
    let outside = try Folder(["secret.lua": "return 1"])
    let folder = try Folder([
      "main.lua": "\n" + text, "sub.lua/x": "", "a.lua": "return require 'b'", "b.lua": "return require 'a'",
      "syntax.lua": "\nlocal x = = 1", "fails.lua": "local x\n\nreturn x.y", "undefined.lua": "return nosuch",
    ])
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/out.lua", withDestinationPath: outside.path + "/secret.lua")
    try Data([0x72, 0xFF]).write(to: URL(fileURLWithPath: folder.path + "/bytes.lua"))
    let found = folder.complaints()
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix(expected) == true, "\(found)")
  }

  @Test func `what a module returned is read-only in a step, also if only 'require' gets at it`() throws {
    let folder = try Folder([
      "main.lua": head + "require 'm' return tide.step 's' { run = function() require('m').n = 1 end }",
      "m.lua": "return { n = 0 }",
    ])
    let executor = SimulatedExecutor()
    let script = try Script.load(path: folder.path + "/main.lua", executor: executor, output: { _ in })
    let results = Lines()
    let context = StepContext(node: NodeID(0), name: "s", location: nil, wallClock: { 0 }, log: { _, _ in })
    _ = script.run(try script.function("s"), arguments: [], context: context) { results.append($0.said) }
    try executor.runUntilIdle()
    #expect(results.all.first?.contains("'n' can't be assigned: the step captured its table") == true, "\(results.all)")
  }

  @Test func `a step can't require a new file`() throws {
    let stage = try Stage(step: "function() return require 'x' end")
    #expect(
      try stage.say()
        == "step test.lua:1: a step can't require 'x' for the first time | require it at the top of the script: local x = require \"x\""
    )
  }

  @Test func `a text without a folder can't require files`() {
    #expect(
      complaints("return require 'x'") == ["T0105 test.lua:1: require \"x\": this script has no folder to look in"])
  }

  @Test func `a file that can't be read says why`() throws {
    let folder = try Folder(["sub/x": ""])
    #expect(folder.complaints("nosuch.lua") == ["T0404 ?: nosuch.lua: No such file or directory"])
    #expect(folder.complaints("sub") == ["T0404 ?: sub: is a folder"])
  }
}
