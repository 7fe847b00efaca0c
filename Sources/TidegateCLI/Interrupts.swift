import Tidegate

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Ctrl-C and its like: the first cancels the run, the second ends the process at once; so does the first when
/// the run is over and only its result is still being written.
final class Interrupts: Sendable {
  private struct State {
    var run: Run?
    var isNextLast = false
  }

  private let state: Locked<State>
  private let watch: SignalWatch

  /// Watches from now on; a signal that comes before there is a run cancels it as soon as there is.
  ///
  /// A signal that whoever started the process wants ignored (a shell does for what it starts with `&`) stays ignored.
  init() {
    let state = Locked(State())
    self.state = state
    watch = SignalWatch([SIGINT, SIGTERM].filter { !isIgnored($0) }) { _ in
      let (run, isLast) = state.withLock { state in
        defer { state.isNextLast = true }
        return (state.run, state.isNextLast)
      }
      if isLast { _exit(ExitCode.interrupted.rawValue) }
      // Before the run can end, and the process with it.
      Console.warning("interrupted: stopping what is in flight (once more ends at once)")
      run?.cancel()
    }
  }

  func cancel(_ run: Run) {
    let isInterrupted = state.withLock { state in
      state.run = run
      return state.isNextLast
    }
    if isInterrupted { run.cancel() }
  }

  func runIsOver() {
    state.withLock { $0.isNextLast = true }
  }
}

private func isIgnored(_ signal: Int32) -> Bool {
  var action = sigaction()
  guard sigaction(signal, nil, &action) == 0 else { return false }
  return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}
