import Synchronization

/// Stands for one piece of asynchronous work, which ends exactly once, whatever its callbacks do.
///
/// The first ``settle(_:)`` is delivered as the outcome, any further one as refused; a ticket whose last reference goes
/// while it is unsettled (an early return, a callback that was never called) is delivered as lost. So whoever counts
/// deliveries of `.outcome` and `.lost` gets to one for every ticket.
public final class Ticket<Outcome: Sendable>: Sendable {
  /// What the maker of the ticket knows the work by.
  public let tag: UInt64
  @usableFromInline let office: TicketOffice<Outcome>
  @usableFromInline let isSettled = Atomic<Bool>(false)

  /// A ticket with a delivery of its own. Whoever makes many does better with one ``TicketOffice``.
  @inlinable
  public convenience init(tag: UInt64, deliver: @escaping @Sendable (UInt64, Settlement<Outcome>) -> Void) {
    self.init(tag: tag, office: TicketOffice(deliver: deliver))
  }

  @inlinable
  init(tag: UInt64, office: TicketOffice<Outcome>) {
    self.tag = tag
    self.office = office
  }

  @inlinable
  deinit {
    if !isSettled.load(ordering: .acquiring) { office.deliver(tag, .lost) }
  }

  /// Ends the work with `outcome`; false if it had ended before. From any thread.
  @inlinable
  @discardableResult
  public func settle(_ outcome: Outcome) -> Bool {
    let isFirst = !isSettled.exchange(true, ordering: .acquiringAndReleasing)
    office.deliver(tag, isFirst ? .outcome(outcome) : .refused(outcome))
    return isFirst
  }
}

/// Where tickets come from, and what becomes of them: one delivery for many, so that a ticket is one small object.
public final class TicketOffice<Outcome: Sendable>: Sendable {
  @usableFromInline let deliver: @Sendable (UInt64, Settlement<Outcome>) -> Void

  /// `deliver` gets the tag and the settlement on the thread that settles, or drops the last reference: it should post
  /// them somewhere and be done.
  @inlinable
  public init(deliver: @escaping @Sendable (UInt64, Settlement<Outcome>) -> Void) {
    self.deliver = deliver
  }

  /// A new ticket, which keeps the office.
  @inlinable
  public func issue(_ tag: UInt64) -> Ticket<Outcome> {
    Ticket(tag: tag, office: self)
  }
}
