/// A moment on an executor's monotonic clock, counted from the executor's start.
///
/// Instants of two executors have nothing to do with each other. The arithmetic saturates: no delay, however absurd,
/// traps or wraps into the past.
public struct Instant: InstantProtocol, Sendable {
  /// Nanoseconds since the executor's start.
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// This instant moved by a duration, at most to the ends of what an `Instant` can hold.
  public func advanced(by duration: Duration) -> Instant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.saturatedNanoseconds)
    guard overflow else { return Instant(nanoseconds: sum) }
    return Instant(nanoseconds: nanoseconds < 0 ? .min : .max)
  }

  /// How long it takes from here to `other`; negative if `other` is earlier. Exact.
  public func duration(to other: Instant) -> Duration {
    .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
  }

  public static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}

extension Duration {
  /// Whole nanoseconds (a fraction is cut off), at most what an `Int64` can hold.
  package var saturatedNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, tooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflow) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    guard tooLong || overflow else { return sum }
    return seconds < 0 ? .min : .max
  }
}
