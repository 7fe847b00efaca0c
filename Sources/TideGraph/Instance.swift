/// Where in a run a node stands: the node of the plan, and for one that grew while the run went on (`each`, `pages`),
/// the items that it grew from. `details[3].one` is the template `one` at the item path `[3]`.
///
/// Instances are ordered as they are declared: by item path first, then by template.
public struct Instance: Hashable, Sendable {
  public let node: NodeID
  public let path: ItemPath

  public init(_ node: NodeID, at path: ItemPath = .root) {
    self.node = node
    self.path = path
  }
}

/// The items, from the outside in, that an instance grew from. An ordinary node stands at the root.
public indirect enum ItemPath: Hashable, Sendable {
  case root
  case item(index: UInt32, of: NodeID, in: ItemPath)

  /// 0-based indices from the outside in.
  public var indices: [UInt32] {
    switch self {
    case .root: []
    case .item(let index, _, let outer): outer.indices + [index]
    }
  }
}
