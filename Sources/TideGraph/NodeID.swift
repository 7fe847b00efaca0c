/// A node's place in its plan: nodes are numbered in the order in which the script declared them, and that order is
/// the order in which everything is merged and shown.
public struct NodeID: Hashable, Comparable, Sendable {
  public let index: UInt32

  public init(_ index: Int) {
    self.index = UInt32(index)
  }

  public static func < (a: NodeID, b: NodeID) -> Bool { a.index < b.index }
}

extension Array {
  public subscript(node: NodeID) -> Element {
    get { self[Int(node.index)] }
    set { self[Int(node.index)] = newValue }
    _modify { yield &self[Int(node.index)] }
  }
}

/// A queue's place in its plan.
public struct QueueID: Hashable, Sendable {
  public let index: UInt32

  public init(_ index: Int) {
    self.index = UInt32(index)
  }
}

/// A function of the script, kept by whoever loaded it (a `StepRunner` runs it).
public struct FunctionID: Hashable, Sendable {
  public let index: UInt32

  public init(_ index: Int) {
    self.index = UInt32(index)
  }
}
