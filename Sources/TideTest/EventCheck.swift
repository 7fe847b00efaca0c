import TideEngine
import TideGraph

/// Reads the events of one whole run, and says what no run may do.
struct EventCheck {
  private let plan: Plan
  private let configuration: RunConfiguration
  private var started: Set<NodeID> = []
  private var ended: Set<NodeID> = []
  private var runningAttempt: [NodeID: Int] = [:]
  private var attempts: [NodeID: Int] = [:]
  private var permits: PermitCount
  private(set) var found: [String] = []

  init(_ plan: Plan, _ configuration: RunConfiguration) {
    self.plan = plan
    self.configuration = configuration
    permits = PermitCount(plan, configuration)
  }

  func complaints(about events: [RunEvent]) -> [String] {
    var check = self
    check.read(events)
    return check.found
  }

  private mutating func read(_ events: [RunEvent]) {
    var time = Duration.zero
    for (index, event) in events.enumerated() {
      if event.time < time { found.append("event \(index) has an earlier time than the one before") }
      time = event.time
      switch event.kind {
      case .runStarted: if index != 0 { found.append("the run started after something else") }
      case .runEnded: if index + 1 != events.count { found.append("something happened after the run had ended") }
      default: take(event.kind)
      }
    }
    guard case .runStarted? = events.first?.kind, case .runEnded? = events.last?.kind else {
      found.append("the events do not begin and end with the run")
      return
    }
    for node in plan.nodeIDs where !ended.contains(node) { complain(node, "never ended") }
  }

  private mutating func take(_ event: RunEvent.Kind) {
    switch event {
    case .nodeStarted(let instance): start(instance.node)
    case .attemptStarted(let instance, let attempt): startAttempt(instance.node, attempt)
    case .attemptEnded(let instance, let attempt, _):
      if runningAttempt.removeValue(forKey: instance.node) != attempt {
        complain(instance.node, "ended attempt \(attempt), which was not going on")
      }
    case .lateAnswer(let instance, let attempt):
      if attempt > max(1, attempts[instance.node] ?? 1) {
        complain(instance.node, "got a late answer to attempt \(attempt), which never began")
      }
    case .nodeEnded(let instance, _, _, _, _): end(instance.node)
    case .runStarted, .runEnded, .log, .itemProduced: break
    }
  }

  private mutating func start(_ node: NodeID) {
    if !started.insert(node).inserted { complain(node, "started twice") }
    if ended.contains(node) { complain(node, "started after its end") }
    if let complaint = permits.start(node) { found.append(complaint) }
  }

  private mutating func startAttempt(_ node: NodeID, _ attempt: Int) {
    if !started.contains(node) { complain(node, "began attempt \(attempt) before it had started") }
    if ended.contains(node) { complain(node, "began attempt \(attempt) after its end") }
    if runningAttempt.updateValue(attempt, forKey: node) != nil {
      complain(node, "began attempt \(attempt) before the one before had ended")
    }
    let expected = (attempts[node] ?? 0) + 1
    if attempt != expected { complain(node, "began attempt \(attempt), where \(expected) comes") }
    attempts[node] = attempt
  }

  private mutating func end(_ node: NodeID) {
    if !ended.insert(node).inserted { complain(node, "ended twice") }
    if runningAttempt[node] != nil { complain(node, "ended before its attempt had") }
    permits.end(node)
  }

  private mutating func complain(_ node: NodeID, _ what: String) {
    found.append("'\(plan.nodes[node].name)' \(what)")
  }
}
