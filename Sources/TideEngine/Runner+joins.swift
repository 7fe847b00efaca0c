import TideBarrier
import TideGraph
import TideValue

extension Runner {
  /// A node was asked, and is put in line if it is decided. A join with a barrier goes through it: the group is left, and
  /// its notification starts the node on this lane.
  func carryOut(_ move: NodeState.Move, of node: NodeID) {
    switch move {
    case .stay: break
    case .standInLine: worklist.append(node)
    case .leave(let barrier): barrier.open()
    }
  }

  /// A barrier's notification. Runs on the lane.
  private func barrierOpened(_ node: NodeID) {
    guard nodes[node].passBarrier() else { return }
    worklist.append(node)
    advance()
  }

  /// A node is about to do asynchronous work: the joins that wait for it take their barriers before it can end.
  func holdBarriers(of node: NodeID) {
    for edge in plan.dependents(of: node) where nodes[edge.node].wantsBarrier {
      let dependent = edge.node
      let barrier = configuration.executor.barrier(on: inbox.lane) { [holder] in
        holder.runner?.barrierOpened(dependent)
      }
      nodes[dependent].hold(barrier)
    }
  }

  /// Ends a node, once: gives back what it holds, and tells those that wait for it.
  func end(_ node: NodeID, _ outcome: Outcome, value: Value? = nil, tookOtherwise: Bool = false) {
    guard nodes[node].end() else { return }
    if guests.contains(node) { return endFetch(node, outcome, value) }
    let wasBlocked = outcome == .blocked
    var (outcome, value, tookOtherwise) = (outcome, value, tookOtherwise)
    let options = plan.nodes[node].options
    if outcome.isFailure, let otherwise = options?.otherwise {
      (outcome, value, tookOtherwise) = (.ok, otherwise, true)
    }
    endings[node] = Verdict.Ending(outcome, tookOtherwise: tookOtherwise)
    if let value { values[node] = value } else if outcome != .ok { values[node] = .null }
    if secretNodes.contains(node) { events.hide(values[node], isGiven: false) }
    if nodes[node].hasMore { letGoAll(of: node, outcome) }
    remaining -= 1
    record(
      .nodeEnded(
        Instance(node), outcome, failures[node], blamed: wasBlocked ? culprit(of: node) : nil,
        tookOtherwise: tookOtherwise))
    for edge in plan.dependents(of: node) {
      let dependent = edge.node
      carryOut(nodes[dependent].take(edge.need, outcome, plan.wait(of: dependent)), of: dependent)
    }
    if !fallbacks.isEmpty { fallbackInputEnded(node, outcome) }
    if !cancellingJoins.isEmpty, cancellingJoins.contains(node) { stopRest(of: node) }
    if options?.isAlways != true {
      ordinaryRemaining -= 1
      if ordinaryRemaining == 0 { startCleanup() }
    }
  }

  /// What only few nodes have comes home; an attempt that was going on has ended.
  private func letGoAll(of node: NodeID, _ outcome: Outcome) {
    stopFetches(of: node)
    closeAttempt(of: node, outcome == .cancelled ? .stopped : failures[node])
    letGo(of: node)
  }

  func fail(_ node: NodeID, _ failure: Failure) {
    guard nodes[node].phase != .ended else { return }
    failures[node] = failure
    end(node, .failed)
  }

  /// Who is to blame, as far as it is known when the node is blocked.
  private func culprit(of node: NodeID) -> NodeID? {
    plan.blame(for: node) { other in
      if other == node { return Verdict.Ending(.blocked) }
      return nodes[other].phase == .ended ? endings[other] : Verdict.Ending(.ok)
    }
  }

  /// A join that can't open any more lists what each input said.
  func barrierFailure(_ node: NodeID) -> Failure {
    var said: [String] = []
    for edge in plan.dependencies(of: node) where edge.need == .input && nodes[edge.node].phase == .ended {
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
}
