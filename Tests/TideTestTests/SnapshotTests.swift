import Foundation
import Testing
import TideTest

/// Values that are compared with what they were.
@Suite struct SnapshotTests {
  private let text = "it('x', function() assert.snapshot({ a = { 1, 2 } }, 'page') end)"
  private let path = "snapshots/a_test.page.json"
  private let stored = "{\n  \"a\": [\n    1,\n    2\n  ]\n}\n"

  @Test func `a new snapshot is written when asked for, and then holds`() throws {
    #expect(try TestFolder(text).says() == "there is no snapshot \(path)")
    try TestFolder(text).run({ $0.updatesSnapshots = true }) { folder in
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      #expect(text == stored)
      let count = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "snapshots").path).count
      #expect(count == 1)
    }
    #expect(try TestFolder(text, [path: stored]).says() == "passed")
  }

  @Test func `another value fails, and is written only when asked for`() throws {
    let old = stored.replacing("2", with: "3")
    let folder = TestFolder(text, [path: old])
    #expect(
      try folder.says() == "another value than the snapshot \(path)\nat a[2]\nexpected: 3\nactual:   2")
    try folder.run({ _ in }) { folder in
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      #expect(text == old)
    }
    let result = try folder.run({ $0.updatesSnapshots = true }) { folder in
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      #expect(text == stored)
    }
    #expect(result.snapshotsWritten == 1)
    #expect(!result.hasFailed)
  }

  @Test(arguments: ["../page", "a/b", "", ".hidden", "a b"])
  func `a name that can't be one of a file is refused`(_ name: String) throws {
    let says = try TestFolder("it('x', function() assert.snapshot(1, '\(name)') end)").says {
      $0.updatesSnapshots = true
    }
    #expect(says == "the snapshot's name \"\(name)\" can't be one of a file")
  }

  @Test func `one name is one value's`() throws {
    let text = "it('x', function() assert.snapshot(1, 'n') assert.snapshot(1, 'n') assert.snapshot(2, 'n') end)"
    let says = try TestFolder(text).says { $0.updatesSnapshots = true }
    #expect(says == "there are two snapshots 'n' in this file, of different values")
  }

  @Test func `a snapshot that is no JSON is said to be none`() throws {
    #expect(try TestFolder(text, [path: "{"]).says() == "the snapshot \(path) is no JSON")
  }

  @Test func `what is no value can't be kept`() throws {
    let says = try TestFolder("it('x', function() assert.snapshot(print, 'n') end)").says()
    #expect(says.hasPrefix("the value of the snapshot: "))
  }
}
