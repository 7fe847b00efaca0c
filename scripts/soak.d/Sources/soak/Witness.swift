import Tidegate

/// What the engine says of one run, and what it must not say.
final class Witness: EventSink {
  struct Account {
    var attempts = 0
    /// Attempts that were not sent, since their queue's breaker rested.
    var tripped = 0
    var endings = [Int](repeating: 0, count: Ending.allCases.count)
    var late = 0
    var nodesEnded = 0
    var complaints: [String] = []
  }

  private struct State {
    var account = Account()
    var ended: Set<NodeID> = []
    var open: Set<Instance> = []
    var runsEnded = 0
  }

  private let plan: Plan
  private let state = Locked(State())

  init(_ plan: Plan) {
    self.plan = plan
  }

  func receive(_ events: [RunEvent]) {
    state.withLock { state in
      for event in events { note(event.kind, &state) }
    }
  }

  private func note(_ event: RunEvent.Kind, _ state: inout State) {
    switch event {
    // An attempt of a step sends nothing itself.
    case .attemptStarted(let instance, _) where sends(instance):
      state.account.attempts += 1
      if !state.open.insert(instance).inserted { state.account.complaints.append("two attempts of one node at once") }
    case .attemptEnded(let instance, _, let failure) where sends(instance):
      if state.open.remove(instance) == nil { state.account.complaints.append("an attempt ended that had not begun") }
      if failure?.kind == .tripped {
        state.account.tripped += 1
      } else {
        state.account.endings[Int(Ending(failure).rawValue)] += 1
      }
    case .lateAnswer: state.account.late += 1
    case .nodeEnded(let instance, _, _, _, _):
      state.account.nodesEnded += 1
      if !state.ended.insert(instance.node).inserted {
        state.account.complaints.append("'\(plan.nodes[instance.node].name)' ended twice")
      }
    case .runEnded: state.runsEnded += 1
    default: break
    }
  }

  private func sends(_ instance: Instance) -> Bool {
    if case .request = plan.nodes[instance.node].verb { true } else { instance.path != .root }
  }

  /// The account of a run that has ended.
  ///
  /// - Parameters:
  ///   - sent: how many requests its transport was given.
  ///   - hadCleanup: false if it was ended at once.
  func account(_ report: RunReport, sent: Int, hadCleanup: Bool) -> Account {
    state.withLock { state in
      var account = state.account
      if account.attempts - account.tripped != sent {
        account.complaints.append("\(account.attempts) attempts, \(account.tripped) tripped, \(sent) requests sent")
      }
      if !state.open.isEmpty { account.complaints.append("\(state.open.count) attempts never ended") }
      if state.ended.count != plan.nodes.count { account.complaints.append("nodes never ended") }
      if state.runsEnded != 1 { account.complaints.append("the run ended \(state.runsEnded) times") }
      if !report.permitsAreWhole { account.complaints.append("permits are missing") }
      if hadCleanup, plan.alwaysNodes.contains(where: { report.ending(of: $0).outcome == .cancelled }) {
        account.complaints.append("the cleanup was cancelled")
      }
      return account
    }
  }
}
