/// A line of jobs, pulled by at most `width` drainers at once, each on a worker of the executor.
///
/// Jobs begin in the order in which they were added. A drainer comes with its first job, runs up to `executor.burst`
/// of them, then submits itself again, so that others get their turn; when there is no job left it ends. No thread
/// waits for a job. Jobs that were added run even if the `Workers` are dropped; when the last has run, nothing is
/// left.
public final class Workers<Job: Sendable>: Sendable {
  @usableFromInline
  struct Line {
    @usableFromInline var jobs = Fifo<Job>()
    @usableFromInline var drainers = 0

    @inlinable
    init() {}
  }

  /// How many jobs run at once at most; at least 1.
  public let width: Int
  @usableFromInline let burst: Int
  @usableFromInline let run: @Sendable (Job) -> Void
  @usableFromInline let spawn: @Sendable (@escaping @Sendable () -> Void) -> Void
  @usableFromInline let line = Locked(Line())

  /// `run` does a job, on a worker, beside up to `width - 1` others.
  public convenience init(on executor: any Executor, width: Int, run: @escaping @Sendable (Job) -> Void) {
    self.init(width: width, burst: executor.burst, spawn: { executor.submit($0) }, run: run)
  }

  init(
    width: Int, burst: Int, spawn: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
    run: @escaping @Sendable (Job) -> Void
  ) {
    self.width = max(1, width)
    self.burst = max(1, burst)
    self.spawn = spawn
    self.run = run
  }

  /// Adds a job to the end of the line. From any thread.
  @inlinable
  public func add(_ job: Job) {
    let hasDrainer = line.withLock { line in
      guard line.drainers == width else {
        line.drainers += 1
        return true
      }
      line.jobs.append(job)
      return false
    }
    if hasDrainer { submit(job) }
  }

  /// Adds jobs to the end of the line, together and in order. From any thread.
  @inlinable
  public func add(contentsOf jobs: [Job]) {
    let started = line.withLock { line in
      let started = min(width - line.drainers, jobs.count)
      line.drainers += started
      for job in jobs[started...] { line.jobs.append(job) }
      return started
    }
    for job in jobs[..<started] { submit(job) }
  }

  /// A drainer begins with this job, so that where an executor chooses among drainers it chooses among jobs.
  @inlinable
  func submit(_ job: Job) {
    spawn { self.drain(from: job) }
  }

  @inlinable
  func drain(from first: Job) {
    run(first)
    for _ in 1..<burst {
      guard let job = next() else { return }
      run(job)
    }
    if let job = next() { submit(job) }
  }

  /// The next job, or nil when the drainer that asks is to end.
  @inlinable
  func next() -> Job? {
    line.withLock { line in
      let job = line.jobs.popFirst()
      if job == nil { line.drainers -= 1 }
      return job
    }
  }
}
