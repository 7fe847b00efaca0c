import Glibc
import Tidegate

/// Ends the process if the soak stands still. It has threads and a clock of its own.
final class Watch: Sendable {
  static let limit = Duration.seconds(60)

  private let executor = DispatchExecutor()
  private let timer = Locked<(any Timer)?>(nil)

  /// A round has ended, and the next one has its time.
  func pass(_ round: Int) {
    let next = executor.after(Self.limit) {
      print("soak: round \(round + 1) has not ended within \(Self.limit): it hangs")
      exit(1)
    }
    timer.withLock { timer in
      timer?.cancel()
      timer = next
    }
  }

  func stop() {
    timer.withLock { $0.take() }?.cancel()
  }
}
