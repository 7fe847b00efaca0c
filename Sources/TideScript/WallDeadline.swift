import Glibc

/// A moment of real time, at which what still runs is stopped.
public struct WallDeadline: Comparable, Sendable {
  /// Of CLOCK_MONOTONIC; never 0.
  let nanoseconds: Int64

  /// - Parameter duration: from now; more than thirty years are thirty years.
  public init(after duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let limit = min(max(seconds, 0), 1_000_000_000)
    nanoseconds = WallDeadline.now + limit * 1_000_000_000 + max(attoseconds / 1_000_000_000, 0)
  }

  public var hasPassed: Bool { WallDeadline.now >= nanoseconds }

  public static func < (left: WallDeadline, right: WallDeadline) -> Bool { left.nanoseconds < right.nanoseconds }

  private static var now: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }
}
