import TideBarrier
import TideGraph

/// Tokens that grow one by one, and lie ready up to a number. Kept as the time at which the next one would be there if
/// none lay ready, so that nothing has to be counted while nobody asks.
struct TokenBucket {
  private let interval: Int64
  private let slack: Int64
  private var nextGrown = Int64.min

  init(_ rate: Queue.Rate) {
    let (seconds, attoseconds) = rate.interval.components
    // A hundred years at most, by the option's reader.
    interval = max(1, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    let (slack, overflow) = interval.multipliedReportingOverflow(by: Int64(rate.burst - 1))
    self.slack = overflow ? .max / 2 : slack
  }

  /// When the next token can be taken, if not now.
  func due(at now: Instant) -> Instant? {
    guard nextGrown != .min, nextGrown - slack > now.nanoseconds else { return nil }
    return Instant(nanoseconds: nextGrown - slack)
  }

  /// Takes one, if one is there.
  mutating func take(at now: Instant) -> Bool {
    guard due(at: now) == nil else { return false }
    nextGrown = max(nextGrown, now.nanoseconds) + interval
    return true
  }
}
