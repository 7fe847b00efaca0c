extension Plan {
  /// Nodes whose end or value depends on which answer comes first: those below a join that opens
  /// at N, below a time limit, or in a queue that may trip; those that a join may stop (`cancel_rest`), or a fallback that
  /// ends before it has tried them; and all that wait for one of these.
  public var racingNodes: Set<NodeID> {
    var racing = Set(nodeIDs.filter { races($0) })
    for join in nodeIDs where cancelsRest(join) { racing.formUnion(possibleLosers(of: join)) }
    var turns: [NodeID: [NodeID]] = [:]
    let endsEarly = Set(fallbacks.flatMap { inputsInTurn(of: $0).dropFirst() })
    for fallback in fallbacks {
      let inputs = inputsInTurn(of: fallback)
      for (before, input) in zip(inputs, inputs.dropFirst()) { turns[before, default: []].append(input) }
      // What ends the fallback itself may come before or after the failure that an input's turn waits for.
      if endsEarly.contains(fallback) || dependencies(of: fallback).contains(where: { $0.need == .success }) {
        racing.formUnion(inputs.dropFirst())
      }
    }
    var pending = Array(racing)
    while let node = pending.popLast() {
      for next in dependents(of: node).map(\.node) + (turns[node] ?? []) where racing.insert(next).inserted {
        pending.append(next)
      }
    }
    return racing
  }

  private func races(_ node: NodeID) -> Bool {
    let options = nodes[node].options
    if options?.timeout != nil || options?.deadline != nil { return true }
    if case .atLeast? = wait(of: node) { return true }
    guard let queue = options?.queue else { return false }
    return queues[Int(queue.index)].trip != nil
  }

  /// What a join may stop when it is decided: its inputs, and what only leads there. The result's own nodes are spared.
  private func possibleLosers(of join: NodeID) -> Set<NodeID> {
    var spared: Set<NodeID> = []
    result?.forEachNode { spared.insert($0) }
    var losers: Set<NodeID> = []
    var pending = dependencies(of: join).filter { $0.need == .input }.map(\.node)
    while let node = pending.popLast() {
      guard !nodes[node].verb.isGiven, !spared.contains(node), losers.insert(node).inserted else { continue }
      pending += dependencies(of: node).filter { $0.need == .success || $0.need == .input }.map(\.node)
    }
    return losers
  }

  private func inputsInTurn(of fallback: NodeID) -> [NodeID] {
    guard case .fallback(let spec) = nodes[fallback].verb else { return [] }
    return spec.inputs.compactMap(\.onlyNode)
  }
}
