import Testing
import TideTest

/// `test.run`: what it takes, and what it gives.
@Suite struct TestRunTests {
  static let gather = """
    local tide = require "tidegate"
    local uid = tide.input "uid"
    local a = tide.request "a" { GET = "http://x.test/a/" .. uid, retry = { times = 2, wait = "30s", jitter = false } }
    local b = tide.request "b" { GET = "http://x.test/b" }
    local sum = tide.step "sum" { a, run = function(a) tide.log("sum of " .. #a) return #a end }
    return { all = tide.merge "all" { a, b, wait = "settled" }, sum = sum }
    """

  static let answers = """
    { { request = { url = "/a/7" }, responses = { { status = 503 }, { json = { 1, 2 }, delay = "1s" } } },
      { request = { url = "/b" }, response = { json = { 3 } } }, { request = { url = "/never" }, response = { json = 1 } } }
    """

  private func says(_ body: String, files: [String: String] = [:]) throws -> String {
    let text = "local answers = \(Self.answers)\nit('x', function()\n\(body)\nend)"
    return try TestFolder(text, ["gather.lua": Self.gather].merging(files) { $1 }).says()
  }

  @Test func `a run tells its status, result, nodes, requests, time and log`() throws {
    #expect(
      try says(
        """
        local run = test.run("gather.lua", { inputs = { uid = 7 }, fixtures = answers })
        assert.equal("ok", run.status)
        assert.same({ all = { 1, 2, 3 }, sum = 2 }, run.result)
        assert.same({ outcome = "ok", value = { 1, 2 }, attempts = 2 }, run.nodes.a)
        assert.same({
          { method = "GET", url = "http://x.test/a/7", exchange = 1 }, { method = "GET", url = "http://x.test/b", exchange = 2 },
          { method = "GET", url = "http://x.test/a/7", exchange = 1 } }, run.requests)
        assert.same({ "GET /never" }, run.unused)
        assert.same({}, run.missing)
        assert.same({ "sum of 2" }, run.log)
        assert.equal(31, run.elapsed)
        """) == "passed")
  }

  @Test func `what fails, is blocked and is missing has its reason`() throws {
    #expect(
      try says(
        """
        local run = test.run("gather.lua", { inputs = { uid = 7 }, fixtures = {
          { request = { url = "/a/7" }, failure = "refused" }, { request = { url = "/b" }, response = { json = { 3 } } } } })
        assert.equal("failed", run.status)
        assert.same({ "a", "sum" }, run.missing)
        assert.same("connect", run.nodes.a.error.kind)
        assert.equal("blocked", run.nodes.sum.outcome)
        assert.equal("a", run.nodes.sum.blamed)
        assert.is_nil(run.nodes.sum.value)
        """) == "passed")
  }

  @Test func `a request without an exchange fails: nothing reaches the network`() throws {
    #expect(
      try says(
        """
        local run = test.run("gather.lua", { inputs = { uid = 7 } })
        assert.equal("failed", run.status)
        assert.equal("no exchange matches GET http://x.test/b: there are none", run.nodes.b.error.message)
        """) == "passed")
  }

  @Test func `a node that is overridden has its value, and does no work`() throws {
    #expect(
      try says(
        """
        local run = test.run("gather.lua", { override = { a = { "stub" }, b = {}, uid = "any" } })
        assert.same({ all = { "stub" }, sum = 1 }, run.result)
        assert.same({}, run.requests)
        """) == "passed")
  }

  @Test func `fixtures come from a file beside the test, too`() throws {
    let fixtures = #"[{ "request": { "url": "/b" }, "response": { "json": [9] } }]"#
    #expect(
      try says(
        """
        local run = test.run("gather.lua", { inputs = { uid = 7 }, fixtures = "b.json", override = { a = {} } })
        assert.same({ 9 }, run.result.all)
        """, files: ["b.json": fixtures]) == "passed")
  }

  @Test func `signals, secrets and a time limit are given as they are to a run`() throws {
    let script = """
      local tide = require "tidegate"
      local key = tide.secret "key"
      local go = tide.signal "go" { count = 2 }
      return tide.request "r" { GET = "http://x.test/r", needs = { go }, bearer = key }
      """
    #expect(
      try says(
        """
        local given = { secrets = { key = "k" }, signals = { "go", { name = "go", value = 2 } }, timeout = "5s", fixtures = {
          { request = { url = "/r", headers = { Authorization = "Bearer k" } }, response = { json = 1, delay = "6s" } } } }
        local late = test.run("s.lua", given)
        assert.equal("failed", late.status)
        assert.equal("timeout", late.error.kind)
        given.timeout = 7
        assert.equal("ok", test.run("s.lua", given).status)
        given.signals, given.timeout = {}, nil
        assert.equal("signal", test.run("s.lua", given).nodes.go.error.kind)
        """, files: ["s.lua": script]) == "passed")
  }

  @Test(arguments: [
    ("test.run('gather.lua')", "gather.lua is given what it can't take: the input 'uid' is missing (gather.lua:2)"),
    ("test.run('nowhere.lua')", "there is no script to run: nowhere.lua: No such file or directory"),
    ("test.run('bad.lua')", "bad.lua is invalid: there is no tide.requst (bad.lua:2)"),
    ("test.run(5)", "test.run takes the path of a script, and has a number"),
    ("test.run('gather.lua', 5)", "the options of test.run are a number, where a table is expected"),
    ("test.run('gather.lua', { fixture = {} })", "test.run has no option 'fixture'"),
    ("test.run('gather.lua', { inputs = { 1 } })", "'inputs' is a list, where a table of names and values is expected"),
    ("test.run('gather.lua', { timeout = 'soon' })", "'timeout' is \"soon\", and no length of time"),
    ("test.run('gather.lua', { override = { c = 1 } })", "the script has no node 'c'"),
    ("test.run('gather.lua', { signals = { 'go' } })", "gather.lua has no signal 'go'"),
    ("test.run('gather.lua', { signals = { 5 } })", "a signal is 5, and has no name"),
    ("test.run('gather.lua', { secrets = { a = 5 } })", "the secret 'a' is a number, where a text is expected"),
    (
      "test.run('gather.lua', { fixtures = 'none.json' })",
      "the fixtures can't be used: can't read the fixtures 'none.json': No such file or directory"
    ),
    ("test.run('gather.lua', { fixtures = { { } } })", "the fixtures can't be used: exchange 1: is a list"),
  ])
  func `what can't be run says why`(_ body: String, _ message: String) throws {
    let bad = "local tide = require 'tidegate'\nreturn tide.requst 'x' {}"
    let found = try says(body, files: ["bad.lua": bad])
    #expect(found.hasPrefix(message), "\(found)")
  }

  @Test func `an invalid script's own diagnostics go along`() throws {
    let result = try TestFolder("it('x', function() test.run('bad.lua') end)", ["bad.lua": "return 5\n"]).run()
    guard case .failed(let failures)? = result["x"]?.outcome else { return #expect(Bool(false), "it passed") }
    #expect(failures.first?.diagnostics?.all.first?.location?.line == 1)
    #expect(failures.first?.location?.line == 2)
  }
}
