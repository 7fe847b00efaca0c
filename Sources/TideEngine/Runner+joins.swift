import TideBarrier
import TideGraph
import TideValue

extension Runner {
  /// Asks a node's join whether it is decided, and if so puts the node in line. A join with a barrier goes through it: the
  /// group is left, and its notification starts the node on this lane.
  func decide(_ node: NodeID) {
    switch joins[node].decide(plan.wait(of: node)) {
    case .wait: break
    case .open:
      phases[node] = .ready
      if let barrier = barriers[node] {
        barrier.open()
      } else {
        worklist.append(node)
      }
    case let ending:
      phases[node] = .ready
      decisions[node] = ending
      barriers[node] = nil
      worklist.append(node)
    }
  }

  /// A barrier's notification. Runs on the lane.
  private func barrierOpened(_ node: NodeID) {
    barriers[node] = nil
    worklist.append(node)
    advance()
  }

  /// A node is about to do asynchronous work: the joins that wait for it take their barriers before it can end.
  func holdBarriers(of node: NodeID) {
    for edge in plan.dependents(of: node) {
      let dependent = edge.node
      guard barriers[dependent] == nil, phases[dependent] == .waiting, joins[dependent].isJoin else { continue }
      barriers[dependent] = configuration.executor.barrier(on: inbox.lane) { [weak self] in
        self?.barrierOpened(dependent)
      }
    }
  }

  /// Ends a node, once: gives back what it holds, and tells those that wait for it.
  func end(_ node: NodeID, _ outcome: Outcome, value: Value? = nil, tookOtherwise: Bool = false) {
    guard phases[node] != .ended else { return }
    let wasBlocked = outcome == .blocked
    var (outcome, value, tookOtherwise) = (outcome, value, tookOtherwise)
    if outcome.isFailure, let otherwise = plan.nodes[node].options?.otherwise {
      (outcome, value, tookOtherwise) = (.ok, otherwise, true)
    }
    phases[node] = .ended
    joins[node].close()
    endings[node] = Verdict.Ending(outcome, tookOtherwise: tookOtherwise)
    if let value { values[node] = value } else if outcome != .ok { values[node] = .null }
    endAttempt(of: node)
    letGo(of: node)
    remaining -= 1
    events.add(
      .nodeEnded(
        Instance(node), outcome, failures[node], blamed: wasBlocked ? culprit(of: node) : nil,
        tookOtherwise: tookOtherwise))
    for edge in plan.dependents(of: node) {
      joins[edge.node].take(edge.need, outcome)
      decide(edge.node)
    }
  }

  func fail(_ node: NodeID, _ failure: Failure) {
    guard phases[node] != .ended else { return }
    failures[node] = failure
    end(node, .failed)
  }

  /// Who is to blame, as far as it is known when the node is blocked.
  private func culprit(of node: NodeID) -> NodeID? {
    plan.blame(for: node) { other in
      if other == node { return Verdict.Ending(.blocked) }
      return phases[other] == .ended ? endings[other] : Verdict.Ending(.ok)
    }
  }

  private func endAttempt(of node: NodeID) {
    guard activities[node]?.isAttempt == true else { return }
    let wasStopped = endings[node].outcome == .cancelled
    let failure = wasStopped ? Failure(.cancelled, "stopped before it had ended") : failures[node]
    events.add(.attemptEnded(Instance(node), attempt: 1, failure))
  }

  /// Everything that a node has out there comes home, on every way out: permits, timers, the barrier, late answers.
  private func letGo(of node: NodeID) {
    serials[node] &+= 1
    barriers[node] = nil
    abortables[node] = nil
    activities[node] = nil
    if let timers = timers.removeValue(forKey: node) { for timer in timers { timer.cancel() } }
    lines.giveBack(of: node)
  }

  /// A join that can't open any more lists what each input said.
  func barrierFailure(_ node: NodeID) -> Failure {
    var said: [String] = []
    for edge in plan.dependencies(of: node) where edge.need == .input && phases[edge.node] == .ended {
      let outcome = endings[edge.node].outcome
      guard outcome != .ok else { continue }
      let reason = failures[edge.node].map { ": \($0.message)" } ?? ""
      said.append("'\(plan.nodes[edge.node].name)' \(outcome.name)\(reason)")
    }
    let wanted: String
    if case .atLeast(let count)? = plan.wait(of: node) {
      wanted = "fewer than \(count) of its inputs can succeed"
    } else {
      wanted = "none of its inputs succeeded"
    }
    return Failure(.barrier, said.isEmpty ? wanted : "\(wanted): \(said.joined(separator: "; "))")
  }

  /// Nothing more starts; what is in flight is stopped, and its answers are late.
  func cancelAll() {
    for node in plan.nodeIDs where phases[node] != .ended {
      let abortable = abortables[node]
      end(node, .cancelled)
      abortable?.abort()
    }
  }
}
