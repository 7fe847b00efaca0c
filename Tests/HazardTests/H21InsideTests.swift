import Testing
import TideBarrier
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// Permits inside of permits: a step that asks for the queue that it holds, a container that holds what its inputs need.
@Suite struct H21InsideTests {
  private static let fixtures = """
    [ { "request": { "url": "/x" }, "response": { "json": 7, "delay": "1s" } },
      { "request": { "url": "/bad" }, "response": { "status": 404 } } ]
    """

  @Test(arguments: [1, 8])
  func `H21 a step that holds a queue's permit and fetches from the same queue fails at its line`(
    _ width: Int
  ) throws {
    let stage = try Rehearsal(
      """
      local line = tide.queue "line" { width = \(width) }
      local step = tide.step "step" { queue = line, run = function()
        local before = tide.fetch { GET = "http://a.test/x" }
        return assert(tide.fetch {
          GET = "http://a.test/x", queue = line,
        })
      end }
      return { step = step, next = tide.request "next" { GET = "http://a.test/x", queue = line } }
      """, fixtures: Self.fixtures)
    let report = try stage.run()
    let failure = try #require(report.node("step").flatMap(report.failure))
    #expect(failure.kind == .queue)
    #expect(failure.message == "the step holds a permit of the queue 'line', and asks for another one inside")
    #expect(failure.help == "take the queue from the step, or from what it fetches")
    #expect(failure.location.map { "\($0.file):\($0.line)" } == "h.lua:4")
    #expect(report.result == json(#"{"next":7}"#))
    #expect(stage.sent == ["GET http://a.test/x", "GET http://a.test/x"])
  }

  @Test func `H21 a step without a queue may fetch from any, and several at once wait for each other's permit`() throws
  {
    let stage = try Rehearsal(
      """
      local line = tide.queue "line" { width = 1 }
      local other = tide.queue "other" { width = 1 }
      local function get() return tide.fetch { GET = "http://a.test/x", queue = line } end
      local a = tide.step "a" { run = function() return { tide.all { get, get, get } } end }
      local b = tide.step "b" { queue = other, run = function() return get() end }
      return { a, b, tide.request "c" { GET = "http://a.test/x", queue = line } }
      """, fixtures: Self.fixtures)
    let report = try stage.run()
    #expect(report.result == json("[[7,7,7],7,7]"))
    #expect(report.elapsed == .seconds(5))
  }

  @Test func `H22 a fallback in a queue is refused at its line`() {
    #expect(
      Rehearsal.complaints(
        """
        local line = tide.queue "line" { width = 1 }
        local a = tide.request "a" { GET = "http://a.test/bad", queue = line }
        local b = tide.request "b" { GET = "http://a.test/x", queue = line }
        return tide.fallback "item" { a, b, queue = line }
        """) == ["h.lua:4: fallback \"item\": a fallback only contains others, and takes no permit"])
  }

  @Test func `H22 the inputs of a fallback get the one permit of their queue, one after the other`() throws {
    let stage = try Rehearsal(
      """
      local line = tide.queue "line" { width = 1 }
      local a = tide.request "a" { GET = "http://a.test/bad", queue = line }
      local b = tide.request "b" { GET = "http://a.test/x", queue = line }
      local c = tide.request "c" { GET = "http://a.test/unknown", queue = line }
      return tide.fallback "item" { a, b, c }
      """, fixtures: Self.fixtures)
    let report = try stage.run()
    #expect(report.result == Value(7))
    #expect(stage.sent == ["GET http://a.test/bad", "GET http://a.test/x"])
    #expect(report.status == .ok)
  }

  @Test func `H22 a join holds no permit while it waits for its inputs, and needs just one when they have ended`()
    throws
  {
    let stage = try Rehearsal(
      """
      local line = tide.queue "line" { width = 1 }
      local a = tide.request "a" { GET = "http://a.test/x", queue = line }
      local b = tide.request "b" { GET = "http://a.test/x", queue = line }
      local both = tide.barrier "both" { a, b, queue = line }
      return tide.merge "all" { both, queue = line }
      """, fixtures: Self.fixtures)
    #expect(try stage.run().result == json("[7,7]"))
  }
}
