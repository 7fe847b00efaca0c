/// Where and when work runs. The engine knows no other way to wait, to run at once, or to tell the time.
///
/// It has two forms, which pass one contract suite: ``DispatchExecutor`` for real runs, and the simulated one of
/// TideFixtures, with virtual time and a chosen order. Every method may be called from any thread of the executor's
/// (the simulated one has just one), takes no time to speak of, and never runs the work before it has returned.
public protocol Executor: AnyObject, Sendable {
  /// The time since the executor's start: monotonic, and virtual in the simulated form.
  var now: Instant { get }

  /// How many jobs a drainer of ``Workers`` runs before it yields its worker: 64 on Dispatch, where a yield costs more
  /// than a job; 1 in the simulated form, where every job is a choice.
  var burst: Int { get }

  /// Runs `work` once on a worker, beside whatever else runs.
  func submit(_ work: @escaping @Sendable () -> Void)

  /// Runs `work` once, when `delay` has passed, never earlier.
  ///
  /// Timers of one executor run one after the other, the one due first first, whatever the workers do: `work` should
  /// post a message and be done. A negative delay is none; one that can't be counted in nanoseconds is 292 years.
  /// A timer needs no one to hold it.
  @discardableResult
  func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Timer

  /// A new serial lane, which calls `drain` once for a ``Lane/wake()``.
  func lane(_ drain: @escaping @Sendable () -> Void) -> any Lane

  /// A new barrier that is closed; when it is opened, `opened` runs on `lane`, serially with the lane's drains.
  ///
  /// `lane` must be one of this executor's.
  func barrier(on lane: any Lane, opened: @escaping @Sendable () -> Void) -> any Barrier
}

/// Work that waits for its time. Dropping it changes nothing: the work runs.
public protocol Timer: Sendable {
  /// Lets the work go, if it has not begun, and releases what it holds. From any thread, as often as one likes.
  ///
  /// On Dispatch a timer that is due at this very moment may still run: what it posts must carry an attempt's number.
  func cancel()
}

/// A serial place to run: one drain at a time, each on whatever thread is free.
public protocol Lane: AnyObject, Sendable {
  /// Sees to it that a drain begins after this call. From any thread.
  ///
  /// Wakes that come while one is pending coalesce with it; one that comes during a drain causes one more. The pending
  /// drain keeps the lane alive.
  func wake()

  /// Whether the caller runs on this lane.
  var isCurrent: Bool { get }
}

/// A closed door with one way through: it is entered once when it is made, and left once, when it opens.
///
/// A barrier that is dropped unopened is left quietly: what it would have run is released and never runs.
public protocol Barrier: AnyObject, Sendable {
  /// Opens it: the work it was made with runs on its lane, soon. Opening it again does nothing. From any thread.
  func open()
}
