import Foundation
import Testing
import TideGraph
import TideValue

@testable import TideFixtures

struct FixtureFolderTests {
  /// A folder with these files, for as long as the body runs.
  private func withFolder(_ files: [String: String], _ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mappings-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, content) in files {
      let file = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(content.utf8).write(to: file)
    }
    try body(folder.path)
  }

  private func mapping(_ url: String, _ response: String = "{}") -> String {
    #"{ "request": { "method": "GET", "url": "\#(url)" }, "response": \#(response) }"#
  }

  private func bodies(at path: String) throws -> [String] {
    try Fixtures.load(path: path).exchanges.map { exchange in
      guard case .always(let answer) = exchange.answers, case .response(_, _, let body) = answer.outcome else {
        return "?"
      }
      return String(decoding: body.bytes, as: UTF8.self)
    }
  }

  @Test func `a folder of mappings is read, in the order of its files`() throws {
    let files = [
      "b.json": mapping("/b"), "a.json": #"{ "mappings": [ \#(mapping("/a1")), \#(mapping("/a2")) ] }"#,
      "c.txt": "no mapping", ".hidden.json": "{",
    ]
    try withFolder(files) { folder in
      let fixtures = try Fixtures.load(path: folder)
      #expect(fixtures.exchanges.map(\.title) == ["GET /b", "GET /a2", "GET /a1"])
      #expect(fixtures.exchanges.map(\.number) == [3, 2, 1])
    }
  }

  @Test func `WireMock's own layout is read, folders within included`() throws {
    let files = [
      "mappings/a.json": mapping("/a", #"{ "bodyFileName": "a.txt" }"#),
      "mappings/deep/b.json": mapping("/b", #"{ "bodyFileName": "deep/b.txt" }"#),
      "__files/a.txt": "A", "__files/deep/b.txt": "B", "other.json": "{",
    ]
    try withFolder(files) { folder in
      let whole = try bodies(at: folder)
      #expect(whole == ["B", "A"])
      let single = try bodies(at: folder + "/mappings/a.json")
      #expect(single == ["A"])
    }
  }

  @Test func `a body lies beside its mapping`() throws {
    try withFolder(["a.json": mapping("/a", #"{ "bodyFileName": "a.txt" }"#), "a.txt": "A"]) { folder in
      let folderBodies = try bodies(at: folder)
      #expect(folderBodies == ["A"])
      let fileBodies = try bodies(at: folder + "/a.json")
      #expect(fileBodies == ["A"])
    }
  }

  @Test(arguments: [
    ("../outside.txt", "it must lie in the folder of the mappings"),
    ("/etc/passwd", "it must lie in the folder of the mappings"),
    ("", "it must lie in the folder of the mappings"),
    ("link.txt", "it leads out of the folder of the mappings"),
    ("nowhere.txt", "No such file or directory"),
    ("inner", "it is a directory"),
  ])
  func `a body is never read from outside the folder`(name: String, reason: String) throws {
    let files = [
      "in/a.json": mapping("/a", #"{ "bodyFileName": "\#(name)" }"#), "in/inner/x": "", "outside.txt": "secret",
    ]
    try withFolder(files) { folder in
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/in/link.txt", withDestinationPath: folder + "/outside.txt")
      let error = #expect(throws: Diagnostics.self) { try Fixtures.load(path: folder + "/in") }
      #expect(
        error?.all.map(\.message) == ["response.bodyFileName: can't read the body '\(name)': \(reason)"])
      #expect(error?.all.first?.location?.file == folder + "/in/a.json")
    }
  }

  @Test func `everything that is wrong in a folder is told with its file`() throws {
    let files = [
      "a.json": "{", "b.json": "[]", "c.json": mapping("/c"),
      "d.json": #"{ "request": {}, "response": { "proxy": 1 } }"#,
    ]
    try withFolder(files) { folder in
      let error = #expect(throws: Diagnostics.self) { try Fixtures.load(path: folder) }
      #expect(
        error?.all.map { $0.location?.file.dropFirst(folder.count) } == ["/a.json", "/b.json", "/d.json"])
      #expect(error?.all[1].message == "the file is no mapping of WireMock's, which a folder of fixtures is made of")
      #expect(error?.sources.files.count == 3)
    }
  }

  @Test func `an empty folder has no mappings`() throws {
    try withFolder([:]) { folder in
      let error = #expect(throws: Diagnostics.self) { try Fixtures.load(path: folder) }
      #expect(
        error?.all.map(\.message) == [
          "can't read the fixtures '\(folder)': it is a directory without a file of WireMock's mappings (.json)"
        ])
    }
  }
}
