import TideGraph

/// One thing for every node of a run, in one piece of memory that never moves. An array in a class would be checked for
/// exclusive access at every look, which at a million nodes is a tenth of the time; here only the run lane looks, until the
/// run has ended and nobody writes any more.
final class NodeTable<Element>: @unchecked Sendable {
  private let base: UnsafeMutablePointer<Element>
  private let count: Int
  /// Places of guests, each by itself: behind those of the plan.
  private var more: [UnsafeMutablePointer<Element>] = []

  init(count: Int, _ element: (NodeID) -> Element) {
    self.count = count
    base = .allocate(capacity: max(1, count))
    for index in 0..<count { (base + index).initialize(to: element(NodeID(index))) }
  }

  deinit {
    base.deinitialize(count: count)
    base.deallocate()
    for place in more {
      place.deinitialize(count: 1)
      place.deallocate()
    }
  }

  /// The place behind the last one.
  var end: NodeID { NodeID(count + more.count) }

  func append(_ element: Element) {
    let place = UnsafeMutablePointer<Element>.allocate(capacity: 1)
    place.initialize(to: element)
    more.append(place)
  }

  subscript(node: NodeID) -> Element {
    @inline(__always) _read { yield place(of: node).pointee }
    @inline(__always) _modify { yield &place(of: node).pointee }
  }

  @inline(__always)
  private func place(of node: NodeID) -> UnsafeMutablePointer<Element> {
    let index = Int(node.index)
    return index < count ? base + index : more[index - count]
  }
}
