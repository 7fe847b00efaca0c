import TideBarrier

/// What a node has gone through that has time limits or several attempts.
struct Course {
  /// The number of the attempt that is going on or comes next.
  private(set) var attempt = 1
  /// The number of the first piece of work of each attempt after the first.
  private var laterAttempts: [UInt32] = []
  /// When the node as a whole has to have ended.
  var deadline: Instant?
  var deadlineTimer: (any Timer)?
  /// Tells this course from the one that was at its place before: timers that are on their way carry it.
  let serial: UInt32
  var attemptTimer: (any Timer)? {
    didSet { oldValue?.cancel() }
  }
  /// A back-off, or a sleep.
  var pause: (any Timer)? {
    didSet { oldValue?.cancel() }
  }

  init(serial: UInt32 = 0) {
    self.serial = serial
  }

  mutating func countAttempt() {
    attempt += 1
  }

  /// The attempt begins that was counted last.
  mutating func beginAttempt(with serial: UInt32) {
    laterAttempts.append(serial)
  }

  /// Which attempt a piece of work belonged to.
  func attempt(of serial: UInt32) -> Int {
    1 + (laterAttempts.lastIndex { $0 <= serial }.map { $0 + 1 } ?? 0)
  }

  mutating func cancelTimers() {
    deadlineTimer?.cancel()
    deadlineTimer = nil
    attemptTimer = nil
    pause = nil
  }
}
