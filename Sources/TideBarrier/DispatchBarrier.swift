import Dispatch
import Synchronization

/// A barrier on a DispatchGroup that is entered once and left once, so it can neither stay behind nor be over-left.
final class DispatchBarrier: Barrier {
  private let group = DispatchGroup()
  private let lane: DispatchLane
  private let opened: @Sendable () -> Void
  private let isLeft = Atomic<Bool>(false)

  init(on lane: DispatchLane, opened: @escaping @Sendable () -> Void) {
    self.lane = lane
    self.opened = opened
    group.enter()
  }

  deinit {
    if !isLeft.load(ordering: .acquiring) { group.leave() }
  }

  /// The group hears of the lane only now, while it is entered: a barrier that is dropped has nobody to notify.
  func open() {
    guard !isLeft.exchange(true, ordering: .acquiringAndReleasing) else { return }
    group.notify(queue: lane.queue) { Whereabouts.on(lane: self.lane, self.opened) }
    group.leave()
  }
}
