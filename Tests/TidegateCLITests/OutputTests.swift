import Foundation
import Testing

/// Where the result goes, and what happens when it can't.
@Suite struct OutputTests {
  private static let large = """
    local tide = require "tidegate"
    return tide.step "large" { run = function() return ("x"):rep(3000000) end }

    """

  @Test func `a large result arrives whole`() async throws {
    let ended = try await CommandLine("run").with(script: Self.large).run()
    #expect(ended.exit == 0)
    #expect(ended.errors == "")
    #expect(ended.output.utf8.count == 3_000_003)
    #expect(ended.output.hasSuffix("xx\"\n"))
  }

  @Test func `a large result arrives whole through a pipe that does not block`() async throws {
    let pipe = Pipe()
    let writer = pipe.fileHandleForWriting.fileDescriptor
    #expect(fcntl(writer, F_SETFL, fcntl(writer, F_GETFL) | O_NONBLOCK) == 0)
    try await CommandLine("run").with(script: Self.large).start(output: pipe.fileHandleForWriting) { running in
      try pipe.fileHandleForWriting.close()
      let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
      let ended = try await running.end()
      #expect(bytes.count == 3_000_003)
      #expect(ended == CommandLine.Ended(exit: 0, output: "", errors: ""))
    }
  }

  @Test func `a reader that is gone from the start is no reason to complain`() async throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    try await CommandLine("run").with(script: Self.large).start(output: pipe.fileHandleForWriting) { running in
      let ended = try await running.end()
      #expect(ended == CommandLine.Ended(exit: 0, output: "", errors: ""))
    }
  }

  @Test func `a reader that goes away changes no exit code`() async throws {
    let script = """
      local tide = require "tidegate"
      tide.step "bad" { run = function() error("no") end }
      return tide.step "large" { run = function() return ("x"):rep(3000000) end }

      """
    let pipe = Pipe()
    try await CommandLine("run").with(script: script).start(output: pipe.fileHandleForWriting) { running in
      #expect(try pipe.fileHandleForReading.read(upToCount: 3) == Data("\"xx".utf8))
      try pipe.fileHandleForReading.close()
      let ended = try await running.end()
      #expect(ended.exit == 3)
    }
  }

  @Test func `a disk that is full is an error`() async throws {
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    try await CommandLine("run").with(script: Self.large).start(output: full) { running in
      let ended = try await running.end()
      #expect(
        ended
          == CommandLine.Ended(exit: 3, output: "", errors: "error: can't write to stdout: No space left on device\n"))
    }
  }

  @Test func `a stdout that was closed before the start is an error, and no other file is written into`() async throws {
    try await CommandLine("run", "--summary", "s.json").with(script: Scripts.one)
      .start(through: ["/bin/sh", "-c", "exec \"$0\" \"$@\" >&-"]) { running in
        let ended = try await running.end()
        #expect(
          ended
            == CommandLine.Ended(exit: 3, output: "", errors: "error: can't write to stdout: Bad file descriptor\n"))
        #expect(try Summary(in: running.folder.appending(path: "s.json")).status == "ok")
      }
  }
}
