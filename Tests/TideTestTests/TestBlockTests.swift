import Testing
import TideBarrier
import TideGraph
import TideTest

/// Blocks, and what runs around tests.
@Suite struct TestBlockTests {
  private static let hooks = """
    local trace = {}
    local function note(what) return function() trace[#trace + 1] = what end end
    describe("outer", function()
      setup(note "setup")
      teardown(note "teardown")
      before_each(note "before")
      after_each(note "after")
      context("inner", function()
        before_each(note "inner before")
        after_each(note "inner after")
        it("fails", function() note "test" (); error("broken") end)
        it("passes", note "test")
      end)
    end)
    it("last", function() print(table.concat(trace, ", ")) end)
    """

  @Test func `what stands around a test runs from the outside in, and back, whatever the test does`() throws {
    // Of the seeds one has the block before the test that prints.
    let traces = try (0..<8 as Range<UInt64>).compactMap { seed in
      try TestFolder(Self.hooks).run { $0.seed = seed }["last"]?.output.first
    }
    let round = "before, inner before, test, inner after, after"
    #expect(Set(traces) == ["", "setup, \(round), \(round), teardown"])
  }

  @Test func `names are those of the blocks and the test's own`() throws {
    #expect(
      try TestFolder(Self.hooks).run().results.map(\.name).sorted() == [
        "last", "outer inner fails", "outer inner passes",
      ])
  }

  @Test func `a setup that fails fails every test of its block`() throws {
    let says = try TestFolder(
      """
      describe("a", function()
        setup(function() error("no server") end)
        it("x", function() end)
        it("y", function() end)
      end)
      """
    ).says()
    #expect(says == "no server; the setup of \"a\" has failed before")
  }

  @Test func `what fails after a test fails the test`() throws {
    #expect(try TestFolder("after_each(function() error('dirty') end)\nit('x', function() end)").says() == "dirty")
    #expect(
      try TestFolder("after_each(function() error('dirty') end)\nit('x', function() error('bad') end)").says()
        == "bad; dirty")
  }

  @Test func `a teardown that fails is told beside the tests`() throws {
    let result = try TestFolder(
      "describe('a', function() teardown(function() error('left') end) it('x', function() end) end)"
    ).run()
    #expect(result.failures.map(\.message) == ["left"])
    #expect(result.hasFailed)
  }

  @Test(arguments: [
    ("it('x')", "pending: "), ("pending('x', function() error('never') end)", "pending: "),
    ("it('x', function() pending('no server yet'); error('never') end)", "pending: no server yet"),
  ])
  func `a pending test neither passes nor fails`(_ text: String, _ outcome: String) throws {
    #expect(try TestFolder(text).says() == outcome)
  }

  @Test(arguments: [
    ("it('x', function() it('y', function() end) end)", "it stands outside of tests, and is not called while one runs"),
    ("describe('x', 5)", "describe \"x\" takes a function, and has a number"),
    ("it(5, function() end)", "it takes a name, which is a text, and has a number"),
    ("before_each()", "before_each takes a function, and has nil"),
    (
      "test.run('w.lua')",
      "test.run runs a workflow, and stands inside of a test: it(\"...\", function() ... end)"
    ),
    ("it('x', function() return end", "')' expected near <eof>"), ("error('at once')", "at once"),
  ])
  func `what is declared wrongly is said`(_ text: String, _ message: String) throws {
    let says = try TestFolder(text).says()
    #expect(says.hasPrefix(message) || says.contains(message), "\(says)")
  }

  @Test func `the seed decides the order, and blocks stay together`() throws {
    let text = (0..<3).map { block in
      "describe('b\(block)', function() \((0..<4).map { "it('t\($0)', function() end) " }.joined()) end)"
    }.joined(separator: "\n")
    func order(_ seed: UInt64) throws -> [String] { try TestFolder(text).run { $0.seed = seed }.results.map(\.name) }
    let first = try order(1)
    #expect(try order(1) == first)
    #expect(try Set((2..<12).map { try order($0) }).count > 5)
    let blocks = first.map { $0.prefix(2) }
    #expect(zip(blocks, blocks.dropFirst()).count { $0 != $1 } == 2)
  }

  @Test func `a filter leaves the tests whose name holds it`() throws {
    let result = try TestFolder(Self.hooks).run { $0.filter = "inner pass" }
    #expect(result.results.map(\.name) == ["outer inner passes"])
  }

  @Test func `after the first failure nothing more is started, if so said`() throws {
    let text = (0..<5).map { "it('t\($0)', function() error('x') end)" }.joined(separator: "\n")
    let result = try TestFolder(text).run { $0.isFailFast = true }
    #expect(result.results.count == 1)
    #expect(result.notRun == 4)
  }

  @Test(arguments: [
    "while true do end", "pcall(function() while true do end end)",
    "local s = ('a'):rep(30000); s:find('.-.-.-.-b')", "test.run('w.lua')", "test.run('d.lua')",
  ])
  func `a test that never ends is stopped, and the next one runs`(_ body: String) throws {
    let scripts = [
      "w.lua": "local tide = require 'tidegate'\nreturn tide.step 's' { run = function() while true do end end }",
      "d.lua": "while true do end",
    ]
    let result = try TestFolder("it('x', function() \(body) end)\nit('y', function() end)", scripts)
      .run { $0.limit = .milliseconds(200) }
    #expect(result["y"]?.outcome.saying == "passed")
    #expect(result["x"]?.outcome.saying == "the test ran longer than 200ms, which is the limit, and was stopped")
    guard case .failed(let failures)? = result["x"]?.outcome else { return }
    #expect(failures.first?.isTimeout == true)
  }

  @Test func `a file that never ends loading is stopped`() throws {
    let result = try TestFolder("while true do end").run { $0.limit = .milliseconds(100) }
    #expect(result.failures.map(\.message) == ["was stopped: the time that the test has is over"])
  }

  @Test func `a test sees modules beside it, and neither files nor clocks`() throws {
    let files = ["shared.lua": "return { answer = 42 }"]
    #expect(
      try TestFolder("local s = require 'shared'\nit('x', function() assert.equal(42, s.answer) end)", files).says()
        == "passed")
    #expect(try TestFolder("it('x', function() return os.time() end)").says() == "undefined variable 'os'")
    #expect(try TestFolder("it('x', function() return math.random() end)").says().hasPrefix("there is no randomness"))
  }

  @Test func `files are given in their order, however many are tested at once`() throws {
    let took = Locked<[String]>([])
    let done = Completion<Void>()
    var options = TestOptions()
    options.jobs = 4
    let paths = (0..<20).map { "/nowhere/\($0)_test.lua" }
    TestSession(options).run(
      paths, on: DispatchExecutor(), took: { result in took.withLock { $0.append(result.file) } }
    ) {
      done.complete(())
    }
    try done.wait(allowingMainQueue: true)
    #expect(took.withLock { $0 } == paths)
  }
}
