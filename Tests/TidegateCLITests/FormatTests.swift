import Foundation
import Testing

/// The formats of a result, and where it goes.
@Suite struct FormatTests {
  private static let script = """
    local tide = require "tidegate"
    return tide.sort "x" { { { id = 2, name = "b, c", tags = { 1 } }, { id = 1, name = "a" } }, by = "id" }

    """

  @Test(arguments: [
    ("json", #"[{"id":1,"name":"a"},{"id":2,"name":"b, c","tags":[1]}]"# + "\n"),
    ("ndjson", #"{"id":1,"name":"a"}"# + "\n" + #"{"id":2,"name":"b, c","tags":[1]}"# + "\n"),
    ("csv", "id,name,tags\n1,a,\n2,\"b, c\",[1]\n"),
    ("raw", #"[{"id":1,"name":"a"},{"id":2,"name":"b, c","tags":[1]}]"# + "\n"),
  ])
  func `a result is written in the format that is asked for`(format: String, expected: String) async throws {
    for option in [["-o", format], ["--output=\(format)"]] {
      let ended = try await CommandLine("run").with(script: Self.script).adding(option).run()
      #expect(ended == CommandLine.Ended(exit: 0, output: expected, errors: ""))
    }
  }

  @Test func `a table is aligned`() async throws {
    let ended = try await CommandLine("run", "-o", "table").with(script: Self.script).run()
    let lines = ended.output.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("id  name") == true)
    #expect(lines.last?.hasPrefix(" 2  b, c") == true)
  }

  @Test func `a text is written as it is when raw`() async throws {
    let script = "local tide = require 'tidegate'\nreturn tide.input 'x' { default = 'a\\nb' }\n"
    let ended = try await CommandLine("run", "-o", "raw").with(script: script).run()
    #expect(ended == CommandLine.Ended(exit: 0, output: "a\nb", errors: ""))
  }

  @Test func `a result goes to a file as a whole, and stdout stays empty`() async throws {
    var written: String?
    let ended = try await CommandLine("run", "--out", "r.json").with(script: Self.script).run {
      (folder: URL) throws -> Void in
      written = try String(contentsOf: folder.appending(path: "r.json"), encoding: .utf8)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["r.json", "w.lua"])
    }
    #expect(ended == CommandLine.Ended(exit: 0, output: "", errors: ""))
    #expect(written == #"[{"id":1,"name":"a"},{"id":2,"name":"b, c","tags":[1]}]"# + "\n")
  }

  @Test func `what the format can't hold leaves the file as it was`() async throws {
    let script = "local tide = require 'tidegate'\nreturn tide.input 'x' { default = 5 }\n"
    let line = CommandLine("run", "-o", "csv", "--out", "r.csv").with(script: script, files: ["r.csv": "before"])
    let ended = try await line.run { (folder: URL) throws -> Void in
      #expect(try String(contentsOf: folder.appending(path: "r.csv"), encoding: .utf8) == "before")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["r.csv", "w.lua"])
    }
    #expect(ended.exit == 3)
    #expect(ended.errors == "error: the result can't be written as csv: a number, where a list is expected\n")
  }

  @Test func `an unknown format names what there is`() async throws {
    let ended = try await CommandLine("run", "-o", "jsn").with(script: Self.script).run()
    #expect(ended.exit == 1)
    #expect(ended.errors.contains("'--output jsn' is no format"))
    #expect(ended.errors.contains("did you mean 'json'?"))
  }
}
