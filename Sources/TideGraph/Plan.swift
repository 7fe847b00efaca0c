import TideValue

/// All that a script declared, as arrays indexed by node. Nodes stand in declared order, and a node waits only for
/// earlier ones, so that a plan has no cycle by its making.
public struct Plan: Sendable {
  public let nodes: [Node]
  public let queues: [Queue]
  public let result: Result?
  public let sources: Sources

  /// Where each node's dependencies begin in `dependencies`; one entry more than there are nodes.
  @usableFromInline let dependencyStart: [UInt32]
  @usableFromInline let dependencies: [Edge]
  /// Where each node's dependents begin in `dependents`.
  @usableFromInline let dependentStart: [UInt32]
  @usableFromInline let dependents: [Edge]

  /// What the script returned.
  public indirect enum Result: Sendable {
    case expression(Expression)
    case list([Result])
    case table([(key: String, value: Result)])
  }

  /// One end of an edge and why it is there, in four bytes.
  @frozen
  public struct Edge: Sendable, Hashable {
    @usableFromInline let bits: UInt32

    @inlinable
    public init(_ node: NodeID, _ need: Need) {
      bits = node.index << 2 | UInt32(need.rawValue)
    }

    @inlinable
    public var node: NodeID { NodeID(Int(bits >> 2)) }
    @inlinable
    public var need: Need { Need(rawValue: UInt8(bits & 3)) ?? .end }
  }

  /// Whom a node waits for, in the order of its text.
  @inlinable
  public func dependencies(of node: NodeID) -> ArraySlice<Edge> {
    dependencies[Int(dependencyStart[node])..<Int(dependencyStart[Int(node.index) + 1])]
  }

  /// Who waits for a node, in declared order.
  @inlinable
  public func dependents(of node: NodeID) -> ArraySlice<Edge> {
    dependents[Int(dependentStart[node])..<Int(dependentStart[Int(node.index) + 1])]
  }

  /// Nodes whose whole response somebody uses: it must be kept.
  public let nodesWithResponse: Set<NodeID>

  /// In declared order.
  public let fallbacks: [NodeID]
  public let signals: [NodeID]
  /// The cleanup: nodes that start after every ordinary one has ended. In declared order.
  public let alwaysNodes: [NodeID]

  @inlinable
  public var nodeIDs: NodeIDs { NodeIDs(count: nodes.count) }

  /// The largest number of nodes of one plan: what an edge's bits can name.
  public static let maximumNodes = 1 << 30
}

extension Plan {
  /// Builds the edges of nodes that are already checked. A node may only wait for earlier ones.
  public init(nodes: [Node], queues: [Queue] = [], result: Result? = nil, sources: Sources = Sources()) {
    precondition(nodes.count <= Plan.maximumNodes)
    var dependencyStart: [UInt32] = [0]
    dependencyStart.reserveCapacity(nodes.count + 1)
    var dependencies: [Edge] = []
    dependencies.reserveCapacity(nodes.count)
    var dependentCount = [UInt32](repeating: 0, count: nodes.count + 1)
    for (index, node) in nodes.enumerated() {
      node.forEachDependency { dependency, need in
        precondition(Int(dependency.index) < index, "a node waits only for earlier ones")
        dependencies.append(Edge(dependency, need))
        dependentCount[dependency] += 1
      }
      dependencyStart.append(UInt32(dependencies.count))
    }
    var dependentStart = [UInt32](repeating: 0, count: nodes.count + 1)
    for index in nodes.indices { dependentStart[index + 1] = dependentStart[index] + dependentCount[index] }
    var next = dependentStart
    var dependents = [Edge](repeating: Edge(NodeID(0), .end), count: dependencies.count)
    for index in nodes.indices {
      for edge in dependencies[Int(dependencyStart[index])..<Int(dependencyStart[index + 1])] {
        dependents[Int(next[edge.node])] = Edge(NodeID(index), edge.need)
        next[edge.node] += 1
      }
    }
    var fallbacks: [NodeID] = []
    var signals: [NodeID] = []
    var alwaysNodes: [NodeID] = []
    for (index, node) in nodes.enumerated() {
      if case .fallback = node.verb { fallbacks.append(NodeID(index)) }
      if case .signal = node.verb { signals.append(NodeID(index)) }
      if node.options?.isAlways == true { alwaysNodes.append(NodeID(index)) }
    }
    self.fallbacks = fallbacks
    self.signals = signals
    self.alwaysNodes = alwaysNodes
    var nodesWithResponse: Set<NodeID> = []
    for node in nodes { node.forEachResponse { nodesWithResponse.insert($0) } }
    result?.forEachExpression { $0.forEachResponse { nodesWithResponse.insert($0) } }
    self.nodesWithResponse = nodesWithResponse
    self.nodes = nodes
    self.queues = queues
    self.result = result
    self.sources = sources
    self.dependencyStart = dependencyStart
    self.dependencies = dependencies
    self.dependentStart = dependentStart
    self.dependents = dependents
  }
}
