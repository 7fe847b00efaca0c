/// Messages from any thread, handled in batches on one lane, in the order of their posting.
///
/// The first message wakes the lane; those that follow join it for as long as it is at work, so that a receiver that posts
/// to itself needs no second wake. A message costs a lock and an append, and the receiver needs no lock of its own.
public final class Inbox<Message: Sendable>: Sendable {
  /// The lane on which messages are received. Barriers may be made on it; waking it does no harm.
  public let lane: any Lane
  @usableFromInline let pending: Locked<PendingMessages<Message>>

  /// `receive` gets the messages on the lane, never none, and never two batches at once. It is kept as long as the inbox
  /// or an undelivered message is: it should hold its owner weakly, if the owner holds the inbox.
  @inlinable
  public init(on executor: any Executor, receive: @escaping @Sendable ([Message]) -> Void) {
    let pending = Locked(PendingMessages<Message>())
    let mail = Mail(pending: pending, burst: executor.burst, receive: receive)
    self.pending = pending
    lane = executor.lane { mail.deliver() }
    mail.lane = lane
  }

  /// Leaves a message. A message is received even if the inbox is dropped right after.
  @inlinable
  public func post(_ message: Message) {
    let isFirst = pending.withLock { pending in
      pending.messages.append(message)
      return pending.wakes()
    }
    if isFirst { lane.wake() }
  }

  /// Leaves messages that stay together and in order.
  @inlinable
  public func post(contentsOf batch: some Collection<Message>) {
    guard !batch.isEmpty else { return }
    let isFirst = pending.withLock { pending in
      pending.messages.append(contentsOf: batch)
      return pending.wakes()
    }
    if isFirst { lane.wake() }
  }
}

/// Messages that were not taken yet.
@usableFromInline
struct PendingMessages<Message> {
  @usableFromInline var messages: [Message] = []
  /// Whether the lane was woken and has not yet found that there is nothing left.
  @usableFromInline var isAwake = false

  @inlinable
  init() {}

  /// Whether it is up to the caller to wake the lane.
  @inlinable
  mutating func wakes() -> Bool {
    defer { isAwake = true }
    return !isAwake
  }

  /// False, and the next message wakes the lane, if there is none.
  @inlinable
  mutating func staysAwake() -> Bool {
    isAwake = !messages.isEmpty
    return isAwake
  }
}

/// The lane's side of an inbox: two arrays that swap places. Inlinable, so that it is compiled for the messages that it
/// carries.
@usableFromInline
final class Mail<Message: Sendable>: @unchecked Sendable {
  @usableFromInline let pending: Locked<PendingMessages<Message>>
  /// So many batches in a row, then whatever else waits for the lane has its turn.
  @usableFromInline let burst: Int
  @usableFromInline let receive: @Sendable ([Message]) -> Void
  /// Touched on the lane only.
  @usableFromInline var batch: [Message] = []
  /// Set before the first message, and kept by whoever runs a drain.
  @usableFromInline weak var lane: (any Lane)?

  /// A batch beyond this is freed rather than kept for the next one.
  @inlinable
  static var keptCapacity: Int { 4096 }

  @inlinable
  init(
    pending: Locked<PendingMessages<Message>>, burst: Int, receive: @escaping @Sendable ([Message]) -> Void
  ) {
    self.pending = pending
    self.burst = burst
    self.receive = receive
  }

  @inlinable
  func deliver() {
    for _ in 0..<max(1, burst) {
      let isAwake = pending.withLock { pending in
        swap(&pending.messages, &batch)
        // What comes from now on is seen in the next turn.
        pending.isAwake = !batch.isEmpty
        return pending.isAwake
      }
      guard isAwake else { return }
      receive(batch)
      batch.removeAll(keepingCapacity: batch.capacity <= Self.keptCapacity)
    }
    if pending.withLock({ $0.staysAwake() }) { lane?.wake() }
  }
}
