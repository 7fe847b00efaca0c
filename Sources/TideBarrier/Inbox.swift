/// Messages from any thread, handled in batches on one lane, in the order of their posting.
///
/// The first message since the last batch wakes the lane; those that follow only join it. So a message costs a lock and
/// an append, and the receiver needs no lock of its own.
public final class Inbox<Message: Sendable>: Sendable {
  /// The lane on which messages are received. Barriers may be made on it; waking it does no harm.
  public let lane: any Lane
  @usableFromInline let pending: Locked<[Message]>

  /// `receive` gets the messages on the lane, never none, and never two batches at once. It is kept as long as the inbox
  /// or an undelivered message is: it should hold its owner weakly, if the owner holds the inbox.
  public init(on executor: any Executor, receive: @escaping @Sendable ([Message]) -> Void) {
    let pending = Locked<[Message]>([])
    let mail = Mail(pending: pending, receive: receive)
    self.pending = pending
    lane = executor.lane { mail.deliver() }
  }

  /// Leaves a message. A message is received even if the inbox is dropped right after.
  @inlinable
  public func post(_ message: Message) {
    let isFirst = pending.withLock { messages in
      messages.append(message)
      return messages.count == 1
    }
    if isFirst { lane.wake() }
  }

  /// Leaves messages that stay together and in order.
  @inlinable
  public func post(contentsOf batch: some Collection<Message>) {
    guard !batch.isEmpty else { return }
    let isFirst = pending.withLock { messages in
      defer { messages.append(contentsOf: batch) }
      return messages.isEmpty
    }
    if isFirst { lane.wake() }
  }
}

/// The lane's side of an inbox: two arrays that swap places.
private final class Mail<Message: Sendable>: @unchecked Sendable {
  let pending: Locked<[Message]>
  let receive: @Sendable ([Message]) -> Void
  /// Touched on the lane only.
  var batch: [Message] = []

  /// A batch beyond this is freed rather than kept for the next one.
  static var keptCapacity: Int { 4096 }

  init(pending: Locked<[Message]>, receive: @escaping @Sendable ([Message]) -> Void) {
    self.pending = pending
    self.receive = receive
  }

  func deliver() {
    pending.withLock { swap(&$0, &batch) }
    guard !batch.isEmpty else { return }
    receive(batch)
    batch.removeAll(keepingCapacity: batch.capacity <= Self.keptCapacity)
  }
}
