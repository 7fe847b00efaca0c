import TideBarrier
import TideGraph

/// The lines in which nodes stand for permits: one a queue of the script, one for all requests, one an origin. Each has
/// its own gate, so a full one keeps nobody of the others from starting.
///
/// A node takes its permits one after the other, the narrowest first, each without waiting, and gives all of them back
/// when it ends.
struct Lines {
  private struct Line {
    let gate: Gate
    var waiting = DeclaredOrder()
  }

  /// What a node holds, and what it still wants, the next one last.
  private struct Permits {
    var held: [Int] = []
    var wanted: [Int]
  }

  private var lines: [Line]
  private let allRequests: Int
  private let widthOfOrigin: Int
  private var origins: [String: Int] = [:]
  private var permits: [NodeID: Permits] = [:]
  private var changed: Set<Int> = []

  init(_ queues: [Queue], _ configuration: RunConfiguration) {
    lines = queues.map { Line(gate: Gate(width: $0.width)) }
    allRequests = lines.count
    lines.append(Line(gate: Gate(width: configuration.maximumRequests)))
    widthOfOrigin = configuration.maximumRequestsToOrigin
  }

  /// Whether somebody may get a permit now.
  var mayGrant: Bool { !changed.isEmpty }

  /// How many permits of a queue are free.
  func available(_ queue: QueueID) -> Int { lines[Int(queue.index)].gate.available }

  mutating func stand(_ node: NodeID, in queue: QueueID) {
    enter(node, wanting: [Int(queue.index)])
  }

  /// For a request without a queue of its own.
  mutating func stand(_ node: NodeID, forRequestTo origin: String) {
    let line = origins[origin] ?? lines.count
    if line == lines.count {
      lines.append(Line(gate: Gate(width: widthOfOrigin)))
      origins[origin] = line
    }
    enter(node, wanting: [allRequests, line])
  }

  private mutating func enter(_ node: NodeID, wanting wanted: [Int]) {
    guard let first = wanted.last else { return }
    permits[node] = Permits(wanted: wanted)
    lines[first].waiting.insert(node)
    changed.insert(first)
  }

  /// Takes the next node that has all its permits, in each line the one declared first; nil when nobody can have more.
  mutating func nextServed() -> NodeID? {
    while let index = changed.min() {
      while let node = lines[index].waiting.first {
        guard let wants = permits[node]?.wanted.last, wants == index else {
          lines[index].waiting.removeFirst()
          continue
        }
        guard lines[index].gate.tryTake() else { break }
        lines[index].waiting.removeFirst()
        if took(node, index) { return node }
      }
      changed.remove(index)
    }
    return nil
  }

  /// True when it was the last that the node wanted.
  private mutating func took(_ node: NodeID, _ index: Int) -> Bool {
    permits[node]?.wanted.removeLast()
    permits[node]?.held.append(index)
    guard let next = permits[node]?.wanted.last else { return true }
    lines[next].waiting.insert(node)
    changed.insert(next)
    return false
  }

  /// What a node holds comes back, and its place in a line is given up.
  mutating func giveBack(of node: NodeID) {
    guard let permits = permits.removeValue(forKey: node) else { return }
    for index in permits.held.reversed() {
      lines[index].gate.giveBack()
      changed.insert(index)
    }
  }
}

/// A binary heap: the node declared first is first.
struct DeclaredOrder {
  private var heap: [NodeID] = []

  var first: NodeID? { heap.first }

  mutating func insert(_ node: NodeID) {
    heap.append(node)
    var child = heap.count - 1
    while child > 0, heap[child] < heap[(child - 1) / 2] {
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
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[least] {
        least = child
      }
      guard least != parent else { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
