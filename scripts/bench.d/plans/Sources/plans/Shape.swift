import TideGraph

/// How the no-op nodes of a plan hang together.
enum Shape: String, CaseIterable {
  /// All but one wait for nothing; the last joins them all.
  case wide
  /// Each waits for the one before.
  case chain
  /// A thousand a layer; each joins two of the layer before.
  case layered

  static let layer = 1000

  /// - Parameter isAsynchronous: Whether nodes are steps, whose ends come back through the run's inbox, so that the joins
  ///   that wait for them take barriers; in layers every other layer. If not, all nodes end where they start.
  func plan(count: Int, isAsynchronous: Bool) -> Plan {
    // A barrier without inputs and a step without arguments: what they cost is the engine's own work.
    let barrier = Verb.barrier(BarrierSpec(inputs: []))
    let step = Verb.step(StepSpec(function: FunctionID(0), arguments: []))
    var nodes: [Node] = []
    nodes.reserveCapacity(count)
    for index in 0..<count {
      let needs = needs(of: index, count)
      let isStep = isAsynchronous && (self != .layered || index / Self.layer % 2 == 0)
      nodes.append(
        Node(
          name: "n\(index)", verb: isStep ? step : barrier, options: needs.isEmpty ? nil : NodeOptions(needs: needs)))
    }
    return Plan(nodes: nodes)
  }

  private func needs(of index: Int, _ count: Int) -> [NodeID] {
    switch self {
    case .wide: return index == count - 1 ? (0..<index).map { NodeID($0) } : []
    case .chain: return index == 0 ? [] : [NodeID(index - 1)]
    case .layered:
      guard index >= Self.layer else { return [] }
      let above = index / Self.layer * Self.layer - Self.layer
      return [0, 1].map { NodeID(above + (index + $0) % Self.layer) }
    }
  }
}
