#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Hands signals to a function on a queue, where it may do what a signal handler must not.
///
/// While it watches, the signals do nothing else, not even if they were ignored before; afterwards they do what they
/// did before. Of several watches of one signal the youngest gets it.
public final class SignalWatch: Sendable {
  private let signals: [Int32]
  private let id: UInt64

  /// `handler` gets the number of a signal, once for one or several that came at once, never two at a time.
  ///
  /// When this returns the signals are caught. A signal that can't be caught (SIGKILL, no signal at all) is left
  /// alone; so are all if the process has no file descriptor left.
  public init(_ signals: [Int32], handler: @escaping @Sendable (Int32) -> Void) {
    self.signals = signals
    id = SignalPipe.shared?.add(signals, handler) ?? 0
  }

  deinit {
    cancel()
  }

  /// Stops watching, at once. A signal that is being handled at this moment is handled to the end. As often as one
  /// likes.
  public func cancel() {
    SignalPipe.shared?.remove(id, signals)
  }
}
