import Dispatch

/// The executor of real runs, on Dispatch queues of one quality of service.
///
/// Workers are the pool's threads, one a core. Lanes and timers have queues of their own that Dispatch lends a thread
/// at once (its "overcommit" queues): a lane drains and a time limit fires also while every worker is busy. Nothing
/// here calls `sync`, and no thread waits. Dropping the executor drops the timers that are pending.
public final class DispatchExecutor: Executor {
  private let start = DispatchTime.now().uptimeNanoseconds
  private let qualityOfService: DispatchQoS
  private let pool: DispatchQueue
  private let crew: Workers<@Sendable () -> Void>?
  private let timers: DispatchTimers

  /// At most `workers` pieces of submitted work run at once; as many as Dispatch sees fit (one a core) if nil.
  public init(qualityOfService: QualityOfService = .userInitiated, workers: Int? = nil) {
    self.qualityOfService = qualityOfService.dispatchClass
    let pool = DispatchQueue.global(qos: self.qualityOfService.qosClass)
    self.pool = pool
    crew = workers.map { width in
      Workers(
        width: width, burst: Self.burst, spawn: { drain in pool.async { Whereabouts.onWorker(drain) } },
        run: { work in work() })
    }
    timers = DispatchTimers(
      queue: DispatchQueue(label: "tidegate.timers", qos: self.qualityOfService), start: start)
  }

  private static var burst: Int { 64 }

  public var burst: Int { Self.burst }

  public var now: Instant { .onDispatchClock(since: start) }

  public func submit(_ work: @escaping @Sendable () -> Void) {
    if let crew { return crew.add(work) }
    pool.async { Whereabouts.onWorker(work) }
  }

  @discardableResult
  public func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Timer {
    timers.add(after: delay, work)
  }

  public func lane(_ drain: @escaping @Sendable () -> Void) -> any Lane {
    DispatchLane(queue: DispatchQueue(label: "tidegate.lane", qos: qualityOfService), drain: drain)
  }

  public func barrier(on lane: any Lane, opened: @escaping @Sendable () -> Void) -> any Barrier {
    guard let lane = lane as? DispatchLane else {
      preconditionFailure("a barrier needs a lane of its own executor's")
    }
    return DispatchBarrier(on: lane, opened: opened)
  }
}

extension Instant {
  static func onDispatchClock(since start: UInt64) -> Instant {
    Instant(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds - start))
  }
}
