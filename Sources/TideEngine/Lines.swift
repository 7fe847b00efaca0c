import TideBarrier
import TideGraph

/// The lines in which nodes stand for permits: one a queue of the script (or one an origin, in a queue that is per host),
/// one for all other requests, one an origin. Each has its own gate, so a full one keeps nobody of the others from starting.
///
/// A node takes its permits one after the other, the narrowest first, each without waiting, and gives all of them back
/// when it ends. A token of a queue's rate is taken for every attempt.
struct Lines {
  private struct Line {
    /// Nil where any number may go.
    let gate: Gate?
    var bucket: TokenBucket?
    var waiting = DeclaredOrder()
    /// Nodes that hold their permit, and need a token for another attempt.
    var again = DeclaredOrder()
    /// Whether somebody came, or a permit came back, since it was last served.
    var isChanged = false
    /// Whether its next node waits for a token.
    var isDry = false
  }

  /// The lines whose permits a node takes, the narrowest first, and how many of them it holds.
  private struct Permits {
    let lines: [Int]
    let rank: DeclaredOrder.Rank
    var held = 0
    var standsAgain = false
  }

  private struct HostLine: Hashable {
    let queue: QueueID
    let origin: String
  }

  private var lines: [Line]
  private let queues: [Queue]
  private let allRequests: Int
  private let widthOfOrigin: Int
  private var origins: [String: Int] = [:]
  private var hosts: [HostLine: Int] = [:]
  private var permits: [NodeID: Permits] = [:]
  /// The lines that are to be served. The one of all requests is not among them, it comes last: only then do all that
  /// could be served stand in it, and the one declared first is the first.
  private var changed = Fifo<Int>()
  /// The lines whose next node waits for a token.
  private var dry: [Int] = []
  /// When the first of these tokens has grown.
  private(set) var nextToken: Instant?

  init(_ queues: [Queue], _ configuration: RunConfiguration) {
    self.queues = queues
    lines = queues.map { Lines.line(of: $0) }
    allRequests = lines.count
    lines.append(Line(gate: Gate(width: configuration.maximumRequests)))
    widthOfOrigin = configuration.maximumRequestsToOrigin
  }

  private static func line(of queue: Queue) -> Line {
    Line(gate: queue.width.map { Gate(width: $0) }, bucket: queue.rate.map { TokenBucket($0) })
  }

  /// Whether every permit is where it was at the start.
  var isWhole: Bool {
    permits.isEmpty && lines.allSatisfy { line in line.gate.map { $0.available == $0.width } ?? true }
  }

  /// - Parameter origin: where the node's request goes, if it sends one.
  mutating func stand(_ node: NodeID, in queue: QueueID, origin: String?, _ rank: DeclaredOrder.Rank) {
    var line = Int(queue.index)
    if queues[line].isPerHost {
      let host = HostLine(queue: queue, origin: origin ?? "")
      if let known = hosts[host] {
        line = known
      } else {
        lines.append(Lines.line(of: queues[line]))
        line = lines.count - 1
        hosts[host] = line
      }
    }
    enter(node, [line], rank)
  }

  /// For a request without a queue of its own.
  mutating func stand(_ node: NodeID, forRequestTo origin: String, _ rank: DeclaredOrder.Rank) {
    let line = origins[origin] ?? lines.count
    if line == lines.count {
      lines.append(Line(gate: Gate(width: widthOfOrigin)))
      origins[origin] = line
    }
    enter(node, [line, allRequests], rank)
  }

  /// A node that holds its permits wants to begin another attempt. False if nothing keeps it from it.
  mutating func standAgain(_ node: NodeID) -> Bool {
    guard let line = permits[node]?.lines.first, lines[line].bucket != nil, let rank = permits[node]?.rank else {
      return false
    }
    permits[node]?.standsAgain = true
    lines[line].again.insert(node, rank)
    markChanged(line)
    return true
  }

  private mutating func enter(_ node: NodeID, _ lines: [Int], _ rank: DeclaredOrder.Rank) {
    permits[node] = Permits(lines: lines, rank: rank)
    stand(node, in: lines[0], rank)
  }

  private mutating func stand(_ node: NodeID, in line: Int, _ rank: DeclaredOrder.Rank) {
    lines[line].waiting.insert(node, rank)
    markChanged(line)
  }

  private mutating func markChanged(_ line: Int) {
    guard !lines[line].isChanged else { return }
    lines[line].isChanged = true
    if line != allRequests { changed.append(line) }
  }

  /// Tokens have grown.
  mutating func tokensGrew() {
    nextToken = nil
    for line in dry {
      lines[line].isDry = false
      markChanged(line)
    }
    dry = []
  }

  /// Takes the next node that has all that it needs, in each line the one declared first; nil when nobody can have more.
  mutating func nextServed(now: () -> Instant) -> NodeID? {
    while let line = changed.first ?? (lines[allRequests].isChanged ? allRequests : nil) {
      while let (node, isAgain) = first(in: line) {
        guard takeToken(in: line, now) else { break }
        if isAgain {
          lines[line].again.removeFirst()
          permits[node]?.standsAgain = false
          return node
        }
        guard lines[line].gate?.tryTake() ?? true, let wants = permits[node] else { break }
        lines[line].waiting.removeFirst()
        permits[node]?.held += 1
        if wants.held + 1 == wants.lines.count { return node }
        stand(node, in: wants.lines[wants.held + 1], wants.rank)
      }
      lines[line].isChanged = false
      if line != allRequests { _ = changed.popFirst() }
    }
    return nil
  }

  /// Who is to go next in a line, if there is a permit for it. Whoever has left meanwhile is forgotten.
  private mutating func first(in line: Int) -> (node: NodeID, isAgain: Bool)? {
    while let (_, node) = lines[line].again.first, permits[node]?.standsAgain != true {
      lines[line].again.removeFirst()
    }
    while let (rank, node) = lines[line].waiting.first {
      if let wants = permits[node], wants.held < wants.lines.count, wants.lines[wants.held] == line {
        guard lines[line].gate.map({ $0.available > 0 }) ?? true else { break }
        if let again = lines[line].again.first, again.rank < rank { return (again.node, true) }
        return (node, false)
      }
      lines[line].waiting.removeFirst()
    }
    return lines[line].again.first.map { ($0.node, true) }
  }

  private mutating func takeToken(in line: Int, _ now: () -> Instant) -> Bool {
    guard lines[line].bucket != nil else { return true }
    let now = now()
    guard let due = lines[line].bucket?.due(at: now) else {
      _ = lines[line].bucket?.take(at: now)
      return true
    }
    if !lines[line].isDry {
      lines[line].isDry = true
      dry.append(line)
    }
    nextToken = min(nextToken ?? due, due)
    return false
  }

  /// Steps that hold each other up for ever: each holds a permit that another one's guest waits for, and none of them can end
  /// before its own guest is served.
  ///
  /// - Parameter guests: what is fetched, and the step that waits for it.
  func heldUp(_ guests: [(guest: NodeID, step: NodeID)]) -> Set<NodeID> {
    var holders: [Int: [NodeID]] = [:]
    for (node, permits) in permits {
      for line in permits.lines[..<permits.held] { holders[line, default: []].append(node) }
    }
    let waits = guests.compactMap { guest, step -> (line: Int, step: NodeID)? in
      guard let wants = permits[guest], wants.held < wants.lines.count else { return nil }
      let line = wants.lines[wants.held]
      return lines[line].gate?.available == 0 ? (line, step) : nil
    }
    var heldUp = Set(waits.map(\.step))
    while true {
      let kept = Set(
        waits.filter { wait in holders[wait.line]?.allSatisfy { heldUp.contains($0) } ?? false }.map(\.step))
      let left = heldUp.intersection(kept)
      if left == heldUp { return heldUp }
      heldUp = left
    }
  }

  /// What a node holds comes back, and its place in a line is given up.
  mutating func giveBack(of node: NodeID) {
    guard !permits.isEmpty, let permits = permits.removeValue(forKey: node) else { return }
    for line in permits.lines[..<permits.held].reversed() {
      lines[line].gate?.giveBack()
      markChanged(line)
    }
  }
}
