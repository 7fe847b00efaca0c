extension Plan {
  /// Who is to blame that a node is blocked: the first of its needs, in declared order, that failed or is blocked itself.
  /// Nil for a node that is not blocked. Asked after the run it does not depend on what failed first.
  ///
  /// - Parameter ending: of the node, and of those that it waits for.
  public func blame(for node: NodeID, ending: (NodeID) -> Verdict.Ending) -> NodeID? {
    guard ending(node).outcome == .blocked else { return nil }
    return dependencies(of: node).filter { edge in
      (edge.need == .success || edge.need == .input) && ending(edge.node).outcome.isFailure
    }.map(\.node).min()
  }
}
