import Testing
import TideBarrier
import TideHTTP
import Tidegate

/// Cancelling what is really in flight, over sockets.
@Suite(.timeLimit(.minutes(1))) struct H13NetworkTests {
  /// A server that takes requests and never answers them, but for those to /cleanup.
  private func server() throws -> TestServer {
    try TestServer { connection, request in
      if request.target == "/cleanup" {
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1")
      } else {
        connection.waitForClose()
      }
      return .close
    }
  }

  private static func engine() -> Engine {
    var options = CurlTransport.Options()
    options.usesEnvironmentProxies = false
    return Engine(transport: CurlTransport(options: options))
  }

  private static let script = """
    local tide = require "tidegate"
    local api = tide.input "api"
    local line = tide.queue "line" { width = 1 }
    local all = { wait = "settled" }
    for i = 1, 5 do all[i] = tide.request("r" .. i) { GET = api .. "/r/" .. i, retry = 3 } end
    all[6] = tide.request "held" { GET = api .. "/held", queue = line }
    tide.request "queued" { GET = api .. "/queued", queue = line }
    all[7] = tide.step "step" { api, run = function(api)
      return tide.all {
        function() return tide.fetch { GET = api .. "/f/1" } end, function() return tide.fetch { GET = api .. "/f/2" } end,
      }
    end }
    local cleanup = tide.request "cleanup" { POST = api .. "/cleanup", always = true }
    return { all = tide.barrier "all" (all), cleanup = cleanup }

    """

  @Test func `H13 a cancel closes the connections of all that is in flight, and the cleanup is sent`() async throws {
    let server = try server()
    defer { server.stop() }
    let engine = Self.engine()
    let workflow = try Workflow(source: Self.script, executor: engine.executor)
    let run = try engine.start(workflow, inputs: GivenInputs(inputs: ["api": .text(server.url)]))
    #expect(await eventually { server.requests.count == 8 })
    #expect(server.openCount == 8)
    run.cancel()
    let report = await run.completion.value()
    #expect(report.status == .cancelled)
    #expect(report.permitsAreWhole)
    #expect(report.result?.description == #"{"cleanup":1}"#)
    let ordinary = report.plan.nodes.filter { $0.name != "api" && $0.name != "cleanup" }.map(\.name)
    for name in ordinary {
      #expect(report.node(name).map { report.ending(of: $0).outcome } == .cancelled, "\(name)")
    }
    #expect(await eventually { server.openCount == 0 }, "a connection is still open")
    let sent = Set(["f/1", "f/2", "held", "r/1", "r/2", "r/3", "r/4", "r/5", "cleanup"].map { "/\($0)" })
    #expect(Set(server.requests.map(\.target)) == sent)
    #expect(server.requests.count == 9, "nothing was sent again")
    #expect(server.requests.last?.target == "/cleanup")
  }

  @Test func `H13 what a deadline or the loser of a race leaves in flight is closed too, while the run goes on`()
    async throws
  {
    let server = try server()
    defer { server.stop() }
    let engine = Self.engine()
    let workflow = try Workflow(
      source: """
        local tide = require "tidegate"
        local api = tide.input "api"
        local others_are_sent = tide.sleep "others_are_sent" { 2 }
        local quick = tide.request "quick" { GET = api .. "/cleanup", after = { others_are_sent } }
        local slow = tide.request "slow" { GET = api .. "/slow" }
        local race = tide.barrier "race" { quick, slow, wait = 1, cancel_rest = true }
        local late = tide.request "late" { GET = api .. "/late", deadline = "2s", otherwise = 0 }
        local go = tide.signal "go" { count = 1 }
        return { race, late, go }

        """, executor: engine.executor)
    let run = try engine.start(workflow, inputs: GivenInputs(inputs: ["api": .text(server.url)]))
    #expect(await eventually { server.requests.count == 3 && server.openCount == 0 })
    #expect(run.completion.result == nil)
    run.signal("go", Value(5))
    let report = await run.completion.value()
    #expect(report.result?.description == "[[1,null],0,5]")
    #expect(report.permitsAreWhole)
  }
}
