import TideBarrier
import TideGraph

/// The circuit breakers of the queues that have one, each for one origin. After so many failures in a row nothing is sent for
/// a while; then one attempt tries, and its end decides.
struct Breakers {
  private struct Key: Hashable {
    let queue: QueueID
    let origin: String
  }

  private struct Breaker {
    var failures = 0
    var restsUntil: Instant?
    var isTrying = false
  }

  /// How an attempt went, as far as a breaker cares: a refusal by a server that works is no failure of the server.
  enum Ending { case worked, failed, stopped }

  private var breakers: [Key: Breaker] = [:]

  /// Whether an attempt may go out now; if not, how long the rest still takes.
  mutating func rest(in queue: QueueID, _ trip: Queue.Trip, to origin: String, at now: Instant) -> Duration? {
    let key = Key(queue: queue, origin: origin)
    guard var breaker = breakers[key], let until = breaker.restsUntil else { return nil }
    if now < until { return now.duration(to: until) }
    if breaker.isTrying { return trip.rest }
    breaker.isTrying = true
    breakers[key] = breaker
    return nil
  }

  /// An attempt that went out has ended.
  mutating func note(_ ending: Ending, in queue: QueueID, _ trip: Queue.Trip, to origin: String, at now: Instant) {
    let key = Key(queue: queue, origin: origin)
    var breaker = breakers[key] ?? Breaker()
    switch ending {
    case .worked: breaker = Breaker()
    case .stopped: breaker.isTrying = false
    case .failed:
      breaker.failures += 1
      // Those that were under way when it tripped neither close it nor make it rest longer.
      let isTrial = breaker.isTrying
      if breaker.restsUntil == nil ? breaker.failures >= trip.after : isTrial {
        breaker.restsUntil = now.advanced(by: trip.rest)
        breaker.isTrying = false
      }
    }
    breakers[key] = breaker
  }
}

extension Failure {
  /// What it says of the server's health.
  var breakerEnding: Breakers.Ending {
    switch kind {
    case .cancelled: .stopped
    case .dns, .connect, .tls, .timeout, .reset, .truncated, .malformed, .lost: .failed
    case .status, .expectation, .body: (status ?? 0) >= 500 ? .failed : .worked
    default: .worked
    }
  }
}
