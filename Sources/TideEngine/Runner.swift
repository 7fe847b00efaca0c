import TideBarrier
import TideGraph
import TideValue

/// One run: all its state is arrays indexed by node, and only the run lane touches them. Workers, timers and
/// transports post messages to the inbox; nothing here waits, and nothing scans.
final class Runner: @unchecked Sendable {
  let plan: Plan
  let configuration: RunConfiguration
  let inbox: Inbox<Message>
  let completion: Completion<RunReport>
  let start: Instant
  let holder: Run.Holder
  /// With no sink no event is built.
  private let isHeard: Bool
  let tickets: TicketOffice<WorkResult>
  let stepLog: @Sendable (NodeID, String) -> Void
  let fetcher: StepContext.Fetcher
  let wallClock: @Sendable () -> Int64

  // Indexed by node.
  let nodes: NodeTable<NodeState>
  let endings: NodeTable<Verdict.Ending>
  let values: NodeTable<Value>

  // Only for the nodes that have one.
  var failures: [NodeID: Failure] = [:]
  var responses: [NodeID: Value] = [:]
  private var activities: [NodeID: Activity] = [:]
  private var courses: [NodeID: Course] = [:]

  var worklist: [NodeID] = []
  var lines: Lines
  var breakers = Breakers()
  var tokenTimer: (due: Instant, timer: any Timer)?
  var events: EventLog
  /// Nodes of the plan that have not ended: all, and those that are no cleanup.
  var remaining: Int
  var ordinaryRemaining: Int
  var fallbacks: Fallbacks
  var signals = Signals()
  var guests = Guests()
  var isCancelled = false
  var ranOutOfTime = false
  var runTimer: (any Timer)?
  /// Nodes whose value nobody outside may see.
  let secretNodes: Set<NodeID>
  /// Joins that stop what is still going on when they are decided.
  let cancellingJoins: Set<NodeID>
  private(set) lazy var nodesOfResult: Set<NodeID> = {
    var nodes: Set<NodeID> = []
    plan.result?.forEachNode { nodes.insert($0) }
    return nodes
  }()
  private(set) lazy var dataWorkers = Workers<DataJob>(on: configuration.executor, width: configuration.jobs) {
    $0.run()
  }

  init(
    _ plan: Plan, inputs: [NodeID: Value], _ configuration: RunConfiguration, inbox: Inbox<Message>,
    completion: Completion<RunReport>, holder: Run.Holder
  ) {
    self.plan = plan
    self.configuration = configuration
    self.inbox = inbox
    self.completion = completion
    self.holder = holder
    isHeard = !configuration.sinks.isEmpty
    let executor = configuration.executor
    let start = executor.now
    self.start = start
    tickets = TicketOffice { tag, settlement in inbox.post(.settled(tag: tag, settlement)) }
    stepLog = { node, text in inbox.post(.log(node, text)) }
    fetcher = { context, fetch, completion in
      let call = FetchCall(context, fetch, inbox: inbox, completion)
      inbox.post(.fetch(call))
      return call
    }
    let startedAt = configuration.startedAt
    wallClock = { startedAt + (executor.now.nanoseconds - start.nanoseconds) }
    let count = plan.nodes.count
    let fallbacks = Fallbacks(plan)
    self.fallbacks = fallbacks
    nodes = NodeTable(count: count) { NodeState(Join(dependencies: plan.dependencies(of: $0))) }
    for node in plan.alwaysNodes + fallbacks.held {
      nodes[node] = NodeState(Join(dependencies: plan.dependencies(of: node), isHeld: true))
    }
    endings = NodeTable(count: count) { _ in Verdict.Ending(.cancelled) }
    values = NodeTable(count: count) { _ in .null }
    lines = Lines(plan.queues, configuration)
    events = EventLog(sinks: configuration.sinks, executor: executor, start: start)
    remaining = count
    ordinaryRemaining = count - plan.alwaysNodes.count
    secretNodes = plan.secretNodes
    cancellingJoins = Set(plan.nodeIDs.lazy.filter { plan.cancelsRest($0) })
    for (node, value) in inputs where Int(node.index) < count {
      values[node] = value
      if secretNodes.contains(node) { events.hide(value, isGiven: true) }
    }
  }

  /// A batch from the inbox. Runs on the lane.
  func receive(_ messages: [Message]) {
    for message in messages { take(message) }
    advance()
  }

  private func take(_ message: Message) {
    switch message {
    case .begin: begin()
    case .settled(let tag, let settlement): settle(tag, settlement)
    case .timedOut(let node, let serial, let attempt): attemptTimedOut(node, serial, attempt: attempt)
    case .paused(let node, let serial): pauseEnded(node, serial)
    case .deadline(let node, let serial): deadlinePassed(node, serial)
    case .tokensGrew:
      tokenTimer = nil
      lines.tokensGrew()
    case .runTimeout where ordinaryRemaining > 0:
      ranOutOfTime = true
      cancelOrdinary()
    case .cancel where remaining > 0:
      isCancelled = true
      cancelOrdinary()
    case .cancelAtOnce where remaining > 0:
      isCancelled = true
      cancelAll(plan.nodeIDs)
    case .runTimeout, .cancel, .cancelAtOnce: break
    case .signal(let name, let value): signalled(name, value)
    case .signalsEnded: signalsEnded()
    case .fetch(let call): startFetch(call)
    case .stopFetch(let call): stopFetch(call)
    case .log(let node, let text): record(.log(Instance(node), text))
    }
  }

  private func begin() {
    record(.runStarted)
    if let timeout = configuration.timeout {
      runTimer = configuration.executor.after(timeout) { [inbox] in inbox.post(.runTimeout) }
    }
    for node in plan.nodeIDs { carryOut(nodes[node].decide(plan.wait(of: node)), of: node) }
    if ordinaryRemaining == 0 { startCleanup() }
  }

  /// Starts and ends what is decided, until nothing more is; hands out permits when the others are served, so that of
  /// those that are ready the one declared first goes.
  func advance() {
    repeat {
      var next = 0
      while next < worklist.count {
        let node = worklist[next]
        next += 1
        carryOutDecision(of: node)
      }
      worklist.removeAll(keepingCapacity: worklist.capacity < 4096)
      grantPermits()
    } while !worklist.isEmpty || breakCircle()
    if remaining == 0 { finish() } else { events.flush() }
  }

  private func carryOutDecision(of node: NodeID) {
    guard nodes[node].phase == .ready else { return }
    switch nodes[node].join.decided {
    case .wait: break
    case .open: startNode(node)
    case .end(let outcome): end(node, outcome)
    case .failed: fail(node, barrierFailure(node))
    }
  }

  private func finish() {
    remaining = -1
    runTimer?.cancel()
    tokenTimer?.timer.cancel()
    var failure: Failure?
    var result: Value?
    do {
      result = try plan.result?.value(self) { [endings] in endings[$0].outcome == .ok }
    } catch {
      failure = error
    }
    if ranOutOfTime, let timeout = configuration.timeout {
      failure = Failure(.timeout, "the run was stopped after \(timeout.readable), its time limit")
    }
    let verdict = Verdict(
      of: plan, wasCancelled: isCancelled, ranOutOfTime: failure != nil, ending: { [endings] in endings[$0] })
    let redactor = events.redactor
    let report = RunReport(
      plan: plan, verdict: verdict, result: result, failure: failure.map { redactor.redacted($0) },
      elapsed: start.duration(to: configuration.executor.now), permitsAreWhole: lines.isWhole, endings: endings,
      failures: failures.mapValues { redactor.redacted($0) }, values: values)
    record(.runEnded(verdict.status))
    events.flush()
    holder.runner = nil
    completion.complete(report)
  }
}

/// What only few nodes have. `hasMore` spares all the others the look.
extension Runner {
  func record(_ kind: @autoclosure () -> RunEvent.Kind) {
    if isHeard { events.add(kind()) }
  }

  func activity(of node: NodeID) -> Activity? {
    nodes[node].hasMore ? activities[node] : nil
  }

  func set(_ activity: Activity?, of node: NodeID) {
    activities[node] = activity
    nodes[node].hasMore = true
  }

  func course(of node: NodeID) -> Course {
    nodes[node].hasMore ? courses[node] ?? Course() : Course()
  }

  func withCourse<Result>(of node: NodeID, _ body: (inout Course) -> Result) -> Result {
    nodes[node].hasMore = true
    return body(&courses[node, default: Course(serial: nodes[node].serial)])
  }

  /// Timers, permits and what was going on come home.
  func letGo(of node: NodeID) {
    activities[node] = nil
    if var course = courses.removeValue(forKey: node) { course.cancelTimers() }
    lines.giveBack(of: node)
  }
}
