/// How a node ended. It ends exactly once.
@frozen
public enum Outcome: UInt8, Sendable, Hashable {
  case ok
  case failed
  /// Its own `when` said no, or it uses the value of one that was skipped.
  case skipped
  /// Something it needs failed.
  case blocked
  case cancelled

  public var name: String {
    switch self {
    case .ok: "ok"
    case .failed: "failed"
    case .skipped: "skipped"
    case .blocked: "blocked"
    case .cancelled: "cancelled"
    }
  }

  /// A blocked node counts as failed everywhere.
  @inlinable
  public var isFailure: Bool { self == .failed || self == .blocked }
}

/// How a whole run ended.
public enum RunStatus: String, Sendable {
  case ok
  /// Handled failures left a gap in the result.
  case partial
  case failed
  case cancelled
}
