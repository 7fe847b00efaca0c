import TideBarrier
import TideGraph
import TideValue

/// Attempts: how they end, and when another one follows. The node keeps its permits meanwhile.
extension Runner {
  /// The attempt that is going on failed: another one follows, or the node has failed.
  func attemptFailed(_ node: NodeID, _ failure: Failure) {
    guard nodes[node].phase == .active else { return }
    guard let retry = options(of: node)?.retry else { return fail(node, failure) }
    var failure = failure
    let attempt = course(of: node).attempt
    failure.attempts = attempt
    guard attempt <= retry.times, retry.repeats(failure, of: requestOfAttempt(node)) else { return fail(node, failure) }
    do throws(Failure) {
      let wait = try pause(after: failure, retry, node)
      closeAttempt(of: node, failure)
      stopFetches(of: node)
      backOff(node, for: wait)
    } catch {
      fail(node, error)
    }
  }

  /// How long to wait before the next attempt.
  ///
  /// - Throws: the failure, if waiting so long makes no sense.
  private func pause(after failure: Failure, _ retry: Retry, _ node: NodeID) throws(Failure) -> Duration {
    let random = Double(random(node, UInt64(failure.attempts)) >> 11) * 0x1p-53
    var wait = retry.backoff(after: failure.attempts, random: random)
    if let text = failure.retryAfter, let asked = RetryAfter.delay(text, now: wallClock()) {
      guard asked <= retry.longestRetryAfter else {
        throw failure.adding(
          "its Retry-After of \(asked.readable) is beyond \(retry.longestRetryAfter.readable), the most that is waited for ('retry.retry_after')"
        )
      }
      wait = max(wait, asked)
    }
    if let deadline = course(of: node).deadline, configuration.executor.now.advanced(by: wait) >= deadline {
      throw failure.adding("another attempt, \(wait.readable) from then, would come after its deadline")
    }
    return wait
  }

  private func backOff(_ node: NodeID, for wait: Duration) {
    // An answer to the attempt that is over is late from now on.
    let serial = nodes[node].nextSerial()
    set(.backingOff, of: node)
    withCourse(of: node) { course in
      course.countAttempt()
      course.pause = configuration.executor.after(wait) { [inbox] in inbox.post(.paused(node, serial: serial)) }
    }
  }

  /// A back-off or a sleep is over.
  func pauseEnded(_ node: NodeID, _ serial: UInt32) {
    guard nodes[node].isCurrent(serial) else { return }
    switch activity(of: node) {
    case .sleeping?: end(node, .ok, value: .null)
    case .backingOff? where !lines.standAgain(node): beginAttempt(of: node)
    default: break
    }
  }

  /// Begins an attempt after the first. The node holds what it needs.
  func beginAttempt(of node: NodeID) {
    let first = nodes[node].serial &+ 1
    withCourse(of: node) { $0.beginAttempt(with: first) }
    if let spec = spec(of: node) {
      attempt(node) { () throws(Failure) in
        _ = try makeRequest(of: node, spec)
        send(node)
      }
    } else if case .step(let spec) = plan.nodes[node].verb {
      runStep(node, spec)
    }
  }

  /// Records the end of the attempt that is going on, if there is one.
  func closeAttempt(of node: NodeID, _ failure: Failure?) {
    guard activity(of: node)?.isAttempt == true else { return }
    withCourse(of: node) { $0.attemptTimer = nil }
    tellBreaker(of: node, failure)
    record(.attemptEnded(instance(of: node), attempt: course(of: node).attempt, failure))
    set(nil, of: node)
  }

  /// The request that the attempt sent, for who asks whether it may be sent once more.
  private func requestOfAttempt(_ node: NodeID) -> Request? {
    guard let spec = spec(of: node) else { return nil }
    return try? spec.request(self, timeout: nil, key: madeKey(of: node))
  }

  /// The value of `idempotency_key = true`: the same for every attempt, another one for every run.
  func madeKey(of node: NodeID) -> String {
    let digits = [random(node, .max), random(node, .max - 1)].map { String($0, radix: 16) }
    return digits.map { String(repeating: "0", count: 16 - $0.utf8.count) + $0 }.joined()
  }

  /// A number that depends on the run's seed, the node and what it is for, and on nothing that happens.
  private func random(_ node: NodeID, _ purpose: UInt64) -> UInt64 {
    let rank = rank(of: node)
    var mixed = configuration.seed
    for part in [UInt64(rank.node.index), UInt64(rank.number), purpose] { mixed = (mixed ^ part).scrambled }
    return mixed
  }
}

/// Circuit breakers of the queues that trip.
extension Runner {
  private func trip(of node: NodeID) -> (queue: QueueID, trip: Queue.Trip)? {
    guard let queue = options(of: node)?.queue, let trip = plan.queues[Int(queue.index)].trip else { return nil }
    return (queue, trip)
  }

  /// Why an attempt is not sent, if it is not.
  func breakerRefusal(of node: NodeID, _ request: Request) -> Failure? {
    guard let (queue, trip) = trip(of: node) else { return nil }
    let now = configuration.executor.now
    guard let rest = breakers.rest(in: queue, trip, to: request.origin, at: now) else { return nil }
    var failure = Failure(
      .tripped,
      "not sent: \(request.origin) failed \(trip.after) times in a row, and the queue '\(plan.queues[Int(queue.index)].name)' rests \(rest.readable) more"
    )
    failure.retryAfter = "\(Int64((rest.milliseconds / 1000).rounded(.up)))"
    return failure
  }

  private func tellBreaker(of node: NodeID, _ failure: Failure?) {
    guard let (queue, trip) = trip(of: node), failure?.kind != .tripped, let request = requestOfAttempt(node) else {
      return
    }
    breakers.note(
      failure?.breakerEnding ?? .worked, in: queue, trip, to: request.origin, at: configuration.executor.now)
  }
}

extension Failure {
  fileprivate func adding(_ why: String) -> Failure {
    var failure = self
    failure.message += "; \(why)"
    return failure
  }
}

extension UInt64 {
  /// SplitMix64's next number.
  fileprivate var scrambled: UInt64 {
    var mixed = self &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
