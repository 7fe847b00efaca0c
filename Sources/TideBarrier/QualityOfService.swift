import Dispatch

/// How urgent the work of an executor is; one for all of its queues, so that none waits for a less urgent one.
public enum QualityOfService: Sendable, CaseIterable {
  /// Nobody waits for it.
  case background
  /// Somebody will look at it later.
  case utility
  /// Somebody waits for it.
  case userInitiated
  /// Somebody waits for it with a finger on the screen.
  case userInteractive

  var dispatchClass: DispatchQoS {
    switch self {
    case .background: .background
    case .utility: .utility
    case .userInitiated: .userInitiated
    case .userInteractive: .userInteractive
    }
  }
}
