import Testing
import TideBarrier

@Suite struct TimerTests {
  /// A timer, and between which instants it was due.
  private struct Window: Sendable {
    let earliest: Instant
    let latest: Instant
  }

  @Test(arguments: Form.allCases)
  func `timers run one after the other in the order in which they are due, never early`(form: Form) {
    let rig = form.rig()
    let fired = Log<(window: Int, at: Instant)>()
    let (running, most) = (Tally(), Tally())
    let windows = [40, 5, 20, 0, 10, 15].enumerated().map { index, delay in
      let before = rig.executor.now
      rig.executor.after(.milliseconds(delay)) {
        most.raise(to: running.add())
        fired.append((index, rig.executor.now))
        running.add(-1)
      }
      return Window(
        earliest: before.advanced(by: .milliseconds(delay)),
        latest: rig.executor.now.advanced(by: .milliseconds(delay)))
    }
    rig.run { fired.all.count == windows.count }
    #expect(most.value == 1)
    #expect(fired.all.map(\.window).sorted() == Array(windows.indices))
    for firing in fired.all { #expect(firing.at >= windows[firing.window].earliest) }
    for (first, second) in zip(fired.all, fired.all.dropFirst()) {
      #expect(windows[second.window].latest >= windows[first.window].earliest)
    }
  }

  @Test(arguments: Form.allCases)
  func `a cancelled timer releases its work at once, and never runs it`(form: Form) {
    let rig = form.rig()
    let runs = Tally()
    weak var seen: Token?
    let timer: any Timer
    do {
      let token = Token()
      seen = token
      timer = rig.executor.after(.seconds(3600)) {
        token.touch()
        runs.add()
      }
    }
    #expect(seen != nil)
    timer.cancel()
    #expect(seen == nil)
    timer.cancel()
    let other = Tally()
    rig.executor.after(.milliseconds(1)) { other.add() }
    rig.run { other.value == 1 }
    #expect(runs.value == 0)
  }

  @Test(arguments: Form.allCases)
  func `a timer that another one cancels in time does not run`(form: Form) {
    let rig = form.rig()
    let log = Log<String>()
    let victim = rig.executor.after(.seconds(3600)) { log.append("victim") }
    rig.executor.after(.milliseconds(1)) {
      victim.cancel()
      log.append("cancelled")
    }
    rig.run { !log.all.isEmpty }
    #expect(log.all == ["cancelled"])
  }

  @Test(arguments: Form.allCases)
  func `cancelling after it has run does nothing`(form: Form) {
    let rig = form.rig()
    let runs = Tally()
    let timer = rig.executor.after(.zero) { runs.add() }
    rig.run { runs.value == 1 }
    timer.cancel()
    #expect(runs.value == 1)
  }

  @Test(arguments: Form.allCases)
  func `a negative delay is none, and an absurd one is only very long`(form: Form) {
    let rig = form.rig()
    let log = Log<String>()
    let absurd = [Duration.seconds(Int64.max), .nanoseconds(Int64.max), .seconds(200 * 365 * 86_400)].map { delay in
      rig.executor.after(delay) { log.append("absurd") }
    }
    rig.executor.after(.seconds(Int64.min)) { log.append("negative") }
    rig.run { !log.all.isEmpty }
    #expect(log.all == ["negative"])
    for timer in absurd { timer.cancel() }
  }

  @Test(arguments: Form.allCases)
  func `a timer that is due before the others is not late because of them`(form: Form) {
    let rig = form.rig()
    let log = Log<String>()
    let late = rig.executor.after(.seconds(3600)) { log.append("late") }
    rig.executor.after(.milliseconds(2)) { log.append("early") }
    rig.run { !log.all.isEmpty }
    #expect(log.all == ["early"])
    late.cancel()
  }

  @Test(arguments: Form.allCases)
  func `timers that threads make and cancel at once run once or not at all`(form: Form) {
    let rig = form.rig()
    let (kept, cancelled, twice) = (Tally(), Tally(), Tally())
    rig.together(4) { _ in
      for round in 0..<500 {
        let runs = Tally()
        let timer = rig.executor.after(.microseconds(round % 7)) {
          if runs.add() > 1 { twice.add() }
          if round.isMultiple(of: 2) { kept.add() } else { cancelled.add() }
        }
        if !round.isMultiple(of: 2) { timer.cancel() }
      }
    }
    rig.run { kept.value == 1000 }
    #expect(kept.value == 1000)
    #expect(cancelled.value <= 1000)
    #expect(twice.value == 0)
  }

  @Test func `the executor's end releases the timers that are pending`() {
    weak var seen: Token?
    let timer: any Timer
    do {
      let executor = DispatchExecutor()
      let token = Token()
      seen = token
      timer = executor.after(.seconds(3600)) { token.touch() }
    }
    waitUntil { seen == nil }
    #expect(seen == nil)
    timer.cancel()
  }
}
