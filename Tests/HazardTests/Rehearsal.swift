import Testing
import TideBarrier
import TideFixtures
import Tidegate

/// A script and its fixtures on virtual time.
struct Rehearsal {
  let executor = SimulatedExecutor()
  let workflow: Workflow
  let engine: Engine

  /// - Parameter script: what comes after `local tide = require "tidegate"`, on the same line.
  init(_ script: String, fixtures: String) throws {
    workflow = try Workflow(
      source: "local tide = require \"tidegate\" " + script, name: "h.lua", executor: executor, print: { _ in })
    engine = Engine(executor: executor, fixtures: try Fixtures.parse(file: "fixtures.json", text: fixtures), jobs: 1)
  }

  /// Runs to the end.
  func run(sourceLocation: SourceLocation = #_sourceLocation) throws -> RunReport {
    let run = try engine.start(workflow)
    try executor.runUntilIdle(maximumSteps: 10_000_000)
    let report = try #require(run.completion.result, "the run hangs", sourceLocation: sourceLocation)
    #expect(report.permitsAreWhole, sourceLocation: sourceLocation)
    #expect(executor.pendingTimers == 0, "timers are left behind", sourceLocation: sourceLocation)
    #expect(executor.closedBarriers == 0, "barriers are left behind", sourceLocation: sourceLocation)
    return report
  }

  /// What was sent, in its order, as in `GET http://a.test/x`.
  var sent: [String] { (engine.transport as? FixtureTransport)?.log.map { "\($0.method) \($0.url)" } ?? [] }

  /// What is wrong with a script: `place: message`.
  static func complaints(_ script: String) -> [String] {
    do {
      _ = try Rehearsal(script, fixtures: "[]")
      return []
    } catch let error as Diagnostics {
      return error.all.map { "\($0.location.map { "\($0.file):\($0.line)" } ?? "?"): \($0.message)" }
    } catch {
      return ["\(error)"]
    }
  }
}

extension RunReport {
  /// A node by its name.
  func node(_ name: String) -> NodeID? { plan.nodeIDs.first { plan.nodes[$0].name == name } }
}
