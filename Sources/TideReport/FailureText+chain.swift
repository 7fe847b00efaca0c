import TideGraph

extension FailureText {
  /// `waited for: login -> users -> joined (failed) -> page (blocked)`, and what else is blocked.
  func chain(through node: NodeID, blocks: [NodeID]) -> [String] {
    let before = waitedFor(node)
    let behind = blockedChain(from: node, among: Set(blocks))
    guard before.count + behind.count > 0 else { return [] }
    var links = before.map { plan.nodes[$0].name }
    if links.count > 6 { links = links.prefix(2) + ["..."] + links.suffix(3) }
    links.append("\(plan.nodes[node].name) (failed)")
    var blocked = behind.map { "\(plan.nodes[$0].name) (blocked)" }
    if blocked.count > 6 { blocked = blocked.prefix(3) + ["..."] + blocked.suffix(2) }
    var notes = ["waited for: \((links + blocked).joined(separator: " -> "))"]
    let told = Set(behind)
    let others = blocks.filter { !told.contains($0) }.map { "'\(plan.nodes[$0].name)'" }
    if !others.isEmpty {
      let more = others.count > 8 ? ["\(others.count - 8) more"] : []
      notes.append("it also blocks \((others.prefix(8) + more).enumeration)")
    }
    return notes
  }

  /// The longest way to a node, from what waits for nothing; inputs and secrets left out. Among equals the one declared
  /// first.
  private func waitedFor(_ node: NodeID) -> [NodeID] {
    var depths: [NodeID: Int] = [:]
    var way: [NodeID] = []
    var next = deepest(below: node, &depths)
    while let node = next {
      way.append(node)
      next = deepest(below: node, &depths)
    }
    return way.reversed()
  }

  private func deepest(below node: NodeID, _ depths: inout [NodeID: Int]) -> NodeID? {
    var best: (node: NodeID, depth: Int)?
    for edge in plan.dependencies(of: node) where !plan.nodes[edge.node].verb.isGiven {
      let depth = depth(of: edge.node, &depths)
      if let found = best, found.depth > depth || found.depth == depth && found.node < edge.node { continue }
      best = (edge.node, depth)
    }
    return best?.node
  }

  /// How many nodes stand on the longest way to a node. Without recursion: a chain may be long.
  private func depth(of node: NodeID, _ depths: inout [NodeID: Int]) -> Int {
    var pending = [node]
    while let next = pending.last {
      let below = plan.dependencies(of: next).map(\.node).filter { !plan.nodes[$0].verb.isGiven }
      let open = below.filter { depths[$0] == nil }
      pending += open
      guard open.isEmpty else { continue }
      depths[next] = 1 + (below.compactMap { depths[$0] }.max() ?? 0)
      pending.removeLast()
    }
    return depths[node] ?? 1
  }

  /// From a failed node on, each the first that the one before blocks.
  private func blockedChain(from node: NodeID, among blocked: Set<NodeID>) -> [NodeID] {
    var chain: [NodeID] = []
    var last = node
    while let next = plan.dependents(of: last).map(\.node).first(where: { dependent in
      blocked.contains(dependent) && plan.blame(for: dependent, ending: record.ending) == last
    }) {
      chain.append(next)
      last = next
    }
    return chain
  }
}
