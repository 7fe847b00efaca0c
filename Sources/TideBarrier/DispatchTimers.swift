import Dispatch

/// All timers of an executor, on one DispatchSource.
///
/// A source a timer would cost microseconds and hundreds of bytes, and most timers are time limits that are
/// cancelled: one goes into a heap and out of it again, and the source is set only when a timer is due before all the
/// others.
final class DispatchTimers: Sendable {
  /// What is in the heap is touched under the lock only.
  private struct State {
    /// Made with the first timer: it brings a thread of Dispatch's along.
    var source: (any DispatchSourceTimer)?
    var heap = DueHeap()
    var added: UInt64 = 0
    /// When the source fires next; nil if it is not set.
    var alarm: Instant?
  }

  private let state = Locked(State())
  private let queue: DispatchQueue
  private let start: UInt64

  init(queue: DispatchQueue, start: UInt64) {
    self.queue = queue
    self.start = start
  }

  deinit {
    let (source, works) = state.withLock { ($0.source, $0.heap.takeAll()) }
    source?.cancel()
    for work in works { work.work = nil }
  }

  func add(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> DispatchTimer {
    let due = Instant.onDispatchClock(since: start).advanced(by: max(.zero, delay))
    let entry = state.withLock { state in
      state.added += 1
      let entry = DueWork(due: due, order: state.added, work: work)
      state.heap.insert(entry)
      setAlarm(&state)
      return entry
    }
    return DispatchTimer(entry: entry, timers: self)
  }

  /// What the work holds is released after the lock is.
  func cancel(_ entry: DueWork) {
    let work = state.withLock { state in
      state.heap.remove(entry)
      return entry.work.take()
    }
    _ = consume work
  }

  private func fire() {
    state.withLock { $0.alarm = nil }
    while let work = nextDue() { work() }
    state.withLock { setAlarm(&$0) }
  }

  private func nextDue() -> (@Sendable () -> Void)? {
    let now = Instant.onDispatchClock(since: start)
    return state.withLock { state in
      guard let first = state.heap.first, first.due <= now else { return nil }
      return state.heap.popFirst()?.work.take()
    }
  }

  /// An alarm for a timer that was cancelled stays: it finds nothing to do.
  private func setAlarm(_ state: inout State) {
    guard let first = state.heap.first else { return }
    if let alarm = state.alarm, alarm <= first.due { return }
    state.alarm = first.due
    let source = state.source ?? makeSource()
    state.source = source
    source.schedule(deadline: first.due.onDispatchClock(since: start))
  }

  private func makeSource() -> any DispatchSourceTimer {
    let source = DispatchSource.makeTimerSource(queue: queue)
    source.setEventHandler { [weak self] in
      Whereabouts.onWorker { self?.fire() }
    }
    source.activate()
    return source
  }
}

extension Instant {
  /// Dispatch takes the two highest bits of a time for a kind of clock.
  fileprivate func onDispatchClock(since start: UInt64) -> DispatchTime {
    let (deadline, overflow) = start.addingReportingOverflow(UInt64(clamping: nanoseconds))
    return overflow || deadline >= 1 << 61 ? .distantFuture : DispatchTime(uptimeNanoseconds: deadline)
  }
}

/// A timer's handle.
struct DispatchTimer: Timer, @unchecked Sendable {
  fileprivate let entry: DueWork
  fileprivate weak var timers: DispatchTimers?

  func cancel() {
    timers?.cancel(entry)
  }
}
