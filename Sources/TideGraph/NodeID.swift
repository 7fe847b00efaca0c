/// A node's place in its plan: nodes are numbered in the order in which the script declared them, and that order is
/// the order in which everything is merged and shown.
@frozen
public struct NodeID: Hashable, Comparable, Sendable {
  public let index: UInt32

  @inlinable
  public init(_ index: Int) {
    self.index = UInt32(index)
  }

  @inlinable
  public static func < (a: NodeID, b: NodeID) -> Bool { a.index < b.index }
}

/// The first so many nodes of a plan, in declared order.
@frozen
public struct NodeIDs: RandomAccessCollection, Sendable {
  public let count: Int

  @inlinable
  public init(count: Int) {
    self.count = count
  }

  @inlinable
  public var startIndex: Int { 0 }
  @inlinable
  public var endIndex: Int { count }
  @inlinable
  public subscript(position: Int) -> NodeID { NodeID(position) }
}

extension Array {
  @inlinable
  public subscript(node: NodeID) -> Element {
    get { self[Int(node.index)] }
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
