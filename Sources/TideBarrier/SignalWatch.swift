import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Hands signals to a function on a queue, where it may do what a signal handler must not.
///
/// While it watches, the signals do nothing else; afterwards they do what they did before.
public final class SignalWatch: Sendable {
  private struct Watched {
    var source: any DispatchSourceSignal
    var number: Int32
    var before: sigaction
  }

  private let watched: Locked<[Watched]>

  /// `handler` gets the number of a signal, once for one or several that came at once, never two at a time.
  public init(_ signals: [Int32], handler: @escaping @Sendable (Int32) -> Void) {
    let queue = DispatchQueue(label: "tidegate.signals", qos: .userInitiated)
    watched = Locked(
      signals.map { number in
        var before = sigaction()
        var ignore = sigaction()
        ignore.__sigaction_handler.sa_handler = SIG_IGN
        sigaction(number, &ignore, &before)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler { handler(number) }
        source.activate()
        return Watched(source: source, number: number, before: before)
      })
  }

  deinit {
    cancel()
  }

  /// Stops watching. A signal that is being handled at this moment is handled to the end. As often as one likes.
  public func cancel() {
    let ended = watched.withLock { watched in
      defer { watched = [] }
      return watched
    }
    for signal in ended {
      signal.source.cancel()
      var before = signal.before
      sigaction(signal.number, &before, nil)
    }
  }
}
