import Testing
import TideTest

/// Faults, orders and snapshots of tests.
@Suite struct FaultTableTests {
  private static let answers = """
    { { request = { url = "/a" }, response = { json = { 1 } } }, { request = { url = "/b" }, response = { json = { 2 } } } }
    """

  /// Two lists; `wait` and `options` go into the merge and the first request.
  private static func script(_ options: String = "", wait: String = "settled") -> [String: String] {
    [
      "w.lua": """
      local tide = require "tidegate"
      local a = tide.request "a" { GET = "http://x.test/a"\(options) }
      local b = tide.step "b" { run = function() return tide.fetch { GET = "http://x.test/b" } end }
      return tide.merge "all" { a, b, wait = "\(wait)" }
      """
    ]
  }

  private func test(_ assertion: String = "") -> String {
    "it('x', function() local run = test.run('w.lua', { fixtures = \(Self.answers) }) \(assertion) end)"
  }

  private func rows(_ files: [String: String]) throws -> [String] {
    let result = try TestFolder(test(), files).run { $0.checksFaults = true }
    #expect(result["x"]?.outcome.saying == "passed")
    let table = try #require(result["x"]?.faults.first)
    #expect(table.script == "w.lua")
    #expect(table.complaints == [])
    return table.rows.map { "\($0.node) \($0.turn): " + $0.cells.map { String($0.rawValue.prefix(1)) }.joined() }
  }

  @Test func `each request of a run fails in each way, and is known by its node`() throws {
    #expect(FaultTable.faults.map(\.name).count == 11)
    // An empty body is null, and a null list empty; a text is no list. Twice and late, the right answer comes after all.
    #expect(try rows(Self.script()) == ["a 1: pppppoppfoo", "b 1: pppppoppfoo"])
    #expect(try rows(Self.script(wait: "all")) == ["a 1: fffffofffoo", "b 1: fffffofffoo"])
  }

  @Test func `one more attempt makes up for a request that fails once`() throws {
    let found = try rows(
      Self.script(", retry = { times = 1, on = { 'connect', 'timeout', 'reset', 500, 429 } }", wait: "all"))

    #expect(found.first?.dropFirst(5).prefix(5) == "ooooo")
    #expect(found.last == "b 1: fffffofffoo")
  }

  @Test func `what a resting queue did not send is no request`() throws {
    let script = """
      local tide = require "tidegate"
      local line = tide.queue "line" { width = 1, trip = { after = 1, rest = "1m" } }
      local a = tide.request "a" { GET = "http://x.test/a", queue = line }
      local b = tide.request "b" { GET = "http://x.test/b", queue = line }
      local c = tide.request "c" { GET = "http://x.test/c", after = { b } }
      return { tide.ok(a), tide.ok(b), c }
      """
    let text = """
      it("x", function()
        local run = test.run("w.lua", { fixtures = {
          { request = { url = "/a" }, failure = "refused" }, { request = { url = "/c" }, response = { json = 1 } } } })
        assert.same({ false, false, 1 }, run.result)
        assert.equal("tripped", run.nodes.b.error.kind)
      end)
      """
    let result = try TestFolder(text, ["w.lua": script]).run { $0.checksFaults = true }
    #expect(result["x"]?.outcome.saying == "passed")
    #expect(result["x"]?.faults.first?.rows.map(\.node) == ["a", "c"])
  }

  @Test func `without being asked nothing is explored`() throws {
    let result = try TestFolder(test(), Self.script()).run()
    #expect(result["x"]?.faults.isEmpty == true)
    #expect(result["x"]?.orders == 0)
  }

  @Test func `what survives, survives`() throws {
    let script = Self.script(", expect = function(r) return type(r.body) == 'table' end")
    #expect(try TestFolder(test("assert.survives(run, { 'a' })"), script).says() == "passed")
    #expect(try TestFolder(test("assert.survives(run, 'a')"), script).says() == "passed")
    // The step fetches what it does not look at.
    #expect(
      try TestFolder(test("assert.survives(run, { 'a', 'b' })"), script).says()
        == "the result does not survive\n  b, shape: failed: 'all' input 2 ('b'): a text, where a list is expected")
  }

  @Test func `what does not survive is said, fault by fault`() throws {
    let says = try TestFolder(test("assert.survives(run, { 'b' })"), Self.script(wait: "all")).says()
    #expect(
      says.hasPrefix(
        "the result does not survive\n  b, refused: failed: 'b' the connection was refused\n  b, timeout: "))
    #expect(!says.contains("twice") && !says.contains("slow"))
  }

  @Test func `a retry does not survive a server that stays away`() throws {
    let retry = ", retry = { times = 2, wait = '1s' }"
    let says = try TestFolder(test("assert.survives(run, { 'a' })"), Self.script(retry, wait: "all")).says()
    #expect(says.contains("a, refused: failed: 'a' "), "\(says)")
  }

  @Test(arguments: [
    ("assert.survives(run, { 'c' })", "the script has no node 'c'"),
    ("assert.survives(run, { 'all' })", "'all' has sent no request in this run, so that none can fail"),
    ("assert.survives({}, { 'a' })", "assert.survives takes what test.run has given in this test"),
    (
      "assert.survives(run, {})",
      "assert.survives takes a list of names of nodes: assert.survives(run, { \"detail\" })"
    ),
  ])
  func `what can't be asked is said`(_ assertion: String, _ message: String) throws {
    #expect(try TestFolder(test(assertion), Self.script()).says() == message)
  }

  @Test func `every order of the answers is tried`() throws {
    let result = try TestFolder(test(), Self.script()).run { $0.checksOrders = true }
    #expect(result["x"]?.outcome.saying == "passed")
    #expect((result["x"]?.orders ?? 0) >= 2)
  }

  @Test func `beyond the orders that are all tried a seed decides`() throws {
    let requests = (0..<8).map { "tide.request 'r\($0)' { GET = 'http://x.test/\($0)' }" }.joined(separator: ", ")
    let answers = (0..<8).map { "{ request = { url = '/\($0)' }, response = { json = { \($0) } } }" }.joined(
      separator: ", ")
    let script = "local tide = require 'tidegate'\nreturn tide.merge 'all' { \(requests) }"
    let result = try TestFolder(
      "it('x', function() test.run('m.lua', { fixtures = { \(answers) } }) end)", ["m.lua": script]
    )
    .run {
      $0.checksOrders = true
      $0.limit = .seconds(300)
    }
    #expect(result["x"]?.outcome.saying == "passed")
    #expect(result["x"]?.orders == 1000)
  }

  @Test func `a result that depends on the order fails, with the two orders`() throws {
    // Whoever is sent first gets the first answer of the list.
    let script = """
      local tide = require "tidegate"
      local a = tide.request "a" { GET = "http://x.test/a" }
      local b = tide.request "b" { GET = "http://x.test/b" }
      local c = tide.request "c" { GET = "http://x.test/turn", needs = { a } }
      local d = tide.request "d" { GET = "http://x.test/turn", needs = { b } }
      return { c, d }
      """
    let text = """
      it("x", function()
        test.run("w.lua", { fixtures = {
          { request = { url = "/a" }, response = { json = 1 } },
          { request = { url = "/b" }, response = { json = 1, delay = "1h" } }, -- and may be first all the same
          { request = { url = "/turn" }, responses = { { json = 1 }, { json = 2 } } } } })
      end)
      """
    let folder = TestFolder(text, ["w.lua": script])
    #expect(try folder.says() == "passed")
    let says = try folder.says { $0.checksOrders = true }
    #expect(says.hasPrefix("w.lua depends on the order in which its answers arrive\n"))
    #expect(says.contains("one run: ") && says.contains("the other: "), "\(says)")
    #expect(says.contains("answers came in this order: GET http://x.test/b"), "\(says)")
  }
}
