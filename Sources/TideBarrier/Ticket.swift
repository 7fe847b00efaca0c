import Synchronization

/// Stands for one piece of asynchronous work, which ends exactly once, whatever its callbacks do.
///
/// The first ``settle(_:)`` is delivered as the outcome, any further one as refused; a ticket whose last reference goes
/// while it is unsettled (an early return, a callback that was never called) is delivered as lost. So whoever counts
/// deliveries of `.outcome` and `.lost` gets to one for every ticket.
public final class Ticket<Outcome: Sendable>: Sendable {
  /// What the maker of the ticket knows the work by.
  public let tag: UInt64
  @usableFromInline let deliver: @Sendable (UInt64, Settlement<Outcome>) -> Void
  @usableFromInline let isSettled = Atomic<Bool>(false)

  /// `deliver` gets the tag and the settlement on the thread that settles, or drops the last reference: it should post
  /// them somewhere and be done.
  @inlinable
  public init(tag: UInt64, deliver: @escaping @Sendable (UInt64, Settlement<Outcome>) -> Void) {
    self.tag = tag
    self.deliver = deliver
  }

  @inlinable
  deinit {
    if !isSettled.load(ordering: .acquiring) { deliver(tag, .lost) }
  }

  /// Ends the work with `outcome`; false if it had ended before. From any thread.
  @inlinable
  @discardableResult
  public func settle(_ outcome: Outcome) -> Bool {
    let isFirst = !isSettled.exchange(true, ordering: .acquiringAndReleasing)
    deliver(tag, isFirst ? .outcome(outcome) : .refused(outcome))
    return isFirst
  }
}
