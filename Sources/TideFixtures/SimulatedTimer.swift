import TideBarrier

/// A timer of the simulated executor.
struct SimulatedTimer: Timer, @unchecked Sendable {
  let entry: DueWork
  private(set) weak var agenda: SimulatedAgenda?

  func cancel() {
    agenda?.cancel(entry)
  }
}
