import TideGraph

/// A binary heap of nodes: the one declared first is first.
struct DeclaredOrder {
  /// What a step fetches stands behind the step, in the order in which it asked.
  struct Rank: Comparable {
    let node: NodeID
    let number: UInt32

    static func < (a: Rank, b: Rank) -> Bool {
      a.node == b.node ? a.number < b.number : a.node < b.node
    }
  }

  private var heap: [(rank: Rank, node: NodeID)] = []

  var first: (rank: Rank, node: NodeID)? { heap.first }

  mutating func insert(_ node: NodeID, _ rank: Rank) {
    heap.append((rank, node))
    var child = heap.count - 1
    while child > 0, heap[child].rank < heap[(child - 1) / 2].rank {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func removeFirst() {
    guard let last = heap.popLast(), !heap.isEmpty else { return }
    heap[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].rank < heap[least].rank {
        least = child
      }
      guard least != parent else { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
