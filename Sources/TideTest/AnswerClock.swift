import TideBarrier

/// The executor as those see it who answer: a simulated one that knows which timers are theirs, and may let no time pass
/// for them, so that a slow answer can be the first.
final class AnswerClock: Executor, @unchecked Sendable {
  private let executor: any Executor
  private let isHasty: Bool
  /// Their timers that are not due yet.
  private(set) var pendingTimers = 0

  /// - Parameter isHasty: whether delays are none.
  init(_ executor: any Executor, isHasty: Bool) {
    self.executor = executor
    self.isHasty = isHasty
  }

  var now: Instant { executor.now }
  var burst: Int { executor.burst }

  func submit(_ work: @escaping @Sendable () -> Void) {
    executor.submit(work)
  }

  @discardableResult
  func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Timer {
    isHasty ? timer(.zero, work) : timer(delay, work)
  }

  /// A timer that passes its time in any case.
  @discardableResult
  func timer(_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Timer {
    pendingTimers += 1
    let count = Count(self)
    let timer = executor.after(delay) {
      count.end()
      work()
    }
    return CountedTimer(timer: timer, count: count)
  }

  func lane(_ drain: @escaping @Sendable () -> Void) -> any Lane { executor.lane(drain) }

  func barrier(on lane: any Lane, opened: @escaping @Sendable () -> Void) -> any Barrier {
    executor.barrier(on: lane, opened: opened)
  }

  private struct CountedTimer: Timer {
    let timer: any Timer
    let count: Count

    func cancel() {
      timer.cancel()
      count.end()
    }
  }

  /// One timer's part in the count.
  private final class Count: @unchecked Sendable {
    private weak var clock: AnswerClock?

    init(_ clock: AnswerClock) {
      self.clock = clock
    }

    func end() {
      clock?.pendingTimers -= 1
      clock = nil
    }
  }
}
