import Testing
import TideBarrier
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// A simulated executor, fakes and a recorder, for one run at a time.
final class World {
  let executor: SimulatedExecutor
  let recorder = Recorder()
  let sketch: Sketch
  let plan: Plan
  let fakes: Fakes
  var configuration: RunConfiguration
  var inputs: [NodeID: Value] = [:]

  init(
    _ sketch: Sketch, _ acts: [String: Act] = [:], choices: any Choices = SeededChoices(seed: 0),
    lanes: LanePolicy = .first
  ) {
    self.sketch = sketch
    plan = sketch.plan
    executor = SimulatedExecutor(choices: choices, lanes: lanes)
    fakes = Fakes(executor, functions: sketch.functions, acts: acts)
    configuration = RunConfiguration(executor: executor, transport: fakes, stepRunner: fakes)
    configuration.sinks = [recorder]
  }

  func start() -> Run { Run.start(plan, inputs: inputs, configuration) }

  /// Runs to the end, and checks what no run may violate.
  ///
  /// - Parameter intervene: is called once there is nothing left to do by itself.
  func run(
    sourceLocation: SourceLocation = #_sourceLocation, intervene: (World) -> Void = { _ in }
  ) throws -> RunReport {
    let run = start()
    try executor.runUntilIdle()
    intervene(self)
    return try finish(run, sourceLocation: sourceLocation)
  }

  func finish(_ run: Run, sourceLocation: SourceLocation = #_sourceLocation) throws -> RunReport {
    try executor.runUntilIdle()
    let report = try #require(run.completion.result, "the run hangs", sourceLocation: sourceLocation)
    #expect(executor.closedBarriers == 0, "barriers are left behind", sourceLocation: sourceLocation)
    #expect(executor.pendingTimers == 0, "timers are left behind", sourceLocation: sourceLocation)
    if !configuration.sinks.isEmpty {
      #expect(complaints(about: recorder.events, of: plan) == [], sourceLocation: sourceLocation)
    }
    return report
  }

  var lines: [String] { recorder.lines(plan) }
}

extension RunReport {
  /// How every node ended, by name, as in `a=ok b=failed c=blocked<b`; `+` marks an `otherwise`.
  var summary: String {
    plan.nodeIDs.map { node in
      let ending = ending(of: node)
      let blamed = blamed(for: node).map { "<\(plan.nodes[$0].name)" } ?? ""
      return "\(plan.nodes[node].name)=\(ending.outcome.name)\(ending.tookOtherwise ? "+" : "")\(blamed)"
    }.joined(separator: " ")
  }

  func names(_ nodes: [NodeID]) -> [String] { nodes.map { plan.nodes[$0].name } }
}
