import Foundation
import Testing

/// `tidegate test`.
@Suite struct TestCommandTests {
  private static let passing = "it('adds', function() assert.equal(2, 1 + 1) end)\n"
  private static let failing = """
    describe("sums", function()
      it("are right", function()
        print("one")
        assert.equal(3, 1 + 1)
      end)
      pending("of # fractions")
    end)

    """

  /// Times differ from run to run: `(1.2ms, seed 1)` is `(T, seed 1)`.
  private func run(_ line: CommandLine) async throws -> CommandLine.Ended {
    var ended = try await line.run()
    ended.output = ended.output
      .replacing(/\([0-9.]+m?s, seed/, with: "(T, seed").replacing(/time="[0-9.]+"/, with: "time=\"T\"")
      .replacing(/"ms":[0-9.]+/, with: "\"ms\":T")
    return ended
  }

  private func tests(_ options: String...) -> CommandLine {
    CommandLine("test", "--seed", "1").adding(options)
      .with(files: ["a_test.lua": Self.passing, "b_test.lua": Self.failing, "other.lua": "error('no test')"])
  }

  @Test func `what passes is a line a file, and the counts`() async throws {
    let line = CommandLine("test", "--seed", "7").with(files: ["a_test.lua": Self.passing])
    #expect(
      try await run(line)
        == CommandLine.Ended(
          exit: 0,
          output: """
            ok    a_test.lua (1 test)
            1 test: 1 passed, 0 failed, 0 pending (T, seed 7)

            """, errors: ""))
  }

  @Test func `what fails shows its place and what was expected, and ends with 4`() async throws {
    let ended = try await run(tests())
    #expect(ended.exit == 4)
    #expect(ended.errors == "")
    #expect(
      ended.output.replacing("      pending: sums of # fractions\n", with: "") == """
        ok    a_test.lua (1 test)
        FAIL  b_test.lua (2 tests)

        error[T0303]: sums are right
          expected: 3
          actual:   2
         --> b_test.lua:4
        4 |     assert.equal(3, 1 + 1)
           printed:
             one

        3 tests: 1 passed, 1 failed, 1 pending (T, seed 1)

        """)
    #expect(ended.output.contains("      pending: sums of # fractions\n"))
  }

  @Test func `TAP 14`() async throws {
    let ended = try await run(tests("--report", "tap", "--filter", "sums"))
    #expect(ended.exit == 4)
    let lines = ended.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "TAP version 14")
    #expect(lines.suffix(2) == ["1..2", "# 2 tests: 0 passed, 1 failed, 1 pending"])
    #expect(lines.contains { $0.wholeMatch(of: /not ok [12] - b_test.lua: sums are right/) != nil })
    #expect(lines.contains { $0.wholeMatch(of: /ok [12] - b_test.lua: sums of \\# fractions # SKIP pending/) != nil })
    #expect(lines.contains(#"  message: "expected: 3\nactual:   2""#))
    #expect(ended.output.contains("  at:\n    file: \"b_test.lua\"\n    line: 4\n  ...\n"))
  }

  @Test func `JUnit is XML that counts, whatever a test says`() async throws {
    let hostile = "it('<&\"', function() error('a\\1]]>\\nb <c>') end)"
    let line = CommandLine("test", "--seed", "1", "--report", "junit")
      .with(files: ["a_test.lua": Self.passing, "h_test.lua": hostile])
    let ended = try await run(line)
    #expect(ended.exit == 4)
    #expect(
      ended.output == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="tidegate" tests="2" failures="1" skipped="0" time="T">
          <testsuite name="a_test.lua" tests="1" failures="0" errors="0" skipped="0" time="T">
            <testcase classname="a_test.lua" name="adds" file="a_test.lua" line="1" time="T"/>
          </testsuite>
          <testsuite name="h_test.lua" tests="1" failures="1" errors="0" skipped="0" time="T">
            <testcase classname="h_test.lua" name="&lt;&amp;&quot;" file="h_test.lua" line="1" time="T">
              <failure message="a\u{FFFD}]]&gt;">a\u{FFFD}]]&gt;&#10;b &lt;c&gt;&#10;at h_test.lua:1</failure>
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }

  @Test func `GitHub's annotations stand at the line`() async throws {
    let ended = try await run(tests("--report", "github", "--filter", "right"))
    #expect(
      ended
        == CommandLine.Ended(
          exit: 4,
          output: """
            ::error file=b_test.lua,line=4,title=sums are right::expected: 3%0Aactual:   2
            1 test: 0 passed, 1 failed, 0 pending (seed 1)

            """, errors: ""))
  }

  @Test func `JSON lines are a test a line`() async throws {
    let ended = try await run(tests("--report", "jsonl", "--filter", "right"))
    #expect(
      ended.output == """
        {"file":"b_test.lua","names":["sums","are right"],"line":2,"outcome":"failed",\
        "failures":[{"message":"expected: 3\\nactual:   2","file":"b_test.lua","line":4}],"ms":T,"output":["one"]}
        {"tests":1,"passed":0,"failed":1,"pending":0,"not_run":0,"seed":"1","ms":T}

        """)
  }

  @Test func `a report goes to a file, whole`() async throws {
    var report = ""
    let ended = try await tests("--report", "tap", "--out", "r.tap").run { folder in
      report = try String(contentsOf: folder.appending(path: "r.tap"), encoding: .utf8)
    }
    #expect(ended == CommandLine.Ended(exit: 4, output: "", errors: ""))
    #expect(report.hasPrefix("TAP version 14\n") && report.hasSuffix("# 3 tests: 1 passed, 1 failed, 1 pending\n"))
  }

  @Test func `a table shows each request under each fault`() async throws {
    let test = """
      local test = require "tidegate.test"
      it("gathers", function()
        local run = test.run("w.lua", { fixtures = "fixtures.json" })
        assert.equal("ok", run.status)
      end)
      """
    let line = CommandLine("test", "--faults", "--orders", "--seed", "1").with(files: [
      "a_test.lua": test, "w.lua": Scripts.gather, "fixtures.json": Scripts.bothAnswer,
    ])
    #expect(
      try await run(line)
        == CommandLine.Ended(
          exit: 0,
          output: """
            ok    a_test.lua (1 test)

              gathers: w.lua
                request  refused  timeout  reset    500      429      empty    not JSON  truncated  shape    twice    slow
                detail   partial  partial  partial  partial  partial  ok       partial   partial    failed   ok       ok
                reward   partial  partial  partial  partial  partial  ok       partial   partial    failed   ok       ok

            1 test: 1 passed, 0 failed, 0 pending, 2 orders tried (T, seed 1)

            """, errors: ""))
  }

  @Test func `a file that can't be loaded fails, and the others are tested`() async throws {
    let line = CommandLine("test", "--seed", "1").with(files: ["a_test.lua": "it(", "b_test.lua": Self.passing])
    let ended = try await run(line)
    #expect(ended.exit == 4)
    #expect(ended.output.contains(" --> a_test.lua:1\n"))
    #expect(ended.output.hasSuffix("ok    b_test.lua (1 test)\n1 test: 1 passed, 1 failed, 0 pending (T, seed 1)\n"))
  }

  @Test func `a test that never ends is stopped`() async throws {
    let line = CommandLine("test", "--limit", "200ms").with(files: [
      "a_test.lua": "it('x', function() while true do end end)"
    ])
    let ended = try await line.run()
    #expect(ended.exit == 4)
    #expect(ended.output.contains("the test ran longer than 200ms, which is the limit, and was stopped"))
  }

  @Test(arguments: [
    (["--report", "xml"], "'--report xml' is no format"), (["--seed", "x"], "'--seed x' is no seed"),
    (["--limit", "0"], "'--limit 0' is no length of time above zero"),
    (["--jobs", "0"], "'--jobs 0' is no number from 1 to 1024"),
    (["--filter", "nothing"], "no test has \"nothing\" in its name"),
    (["--output", "json"], "'tidegate test' has no option '--output'"),
  ])
  func `what can't be done is said`(_ options: [String], _ message: String) async throws {
    let ended = try await CommandLine("test").adding(options).with(files: ["a_test.lua": Self.passing]).run()
    #expect(ended.exit == 1)
    #expect(ended.errors.hasPrefix("error: \(message)\n"), "\(ended.errors)")
  }

  @Test func `where there is no test, that is said`() async throws {
    let ended = try await CommandLine("test").with(files: ["w.lua": ""]).run()
    #expect(
      ended
        == CommandLine.Ended(
          exit: 1, output: "",
          errors: """
            error: there is no test under the current folder
              help: tests are in files whose name ends in _test.lua

            """))
    #expect(
      try await CommandLine("test", "nowhere").run().errors
        == "error[T0404]: can't read the tests 'nowhere': No such file or directory\n")
  }

  @Test func `a file that is named is a test whatever its name, and is tested once`() async throws {
    let line = CommandLine("test", "t.lua", "./t.lua", "--seed", "1").with(files: ["t.lua": Self.passing])
    #expect(try await run(line).output == "ok    t.lua (1 test)\n1 test: 1 passed, 0 failed, 0 pending (T, seed 1)\n")
  }

  @Test func `snapshots are never written in CI`() async throws {
    let line = CommandLine("test", "--update").with(files: [
      "a_test.lua": "it('x', function() assert.snapshot(1, 'n') end)"
    ])
    let refused = try await line.with(environment: ["CI": "true"]).run { folder in
      #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "snapshots").path))
    }
    #expect(refused.exit == 1)
    #expect(refused.errors.hasPrefix("error: '--update' in CI"))
    let written = try await line.with(environment: ["CI": ""]).run { folder in
      let text = try String(contentsOf: folder.appending(path: "snapshots/a_test.n.json"), encoding: .utf8)
      #expect(text == "1\n")
    }
    #expect(written.exit == 0)
  }
}
