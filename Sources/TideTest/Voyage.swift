import TideBarrier
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// One run of an exploration, from its start until everything has come to rest.
final class Voyage {
  private let exploration: Exploration
  private let executor: SimulatedExecutor
  private let clock: AnswerClock
  private let fate: Fate
  private let record = EventRecord()
  private let configuration: RunConfiguration
  private var report: RunReport?
  private var complaints: [String] = []

  convenience init(_ exploration: Exploration, _ choices: any Choices, _ draw: Fate.Draw) {
    let executor = SimulatedExecutor(choices: choices, lanes: exploration.slowLanes ? .chosen : .first)
    self.init(exploration, draw, on: executor)
  }

  /// On an executor that was made before, as a script needs it that has declared on it.
  init(_ exploration: Exploration, _ draw: Fate.Draw, on executor: SimulatedExecutor) {
    self.exploration = exploration
    self.executor = executor
    clock = AnswerClock(executor, isHasty: !exploration.keepsDelays)
    fate = Fate(draw, executor: executor)
    var configuration = RunConfiguration(
      executor: executor,
      transport: FatedTransport(inner: exploration.transport(clock), fate: fate, clock: clock),
      stepRunner: FatedSteps(inner: exploration.stepRunner(clock), fate: fate, clock: clock))
    exploration.configure(&configuration)
    configuration.sinks.append(record)
    self.configuration = configuration
  }

  func observation(_ trail: Trail) -> Observation {
    Observation(
      plan: exploration.plan, trail: trail, report: report, events: record.events, asks: fate.asks,
      arrivals: fate.arrivals, wasCancelled: fate.cancelsAskedFor > 0, complaints: complaints)
  }

  func sail() {
    let run = Run.start(exploration.plan, inputs: exploration.inputs, configuration)
    fate.cancel = { run.cancel() }
    for (name, value) in exploration.signals { run.signal(name, value) }
    do throws(NeverIdle) {
      try end(run)
      checkRest(run)
      fate.end()
      // What comes after the end must not be heard.
      try executor.runUntilIdle(maximumSteps: exploration.maximumSteps)
    } catch {
      complaints.append("the run goes on for ever: \(error)")
    }
    fate.end()
    guard let report else { return }
    complaints += EventCheck(exploration.plan, configuration).complaints(about: record.events)
    complaints += report.complaints
  }

  /// Runs until the run has ended. One that waits only for what never comes is told so, and must then end.
  private func end(_ run: Run) throws(NeverIdle) {
    if try goOn(run) { return }
    if exploration.isOver() { return complaints.append("the run was stopped: its time was over") }
    if exploration.endsSignals, awaitsSignal {
      run.endSignals()
      if try goOn(run) { return }
    }
    if !fate.isSilent, exploration.endsSignals || !awaitsSignal {
      complaints.append("the run hangs: nothing is left to do, and \(openNodes) never ended")
    }
    fate.cancelNow()
    if try goOn(run) { return }
    complaints.append("the run hangs when it is cancelled: \(openNodes) never ended")
  }

  private var awaitsSignal: Bool {
    let open = record.openNodes(exploration.plan)
    return exploration.plan.nodeIDs.contains { node in
      if case .signal = exploration.plan.nodes[node].verb { open.contains(node) } else { false }
    }
  }

  private var openNodes: String {
    record.openNodes(exploration.plan).sorted().map { "'\(exploration.plan.nodes[$0].name)'" }.joined(separator: ", ")
  }

  /// Whether the run has ended when nothing is left to do.
  private func goOn(_ run: Run) throws(NeverIdle) -> Bool {
    try executor.run(maximumSteps: exploration.maximumSteps) {
      run.completion.result == nil && !exploration.isOver()
    }
    report = run.completion.result
    return report != nil
  }

  private func checkRest(_ run: Run) {
    guard let report else { return }
    if !report.permitsAreWhole { complaints.append("a permit was lost") }
    if executor.closedBarriers > 0 { complaints.append("\(executor.closedBarriers) barriers were left closed") }
    let timers = executor.pendingTimers - clock.pendingTimers
    if timers > 0 { complaints.append("\(timers) timers were left behind") }
  }
}

/// Keeps what happened in a run.
final class EventRecord: EventSink {
  private let kept = Locked<[RunEvent]>([])

  var events: [RunEvent] { kept.withLock { $0 } }

  func receive(_ events: [RunEvent]) {
    kept.withLock { $0 += events }
  }

  /// The nodes that have not ended.
  func openNodes(_ plan: Plan) -> Set<NodeID> {
    var open = Set(plan.nodeIDs)
    for event in events {
      if case .nodeEnded(let instance, _, _, _, _) = event.kind { open.remove(instance.node) }
    }
    return open
  }
}
