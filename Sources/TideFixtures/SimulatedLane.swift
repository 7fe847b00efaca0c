import TideBarrier

/// A lane of the simulated executor.
final class SimulatedLane: Lane, @unchecked Sendable {
  private enum Item {
    case drain
    case opened(@Sendable () -> Void)
  }

  let agenda: SimulatedAgenda
  private let drain: @Sendable () -> Void
  private var items = Fifo<Item>()
  private var isWoken = false

  init(agenda: SimulatedAgenda, drain: @escaping @Sendable () -> Void) {
    self.agenda = agenda
    self.drain = drain
  }

  var isCurrent: Bool { Whereabouts.isOn(lane: self) }

  func wake() {
    guard !isWoken else { return }
    isWoken = true
    enqueue(.drain)
  }

  func open(_ opened: @escaping @Sendable () -> Void) {
    enqueue(.opened(opened))
  }

  /// Whether the lane belongs into the agenda's line.
  var hasMore: Bool { !items.isEmpty }

  /// Takes out what has waited longest, to be run on the lane.
  func takeNext() -> (@Sendable () -> Void)? {
    switch items.popFirst() {
    case .drain?:
      isWoken = false
      return drain
    case .opened(let opened)?: return opened
    case nil: return nil
    }
  }

  func clear() {
    items = Fifo()
  }

  private func enqueue(_ item: Item) {
    guard !agenda.isOver else { return }
    items.append(item)
    if items.count == 1 { agenda.line(up: self) }
  }
}
