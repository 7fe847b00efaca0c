import TideBarrier
import TideGraph

/// Where one node is in its life, in 40 bytes. What only few nodes have lies beside it, in tables of the runner.
struct NodeState {
  /// It only moves on.
  enum Phase: UInt8 {
    /// Something it waits for has not ended.
    case waiting
    /// Decided, and in line to be started.
    case ready
    /// Its `when`, its queues and its work are going on.
    case active
    case ended
  }

  /// A node waits at its barrier, then works: it holds one thing at a time.
  private enum Held {
    case nothing
    case barrier(any Barrier)
    case work(any Abortable)
  }

  private var held = Held.nothing
  private(set) var join: Join
  /// Counts the pieces of asynchronous work: an answer with an older number is late.
  private(set) var serial: UInt32 = 0
  var phase = Phase.waiting
  /// Whether a table of the runner may hold something of this node: a timer, a permit, an activity.
  var hasMore = false

  /// What is to be done with it, once its join was asked.
  enum Move {
    case stay
    case standInLine
    /// Its barrier is left, and the notification puts it in line.
    case leave(any Barrier)
  }

  init(_ join: Join) {
    self.join = join
  }

  /// What stops the work that is going on.
  var work: (any Abortable)? {
    get { if case .work(let work) = held { work } else { nil } }
    set { held = newValue.map { .work($0) } ?? .nothing }
  }

  mutating func hold(_ barrier: any Barrier) {
    held = .barrier(barrier)
  }

  /// Whether a barrier is to be held for it: it still waits, for several things, and has none.
  var wantsBarrier: Bool {
    guard phase == .waiting, join.isJoin, case .nothing = held else { return false }
    return true
  }

  /// The number of its next piece of work.
  mutating func nextSerial() -> UInt32 {
    serial &+= 1
    return serial
  }

  /// Whether this number's answer is waited for.
  func isCurrent(_ serial: UInt32) -> Bool { phase == .active && self.serial == serial }

  /// Takes the end of one thing that it waits for, and asks its join.
  mutating func take(_ need: Need, _ outcome: Outcome, _ wait: @autoclosure () -> Wait?) -> Move {
    join.take(need, outcome)
    return decide(wait())
  }

  /// What it was held for has come: asks its join.
  mutating func release(_ wait: @autoclosure () -> Wait?) -> Move {
    guard phase == .waiting else { return .stay }
    join.release()
    return decide(wait())
  }

  /// It is used again for other work of the same kind; answers to the work before are late.
  mutating func restart() {
    phase = .active
    serial &+= 1
    join = Join(dependencies: [])
    hasMore = true
  }

  /// Asks its join. A join that opens goes through its barrier, if it has one.
  mutating func decide(_ wait: @autoclosure () -> Wait?) -> Move {
    let decision = join.decide(wait())
    guard decision != .wait else { return .stay }
    phase = .ready
    if decision == .open, case .barrier(let barrier) = held { return .leave(barrier) }
    held = .nothing
    return .standInLine
  }

  /// Its barrier was left. False if it has ended meanwhile.
  mutating func passBarrier() -> Bool {
    guard phase == .ready else { return false }
    held = .nothing
    return true
  }

  /// It ends: what it held is let go, and whatever is under way is late from now on. False if it had ended before.
  mutating func end() -> Bool {
    guard phase != .ended else { return false }
    phase = .ended
    join.close()
    serial &+= 1
    held = .nothing
    return true
  }
}
