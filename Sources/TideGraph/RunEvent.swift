import TideValue

/// Something that happened in a run.
public struct RunEvent: Sendable {
  /// Since the run's start. One stamp a batch.
  public let time: Duration
  public let kind: Kind

  public enum Kind: Sendable {
    case runStarted
    case nodeStarted(Instance)
    /// Attempts are numbered from 1.
    case attemptStarted(Instance, attempt: Int)
    case attemptEnded(Instance, attempt: Int, Failure?)
    /// An answer to an attempt that was over. It was dropped.
    case lateAnswer(Instance, attempt: Int)
    /// A node that produces items as it goes produced one (`each`, `pages`).
    case itemProduced(Instance, index: Int, Value)
    case log(Instance, String)
    case nodeEnded(Instance, Outcome, Failure?, blamed: NodeID?, tookOtherwise: Bool)
    case runEnded(RunStatus)
  }

  public init(time: Duration, kind: Kind) {
    self.time = time
    self.kind = kind
  }
}
