import Dispatch
import Synchronization

/// `width` permits, on a DispatchSemaphore that is only ever asked, never waited on.
///
/// Who gets no permit goes away and comes back when one is given back. All methods may be called from any thread.
public final class Gate: Sendable {
  /// How many permits there are; a negative width is none.
  public let width: Int
  private let semaphore: DispatchSemaphore
  /// Permits that can be had. Counted down before the semaphore is, and up after it, so that whoever got past this
  /// number finds the semaphore above zero: it never has a waiter, not for a moment.
  private let free: Atomic<Int>
  /// Permits out there: what may still be given back.
  private let held = Atomic<Int>(0)

  public init(width: Int) {
    self.width = max(0, width)
    semaphore = DispatchSemaphore(value: self.width)
    free = Atomic(self.width)
  }

  /// libdispatch traps when a semaphore is freed below its first value.
  deinit {
    for _ in 0..<held.load(ordering: .acquiring) { semaphore.signal() }
  }

  /// How many permits can be had now.
  public var available: Int { free.load(ordering: .acquiring) }

  /// Takes a permit if there is one. Never waits.
  public func tryTake() -> Bool {
    guard decrement(free) else { return false }
    let taken = semaphore.wait(timeout: .immediately)
    assert(taken == .success, "the semaphore has fewer permits than its gate")
    held.add(1, ordering: .acquiringAndReleasing)
    return true
  }

  /// Gives a permit back; false, and nothing happens, if none is out.
  @discardableResult
  public func giveBack() -> Bool {
    guard decrement(held) else { return false }
    semaphore.signal()
    free.add(1, ordering: .acquiringAndReleasing)
    return true
  }

  /// Takes one off, unless there is none.
  private func decrement(_ count: borrowing Atomic<Int>) -> Bool {
    var current = count.load(ordering: .acquiring)
    while current > 0 {
      let (exchanged, original) = count.weakCompareExchange(
        expected: current, desired: current - 1, ordering: .acquiringAndReleasing)
      if exchanged { return true }
      current = original
    }
    return false
  }
}

extension DispatchTime {
  /// DISPATCH_TIME_NOW itself: unlike `now()` it reads no clock and enters no kernel.
  fileprivate static var immediately: DispatchTime { DispatchTime(uptimeNanoseconds: 0) }
}
