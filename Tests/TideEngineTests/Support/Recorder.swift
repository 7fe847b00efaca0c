import TideBarrier
import TideGraph

/// Keeps what happened in a run.
final class Recorder: EventSink {
  private let kept = Locked<[RunEvent]>([])

  var events: [RunEvent] { kept.withLock { $0 } }

  func receive(_ events: [RunEvent]) {
    kept.withLock { $0 += events }
  }

  /// One line an event, as in `a ok`, `b blocked by a`.
  func lines(_ plan: Plan) -> [String] { events.map { $0.kind.line(plan) } }
}

extension RunEvent.Kind {
  func line(_ plan: Plan) -> String {
    func name(_ instance: Instance) -> String { plan.nodes[instance.node].name }
    switch self {
    case .runStarted: return "run started"
    case .nodeStarted(let instance): return "\(name(instance)) started"
    case .attemptStarted(let instance, let attempt): return "\(name(instance)) attempt \(attempt)"
    case .attemptEnded(let instance, let attempt, let failure):
      return "\(name(instance)) attempt \(attempt) \(failure.map { "\($0.kind)" } ?? "ok")"
    case .lateAnswer(let instance, _): return "\(name(instance)) late"
    case .itemProduced(let instance, let index, _): return "\(name(instance)) item \(index)"
    case .log(let instance, let text): return "\(name(instance)) says \(text)"
    case .nodeEnded(let instance, let outcome, let failure, let blamed, let tookOtherwise):
      var line = "\(name(instance)) \(outcome.name)"
      if let failure { line += " (\(failure.kind))" }
      if let blamed { line += " by \(plan.nodes[blamed].name)" }
      return tookOtherwise ? line + " otherwise" : line
    case .runEnded(let status): return "run \(status.rawValue)"
    }
  }
}

/// What is wrong with a stream of events; empty for a whole run's.
func complaints(about events: [RunEvent], of plan: Plan) -> [String] {
  var complaints: [String] = []
  var started = Set<NodeID>()
  var ended = Set<NodeID>()
  var attempts: [NodeID: Int] = [:]
  var last = Duration.zero
  for (index, event) in events.enumerated() {
    let line = event.kind.line(plan)
    if event.time < last { complaints.append("\(line): before the one before") }
    last = event.time
    switch event.kind {
    case .runStarted: if index != 0 { complaints.append("\(line): not first") }
    case .runEnded: if index != events.count - 1 { complaints.append("\(line): not last") }
    case .nodeStarted(let instance):
      if !started.insert(instance.node).inserted { complaints.append("\(line): twice") }
      if ended.contains(instance.node) { complaints.append("\(line): after its end") }
    case .attemptStarted(let instance, let attempt):
      let isAtWork = started.contains(instance.node) && !ended.contains(instance.node)
      if !isAtWork { complaints.append("\(line): out of place") }
      if attempts.updateValue(attempt, forKey: instance.node) != nil { complaints.append("\(line): beside another") }
    case .attemptEnded(let instance, let attempt, _):
      if attempts.removeValue(forKey: instance.node) != attempt { complaints.append("\(line): had not started") }
    case .lateAnswer(let instance, _):
      if !started.contains(instance.node) { complaints.append("\(line): to nothing") }
    case .nodeEnded(let instance, _, _, _, _):
      if !ended.insert(instance.node).inserted { complaints.append("\(line): twice") }
      if attempts[instance.node] != nil { complaints.append("\(line): in the middle of an attempt") }
    case .log, .itemProduced: break
    }
  }
  guard case .runStarted? = events.first?.kind, case .runEnded? = events.last?.kind else {
    return complaints + ["it does not begin and end with the run"]
  }
  for node in plan.nodeIDs where !ended.contains(node) { complaints.append("\(plan.nodes[node].name): never ended") }
  return complaints
}
