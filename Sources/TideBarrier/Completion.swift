import Dispatch

/// A result that comes once, for whoever asks: by a handler, by `await`, or by blocking a thread of one's own.
public final class Completion<Result: Sendable>: Sendable {
  private struct State {
    var result: Result?
    var handlers: [@Sendable (Result) -> Void] = []
  }

  private let state = Locked(State())

  public init() {}

  /// Gives the result, and runs the handlers, in their order, on this thread. False, and nothing happens, if there is a
  /// result already.
  @discardableResult
  public func complete(_ result: Result) -> Bool {
    let handlers: [@Sendable (Result) -> Void]? = state.withLock { state in
      guard state.result == nil else { return nil }
      state.result = result
      defer { state.handlers = [] }
      return state.handlers
    }
    guard let handlers else { return false }
    for handler in handlers { handler(result) }
    return true
  }

  /// The result, if there is one yet.
  public var result: Result? {
    state.withLock { $0.result }
  }

  /// Runs `handler` once: on the thread that completes, or here and now if there is a result already. No lock is held.
  public func notify(_ handler: @escaping @Sendable (Result) -> Void) {
    let result: Result? = state.withLock { state in
      if state.result == nil { state.handlers.append(handler) }
      return state.result
    }
    if let result { handler(result) }
  }

  /// Blocks the calling thread, and nothing else, until there is a result.
  ///
  /// Throws ``WaitRefused`` instead of waiting where that could be for ever: on the main queue, unless
  /// `allowingMainQueue` says that nothing that runs needs it, and on an executor's lanes and workers, always. A result
  /// that is there already is returned everywhere.
  public func wait(allowingMainQueue: Bool = false) throws(WaitRefused) -> Result {
    if let result { return result }
    if let refusal = Whereabouts.refusal { throw refusal }
    if !allowingMainQueue, isOnMainQueue() { throw .mainQueue }
    let arrival = DispatchSemaphore(value: 0)
    notify { _ in arrival.signal() }
    while true {
      arrival.wait()
      if let result { return result }
    }
  }

  /// Suspends the calling task until there is a result. Cancelling the task does not end the wait.
  public func value() async -> Result {
    await withCheckedContinuation { continuation in
      notify { continuation.resume(returning: $0) }
    }
  }
}
