/// Why ``Completion/wait(allowingMainQueue:)`` would not wait.
public enum WaitRefused: Error, Equatable, CustomStringConvertible {
  /// What is waited for may need the main queue, which would be waiting.
  case mainQueue
  /// A lane that waits, perhaps for itself.
  case lane
  /// A worker that waits is a worker less for what it waits for.
  case worker

  public var description: String {
    switch self {
    case .mainQueue:
      "waiting on the main queue can wait for ever: wait on another thread, use 'await', or allow it explicitly"
    case .lane: "waiting on a lane of the executor can wait for ever: use 'notify'"
    case .worker: "waiting on a worker of the executor can wait for ever: use 'notify'"
    }
  }
}
