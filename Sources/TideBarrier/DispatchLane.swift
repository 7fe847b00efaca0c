import Dispatch
import Synchronization

/// A lane on a serial DispatchQueue.
final class DispatchLane: Lane {
  let queue: DispatchQueue
  private let drain: @Sendable () -> Void
  private let isWoken = Atomic<Bool>(false)

  init(queue: DispatchQueue, drain: @escaping @Sendable () -> Void) {
    self.queue = queue
    self.drain = drain
  }

  var isCurrent: Bool { Whereabouts.isOn(lane: self) }

  /// Both exchanges acquire and release, so a drain sees what was written before every wake that it stands for, also
  /// before those that found it pending.
  func wake() {
    guard !isWoken.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queue.async {
      _ = self.isWoken.exchange(false, ordering: .acquiringAndReleasing)
      Whereabouts.on(lane: self, self.drain)
    }
  }
}
