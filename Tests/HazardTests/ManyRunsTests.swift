import Foundation
import Testing
import TideBarrier
import TideHTTP
import Tidegate

/// A thousand runs in one process, against a server that fails, over sockets.
@Suite(.timeLimit(.minutes(5))) struct ManyRunsTests {
  private static let script = """
    local tide = require "tidegate"
    local api = tide.input "api"
    local line = tide.queue "line" { width = 2, per = "host" }
    local all = { wait = "settled" }
    for i = 1, 6 do
      all[#all + 1] = tide.request("r" .. i) { GET = api .. "/ok", queue = line, timeout = "20s", deadline = "30s" }
    end
    all[#all + 1] = tide.request "again" { GET = api .. "/500", retry = { times = 1, wait = "1ms" } }
    all[#all + 1] = tide.request "broken" { GET = api .. "/break", timeout = "20s" }
    all[#all + 1] = tide.step "step" { api, timeout = "20s", run = function(api)
      local get = function() return tide.fetch { GET = api .. "/ok" } end
      return tide.all { get, get }
    end }
    tide.request "stalled" { GET = api .. "/stall", timeout = "40ms", otherwise = 0 }
    tide.step "bye" { run = function() return 1 end, always = true }
    return tide.barrier "all" (all)

    """

  @Test func `a thousand runs in one process take no more memory, threads and descriptors than three hundred`()
    async throws
  {
    // So large that what a run leaves behind is seen.
    let page = "\"" + String(repeating: "x", count: 4094) + "\""
    let server = try TestServer { connection, request in
      switch request.target {
      case "/ok":
        connection.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 4096\r\n\r\n" + page)
      case "/500": connection.write("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n")
      case "/break":
        connection.resetsAtEnd()
        return .close
      default:
        connection.waitForClose()
        return .close
      }
      return .keep
    }
    defer { server.stop() }
    // In a process of its own, which the server is not in.
    await #expect(processExitsWith: .success) { [url = server.url as String] in
      var options = CurlTransport.Options()
      options.usesEnvironmentProxies = false
      let engine = Engine(transport: CurlTransport(options: options))
      func runs(_ count: Int) async throws {
        for _ in 0..<count / 20 {
          let workflow = try Workflow(source: Self.script, executor: engine.executor)
          let inputs = GivenInputs(inputs: ["api": .text(url)])
          let started = try (0..<20).map { _ in try engine.start(workflow, inputs: inputs) }
          for index in started.indices where index % 3 == 0 {
            engine.executor.after(.milliseconds(index)) { [run = started[index]] in run.cancel() }
          }
          for run in started {
            let report = await run.completion.value()
            precondition(report.permitsAreWhole)
          }
        }
      }
      try await runs(300)
      let before = Holdings()
      try await runs(700)
      let after = Holdings()
      precondition(before.pages > 0 && before.threads > 0 && before.descriptors > 0)
      // Two pages a run at most: each thread of Dispatch's keeps up to 80 KB for later. A run that stays is eight and more.
      precondition(after.pages - before.pages < 1_400, "\(before), then \(after)")
      // What depends on how busy the machine is, and far less than one a run.
      precondition(after.threads - before.threads < 50, "\(before), then \(after)")
      precondition(after.descriptors - before.descriptors < 50, "\(before), then \(after)")
    }
  }
}
