import TideBarrier

/// A barrier of the simulated executor.
final class SimulatedBarrier: Barrier, @unchecked Sendable {
  private let lane: SimulatedLane
  private let agenda: SimulatedAgenda
  private var opened: (@Sendable () -> Void)?

  init(on lane: SimulatedLane, opened: @escaping @Sendable () -> Void) {
    self.lane = lane
    agenda = lane.agenda
    self.opened = opened
    agenda.closedBarriers += 1
  }

  deinit {
    if opened != nil { agenda.closedBarriers -= 1 }
  }

  func open() {
    guard let opened = opened.take() else { return }
    agenda.closedBarriers -= 1
    lane.open(opened)
  }
}
