import TideBarrier

/// What a simulated executor has before it: lanes that were woken, work that is ready, and timers.
///
/// It is apart from the executor so that lanes, barriers and timers can hold it, and the executor's end can empty it.
final class SimulatedAgenda {
  /// Work of no lane: submitted, or a timer that is due.
  private enum Work {
    case job(@Sendable () -> Void)
    case timer(DueWork)

    func isTimer(_ entry: DueWork) -> Bool {
      guard case .timer(let other) = self else { return false }
      return other === entry
    }
  }

  private(set) var now = Instant(nanoseconds: 0)
  var closedBarriers = 0
  /// Lanes with something to run, the one that has waited longest first.
  private var lanes: [SimulatedLane] = []
  private var ready = SimulatedLine<Work>()
  private var timers = DueHeap()
  private var added: UInt64 = 0
  /// Whether the executor has ended, so that nothing runs any more.
  private(set) var isOver = false
  private let choices: any Choices
  private let policy: LanePolicy

  init(choices: any Choices, policy: LanePolicy) {
    self.choices = choices
    self.policy = policy
  }

  var readyLanes: Int { lanes.count }
  var readyJobs: Int { ready.count }
  var pendingTimers: Int { timers.count }

  func submit(_ work: @escaping @Sendable () -> Void) {
    guard !isOver else { return }
    ready.append(.job(work))
  }

  func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> SimulatedTimer {
    added += 1
    let entry = DueWork(due: now.advanced(by: max(.zero, delay)), order: added, work: work)
    if isOver { entry.work = nil } else { timers.insert(entry) }
    return SimulatedTimer(entry: entry, agenda: self)
  }

  func cancel(_ entry: DueWork) {
    entry.work = nil
    if timers.remove(entry) { return }
    if let index = ready.firstIndex(where: { $0.isTimer(entry) }) { ready.remove(at: index) }
  }

  /// `lane` has its first thing to run.
  func line(up lane: SimulatedLane) {
    lanes.append(lane)
  }

  /// Whether there is something to do, now or by `limit`.
  func hasWork(until limit: Instant) -> Bool {
    if !lanes.isEmpty || !ready.isEmpty { return true }
    guard let next = timers.first else { return false }
    return next.due <= limit
  }

  /// Runs one thing that is ready; if none is, moves the time to the next timer first, but not past `limit`. False if
  /// there is nothing left to do.
  func step(until limit: Instant) -> Bool {
    collectDue()
    if lanes.isEmpty && ready.isEmpty {
      guard let next = timers.first, next.due <= limit else { return false }
      now = next.due
      collectDue()
    }
    if policy == .first, !lanes.isEmpty {
      runLane(at: 0)
    } else {
      let chosen = choose(lanes.count + ready.count)
      if chosen < lanes.count { runLane(at: chosen) } else { runReady(at: chosen - lanes.count) }
    }
    return true
  }

  /// Moves the time on, where nothing happens on the way.
  func pass(to instant: Instant) {
    now = max(now, instant)
  }

  /// Releases everything that will not run any more, and takes nothing more: what would be kept holds the agenda, as a
  /// lane does that is woken by an answer which is lost with the executor's last user.
  func clear() {
    isOver = true
    for lane in lanes { lane.clear() }
    lanes = []
    ready = SimulatedLine()
    for timer in timers.takeAll() { timer.work = nil }
  }

  private func collectDue() {
    while let first = timers.first, first.due <= now {
      timers.remove(first)
      ready.append(.timer(first))
    }
  }

  private func choose(_ count: Int) -> Int {
    guard count > 1 else { return 0 }
    let chosen = choices.choose(count)
    precondition((0..<count).contains(chosen), "\(choices) chose \(chosen) of \(count)")
    return chosen
  }

  private func runLane(at index: Int) {
    let lane = lanes.remove(at: index)
    let work = lane.takeNext()
    if lane.hasMore { lanes.append(lane) }
    if let work { Whereabouts.on(lane: lane, work) }
  }

  private func runReady(at index: Int) {
    let work: (@Sendable () -> Void)? =
      switch ready.remove(at: index) {
      case .job(let work): work
      case .timer(let entry): entry.work.take()
      }
    if let work { Whereabouts.onWorker(work) }
  }
}

/// How a simulated executor treats woken lanes and opened barriers.
public enum LanePolicy: Sendable {
  /// They run before any other work is chosen, first come, first served: the choices are exactly the orders in which
  /// work ends.
  case first
  /// They are among the choices: a lane may be slow.
  case chosen
}
