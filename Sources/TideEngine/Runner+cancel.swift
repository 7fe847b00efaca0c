import TideBarrier
import TideGraph

/// Stopping: of a node, of a join's losers, of the run.
extension Runner {
  /// No ordinary node starts any more; what is in flight is stopped, and its answers are late. Cleanup goes on.
  func cancelOrdinary() {
    cancelAll(plan.nodeIDs.filter { plan.nodes[$0].options?.isAlways != true })
  }

  func cancelAll(_ doomed: some Sequence<NodeID>) {
    for node in doomed { cancel(node) }
  }

  func cancel(_ node: NodeID) {
    guard nodes[node].phase != .ended else { return }
    // What the run was given is there, however early it is cancelled: cleanup may use it.
    if !guests.contains(node), plan.nodes[node].verb.isGiven, plan.nodes[node].options?.when == nil {
      return end(node, .ok)
    }
    let work = nodes[node].work
    end(node, .cancelled)
    work?.abort()
  }

  /// Every ordinary node has ended: the cleanup may start.
  func startCleanup() {
    // An input of a fallback waits for its turn as well.
    for node in plan.alwaysNodes where !fallbacks.waiting.contains(node) {
      carryOut(nodes[node].release(plan.wait(of: node)), of: node)
    }
  }

  /// A join is decided: what it still waited for is stopped, with all that only led there.
  func stopRest(of join: NodeID) {
    var losers = Array(plan.dependencies(of: join).filter { $0.need == .input }.map(\.node).reversed())
    while let loser = losers.popLast() {
      guard nodes[loser].phase != .ended, !isWanted(loser, beside: join) else { continue }
      cancel(loser)
      losers += plan.dependencies(of: loser).filter { $0.need == .success || $0.need == .input }.map(\.node)
    }
  }

  /// Whether the result, or another node that has not ended, uses what this one gives.
  private func isWanted(_ node: NodeID, beside join: NodeID) -> Bool {
    if nodesOfResult.contains(node) { return true }
    return plan.dependents(of: node).contains { edge in
      edge.need != .end && edge.node != join && nodes[edge.node].phase != .ended
    }
  }
}

extension Failure {
  /// Of an attempt that somebody did not want any more.
  static let stopped = Failure(.cancelled, "stopped before it had ended")
}
