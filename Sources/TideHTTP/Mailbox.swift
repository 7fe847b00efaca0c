import TideBarrier
import TideGraph

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the threads of the callers leave for the one that transfers, and that thread's beginning and end.
///
/// Messages are taken in batches. Whoever posts wakes the thread only if it sleeps, so a busy one costs a caller no system
/// call.
final class Mailbox: Sendable {
  enum Message: Sendable {
    case start(Transfer)
    case abort(Transfer)
  }

  private struct State {
    var messages: [Message] = []
    /// Wakes the thread; nil unless it sleeps or is about to.
    var wake: (@Sendable () -> Void)?
    var thread: pthread_t?
    /// Why messages are read no more.
    var refusal: Failure?
  }

  private let state = Locked(State())
  private let main: @Sendable (Mailbox) -> Void

  /// `main` is what the thread does: it takes messages until there are no more to come.
  init(main: @escaping @Sendable (Mailbox) -> Void) {
    self.main = main
  }

  /// Starts the thread, unless it is there. Why it can't be started is told to who posts.
  func begin() {
    state.withLock { state in
      guard state.refusal == nil, state.thread == nil else { return }
      state.thread = try? startThread()
    }
  }

  /// Leaves a message; or says why nobody will ever read it.
  func post(_ message: Message) -> Failure? {
    state.withLock { state in
      if let refusal = state.refusal { return refusal }
      if state.thread == nil {
        do throws(Failure) { state.thread = try startThread() } catch { return error }
      }
      state.messages.append(message)
      state.wake.take()?()
      return nil
    }
  }

  /// Ends the thread, and waits for it where that is possible.
  func close() {
    refuse(Failure(.cancelled, "the HTTP transport was shut down"))
    let thread = state.withLock { $0.thread.take() }
    guard let thread else { return }
    if pthread_equal(thread, pthread_self()) != 0 {
      pthread_detach(thread)
    } else {
      pthread_join(thread, nil)
    }
  }

  /// From now on messages are answered with `refusal`, or with what was said before.
  func refuse(_ refusal: Failure) {
    state.withLock { state in
      if state.refusal == nil { state.refusal = refusal }
      state.wake.take()?()
    }
  }

  // MARK: On the thread

  /// Swaps the empty `batch` for what there is. A refusal says that this is the last batch.
  func take(_ batch: inout [Message]) -> Failure? {
    state.withLock { state in
      state.wake = nil
      swap(&batch, &state.messages)
      return state.refusal
    }
  }

  /// Whether the thread may sleep, until `wake` is called. It is called at most once, and not after the next `take`.
  func sleeps(wake: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      guard state.messages.isEmpty, state.refusal == nil else { return false }
      state.wake = wake
      return true
    }
  }

  private func startThread() throws(Failure) -> pthread_t {
    var thread = pthread_t()
    let mailbox = Unmanaged.passRetained(self)
    let complaint = pthread_create(
      &thread, nil,
      { mailbox in
        guard let mailbox else { return nil }
        let own = Unmanaged<Mailbox>.fromOpaque(mailbox).takeRetainedValue()
        becomeTransferThread()
        own.main(own)
        return nil
      }, mailbox.toOpaque())
    guard complaint == 0 else {
      mailbox.release()
      throw Failure(.memory, "the thread for HTTP can't be started: \(systemText(complaint))")
    }
    return thread
  }
}

/// Leaves the process's signals to its other threads. A broken connection is an error here, never a SIGPIPE.
private func becomeTransferThread() {
  var signals = sigset_t()
  sigfillset(&signals)
  for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
  pthread_sigmask(SIG_BLOCK, &signals, nil)
}

/// What the operating system calls an error.
func systemText(_ number: Int32) -> String {
  strerror(number).map { String(cString: $0) } ?? "error \(number)"
}
