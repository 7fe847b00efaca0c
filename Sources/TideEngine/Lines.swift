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
    /// Whether somebody came, or a permit came back, since it was last served.
    var isChanged = false
  }

  /// The lines whose permits a node takes, the narrowest first, and how many of them it holds.
  private struct Permits {
    let lines: [Int]
    var held = 0
  }

  private var lines: [Line]
  private let allRequests: Int
  private let widthOfOrigin: Int
  private var origins: [String: Int] = [:]
  private var permits: [NodeID: Permits] = [:]
  /// The lines that are to be served. The one of all requests is not among them, it comes last: only then do all that
  /// could be served stand in it, and the one declared first is the first.
  private var changed: [Int] = []

  init(_ queues: [Queue], _ configuration: RunConfiguration) {
    lines = queues.map { Line(gate: Gate(width: $0.width)) }
    allRequests = lines.count
    lines.append(Line(gate: Gate(width: configuration.maximumRequests)))
    widthOfOrigin = configuration.maximumRequestsToOrigin
  }

  mutating func stand(_ node: NodeID, in queue: QueueID) {
    enter(node, [Int(queue.index)])
  }

  /// For a request without a queue of its own.
  mutating func stand(_ node: NodeID, forRequestTo origin: String) {
    let line = origins[origin] ?? lines.count
    if line == lines.count {
      lines.append(Line(gate: Gate(width: widthOfOrigin)))
      origins[origin] = line
    }
    enter(node, [line, allRequests])
  }

  private mutating func enter(_ node: NodeID, _ lines: [Int]) {
    permits[node] = Permits(lines: lines)
    stand(node, in: lines[0])
  }

  private mutating func stand(_ node: NodeID, in line: Int) {
    lines[line].waiting.insert(node)
    markChanged(line)
  }

  private mutating func markChanged(_ line: Int) {
    guard !lines[line].isChanged else { return }
    lines[line].isChanged = true
    if line != allRequests { changed.append(line) }
  }

  /// Takes the next node that has all its permits, in each line the one declared first; nil when nobody can have more.
  mutating func nextServed() -> NodeID? {
    while let line = changed.last ?? (lines[allRequests].isChanged ? allRequests : nil) {
      while let node = lines[line].waiting.first {
        guard let wants = permits[node], wants.held < wants.lines.count, wants.lines[wants.held] == line else {
          lines[line].waiting.removeFirst()
          continue
        }
        guard lines[line].gate.tryTake() else { break }
        lines[line].waiting.removeFirst()
        permits[node]?.held += 1
        if wants.held + 1 == wants.lines.count { return node }
        stand(node, in: wants.lines[wants.held + 1])
      }
      lines[line].isChanged = false
      if line != allRequests { changed.removeLast() }
    }
    return nil
  }

  /// What a node holds comes back, and its place in a line is given up.
  mutating func giveBack(of node: NodeID) {
    guard !permits.isEmpty, let permits = permits.removeValue(forKey: node) else { return }
    for line in permits.lines[..<permits.held].reversed() {
      lines[line].gate.giveBack()
      markChanged(line)
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
