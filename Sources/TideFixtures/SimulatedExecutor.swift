import TideBarrier

/// An executor of one thread, with virtual time, that runs one thing at a time in an order that is chosen.
///
/// The same choices give the same run, to the last event; every order of completions can be explored with
/// ``forEachOrder(limit:_:)``. Work takes no virtual time: while anything is ready the time stands still, then it
/// jumps to the next timer. Timers due at one instant are chosen among, as is submitted work. All calls must come
/// from one thread at a time; nothing runs outside of the `run` methods.
public final class SimulatedExecutor: Executor, @unchecked Sendable {
  private let agenda: SimulatedAgenda
  private var isRunning = false

  public init(choices: any Choices = SeededChoices(seed: 0), lanes: LanePolicy = .first) {
    agenda = SimulatedAgenda(choices: choices, policy: lanes)
  }

  /// What has not run never will: it is released.
  deinit {
    agenda.clear()
  }

  /// The virtual time.
  public var now: Instant { agenda.now }

  /// One job at a time, so that each is a choice.
  public var burst: Int { 1 }

  public func submit(_ work: @escaping @Sendable () -> Void) {
    agenda.submit(work)
  }

  @discardableResult
  public func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Timer {
    agenda.after(delay, work)
  }

  public func lane(_ drain: @escaping @Sendable () -> Void) -> any Lane {
    SimulatedLane(agenda: agenda, drain: drain)
  }

  public func barrier(on lane: any Lane, opened: @escaping @Sendable () -> Void) -> any Barrier {
    guard let lane = lane as? SimulatedLane, lane.agenda === agenda else {
      preconditionFailure("a barrier needs a lane of its own executor's")
    }
    return SimulatedBarrier(on: lane, opened: opened)
  }
}

extension SimulatedExecutor {
  /// Lanes that were woken, or have a barrier opened on them, and have not run yet.
  public var readyLanes: Int { agenda.readyLanes }

  /// Submitted work, and timers that came due, that have not run yet.
  public var readyJobs: Int { agenda.readyJobs }

  /// Timers that are not due yet.
  public var pendingTimers: Int { agenda.pendingTimers }

  /// Barriers that are alive and have not been opened.
  public var closedBarriers: Int { agenda.closedBarriers }

  /// Whether there is nothing to do, now or later.
  public var isIdle: Bool { readyLanes + readyJobs + pendingTimers == 0 }
}

extension SimulatedExecutor {
  /// Far more steps than a run of a million nodes takes.
  public static var defaultMaximumSteps: Int { 100_000_000 }

  /// Runs until there is nothing left to do, and returns in how many steps. Throws ``NeverIdle`` after `maximumSteps`.
  @discardableResult
  public func runUntilIdle(maximumSteps: Int = defaultMaximumSteps) throws(NeverIdle) -> Int {
    try run(maximumSteps: maximumSteps) { true }
  }

  /// Runs while `condition` holds, which is asked before every step, and there is something left to do; returns in how
  /// many steps. Throws ``NeverIdle`` after `maximumSteps`.
  @discardableResult
  public func run(
    maximumSteps: Int = defaultMaximumSteps, while condition: () -> Bool
  ) throws(NeverIdle) -> Int {
    try run(until: Instant(nanoseconds: .max), maximumSteps: maximumSteps, while: condition)
  }

  /// Runs what is ready now or due within `duration`, and ends at its end, where the time stays; returns in how many
  /// steps. Throws ``NeverIdle`` after `maximumSteps`.
  @discardableResult
  public func run(
    for duration: Duration, maximumSteps: Int = defaultMaximumSteps
  ) throws(NeverIdle) -> Int {
    let end = now.advanced(by: max(.zero, duration))
    let steps = try run(until: end, maximumSteps: maximumSteps) { true }
    agenda.pass(to: end)
    return steps
  }

  /// Runs one thing, after moving the time to it if nothing is ready; false if there is nothing left to do.
  @discardableResult
  public func step() -> Bool {
    enter { agenda.step(until: Instant(nanoseconds: .max)) }
  }

  private func run(
    until limit: Instant, maximumSteps: Int, while condition: () -> Bool
  ) throws(NeverIdle) -> Int {
    refuseNesting()
    var steps = 0
    while condition(), agenda.hasWork(until: limit) {
      guard steps < maximumSteps else { throw NeverIdle(steps: steps, at: now) }
      _ = enter { agenda.step(until: limit) }
      steps += 1
    }
    return steps
  }

  private func enter(_ step: () -> Bool) -> Bool {
    refuseNesting()
    isRunning = true
    defer { isRunning = false }
    return step()
  }

  /// A run inside a run would break the lanes' promise to be serial.
  private func refuseNesting() {
    precondition(!isRunning, "work of a simulated executor can't run the executor")
  }
}

/// A simulated run went on for more steps than it was allowed.
public struct NeverIdle: Error, Equatable, CustomStringConvertible {
  public let steps: Int
  public let at: Instant

  public var description: String {
    "still not idle after \(steps) steps, at \(Duration.nanoseconds(at.nanoseconds)) of virtual time"
  }
}
