extension Plan {
  /// Who is to blame that a node was blocked: the first of its needs, in declared order, that failed or was blocked
  /// itself. Nil for a node that was not blocked. Asked after the run it does not depend on what failed first.
  ///
  /// - Parameter ending: of the node, and of those that it waits for.
  public func blame(for node: NodeID, ending: (NodeID) -> Verdict.Ending) -> NodeID? {
    let own = ending(node)
    // Who took its `otherwise` was blocked if a need failed; a join that settles or counts was not, it failed itself.
    guard own.outcome == .blocked || own.tookOtherwise else { return nil }
    let countsInputs = wait(of: node) ?? .all == .all
    return dependencies(of: node).filter { edge in
      (edge.need == .success || edge.need == .input && countsInputs) && ending(edge.node).outcome.isFailure
    }.map(\.node).min()
  }

  /// The failure at the root of a block: whom the one to blame is blocked by, and so on, until one that failed.
  public func rootOfBlame(for node: NodeID, ending: (NodeID) -> Verdict.Ending) -> NodeID? {
    var root: NodeID?
    // A node waits only for earlier ones, so that this ends.
    while let next = blame(for: root ?? node, ending: ending) { root = next }
    return root
  }
}
