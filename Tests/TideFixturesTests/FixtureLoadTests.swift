import Foundation
import Testing
import TideGraph

@testable import TideFixtures

struct FixtureLoadTests {
  private func withFile(_ content: Data, _ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("fixtures-\(UUID()).json").path
    try content.write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  @Test func `a file is read`() throws {
    try withFile(Data(#"[ { "request": { "url": "/a" }, "response": {} } ]"#.utf8)) { path in
      let fixtures = try Fixtures.load(path: path)
      #expect(fixtures.exchanges.map(\.title) == ["GET /a"])
    }
  }

  @Test func `an error names the file`() throws {
    try withFile(Data("[1]".utf8)) { path in
      let error = #expect(throws: Diagnostics.self) { try Fixtures.load(path: path) }
      #expect(error?.all.map(\.location) == [Location(file: path, line: 1, columns: 2..<3)])
    }
  }

  @Test func `bytes that are no text are no JSON`() throws {
    try withFile(Data([0x5B, 0x22, 0xFF, 0x22, 0x5D])) { path in
      let error = #expect(throws: Diagnostics.self) { try Fixtures.load(path: path) }
      #expect(error?.all.map(\.code) == [.fixture])
      #expect(error?.all.first?.location?.columns == 3..<4)
    }
  }

  @Test func `an empty file is no JSON`() throws {
    try withFile(Data()) { path in
      let error = #expect(throws: Diagnostics.self) { try Fixtures.load(path: path) }
      #expect(error?.all.map(\.code) == [.fixture])
    }
  }

  @Test(arguments: [
    ("/nowhere/f.json", "can't read the fixtures '/nowhere/f.json': No such file or directory"),
    ("/dev", "can't read the fixtures '/dev': it is a directory without a file of WireMock's mappings (.json)"),
    ("", "can't read the fixtures '': No such file or directory"),
    ("a\0b", "can't read the fixtures 'a\0b': its name holds a zero byte"),
  ])
  func `what can't be read says why`(path: String, message: String) throws {
    let error = #expect(throws: Diagnostics.self) { try Fixtures.load(path: path) }
    #expect(error?.all.map(\.message) == [message])
    #expect(error?.all.map(\.code) == [.unreadable])
  }

  @Test func `a file over the limit is not read`() throws {
    try withFile(Data()) { path in
      #expect(truncate(path, Fixtures.maximumFileSize + 1) == 0)
      let error = #expect(throws: Diagnostics.self) { try Fixtures.load(path: path) }
      #expect(
        error?.all.map(\.message) == ["can't read the fixtures '\(path)': it has 1073741825 bytes: 1 GB is the limit"])
    }
  }

  @Test func `a pipe, which tells no size, is read to its end`() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(UUID())").path
    #expect(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    let text =
      #"[ { "request": { "url": "/a" }, "response": { "text": ""# + String(repeating: "x", count: 200_000) + #"" } } ]"#
    let writer = Thread { try? Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
    writer.start()
    #expect(try Fixtures.load(path: path).exchanges.count == 1)
  }
}
