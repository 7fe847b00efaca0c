import Testing
import TideBarrier
import TideFixtures
import TideGraph
import TideValue

/// Retries that go on for a day: on virtual time, and to the attempt.
@Suite struct VirtualDayTests {
  private static let down = #"[ { "request": { "url": "/down" }, "response": { "status": 503 } } ]"#

  @Test func `a day of retries, one a minute, ends after a day of virtual time`() throws {
    let stage = try Rehearsal(
      """
      return tide.request "down" { GET = "http://a.test/down", retry = { times = 1440, wait = "1m", factor = 1, jitter = false } }
      """, fixtures: Self.down)
    let report = try stage.run()
    #expect(report.elapsed == .seconds(86_400))
    #expect(stage.executor.now.nanoseconds == 86_400 * 1_000_000_000)
    #expect(stage.sent.count == 1441)
    #expect(report.failure(of: NodeID(0))?.attempts == 1441)
    #expect(report.failure(of: NodeID(0))?.status == 503)
  }

  @Test func `waits that double up to an hour, for as long as a deadline of a day allows`() throws {
    let stage = try Rehearsal(
      """
      return tide.request "down" { GET = "http://a.test/down", deadline = "24h",
        retry = { times = 1000, wait = "1s", max = "1h", jitter = false } }
      """, fixtures: Self.down)
    let report = try stage.run()
    // 1, 2, 4, ... 2048 seconds are 4095 in 12 waits; 22 hours more fit into the rest of the day, and the next does not.
    #expect(stage.sent.count == 1 + 12 + 22)
    #expect(report.elapsed == .seconds(4095 + 22 * 3600))
    #expect(report.failure(of: NodeID(0))?.message.contains("would come after its deadline") == true)
  }

  @Test func `a server that comes back after a day of failures is asked until then, and no more`() throws {
    let answers = Array(repeating: #"{"status":503}"#, count: 8640) + [#"{"json":"back"}"#]
    let stage = try Rehearsal(
      """
      local line = tide.queue "line" { width = 1 }
      local step = tide.step "step" { run = function()
        return tide.fetch { GET = "http://a.test/down", queue = line,
          retry = { times = 10000, wait = "10s", factor = 1, jitter = false } }
      end }
      return step
      """, fixtures: #"[ { "request": { "url": "/down" }, "responses": [\#(answers.joined(separator: ","))] } ]"#)
    let report = try stage.run()
    #expect(report.result == Value("back"))
    #expect(stage.sent.count == 8641)
    #expect(report.elapsed == .seconds(86_400))
  }
}
