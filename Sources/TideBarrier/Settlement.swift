/// What a ``Ticket`` delivers.
public enum Settlement<Outcome: Sendable>: Sendable {
  /// The first and only outcome.
  case outcome(Outcome)
  /// The ticket was dropped, and nobody had settled it: the work was lost. It counts as an end.
  case lost
  /// An outcome that came after the first: for the record, never to be used as one.
  case refused(Outcome)
}

extension Settlement: Equatable where Outcome: Equatable {}
