import Testing
import TideBarrier

/// Lets the drain of a lane reach the lane.
final class LaneBox: Sendable {
  private let held = Locked<(any Lane)?>(nil)

  var lane: (any Lane)? {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }
}

@Suite struct LaneTests {
  @Test(arguments: Form.allCases)
  func `a lane drains serially, and no wake is lost`(form: Form) {
    let rig = form.rig()
    let (written, seen, running, most) = (Tally(), Tally(), Tally(), Tally())
    let lane = rig.executor.lane {
      most.raise(to: running.add())
      seen.raise(to: written.value)
      running.add(-1)
    }
    rig.together(8) { _ in
      for _ in 0..<1000 {
        written.add()
        lane.wake()
      }
    }
    rig.run { seen.value == 8000 }
    #expect(seen.value == 8000)
    #expect(most.value == 1)
  }

  @Test(arguments: Form.allCases)
  func `wakes during a drain cause exactly one more`(form: Form) {
    let rig = form.rig()
    let (drains, flushed) = (Tally(), Log<Int>())
    let box = LaneBox()
    let lane = rig.executor.lane {
      guard drains.add() == 1, let lane = box.lane else { return }
      for _ in 0..<100 { lane.wake() }
      // Stands behind whatever the wakes have queued.
      rig.executor.barrier(on: lane) { flushed.append(drains.value) }.open()
    }
    box.lane = lane
    lane.wake()
    rig.run { !flushed.all.isEmpty }
    #expect(flushed.all == [2])
    box.lane = nil
  }

  @Test func `wakes coalesce with one that is pending`() throws {
    let rig = Form.simulated.rig()
    let drains = Tally()
    let lane = rig.executor.lane { drains.add() }
    for _ in 0..<5 { lane.wake() }
    rig.run { drains.value == 1 }
    let other = Tally()
    rig.executor.after(.seconds(1)) { other.add() }
    rig.run { other.value == 1 }
    #expect(drains.value == 1)
  }

  @Test(arguments: Form.allCases)
  func `a lane knows whether the caller is on it`(form: Form) {
    let rig = form.rig()
    let log = Log<[Bool]>()
    let (one, two) = (LaneBox(), LaneBox())
    one.lane = rig.executor.lane { log.append([one.lane?.isCurrent == true, two.lane?.isCurrent == true]) }
    two.lane = rig.executor.lane { log.append([one.lane?.isCurrent == true, two.lane?.isCurrent == true]) }
    one.lane?.wake()
    rig.run { log.all.count == 1 }
    two.lane?.wake()
    rig.run { log.all.count == 2 }
    rig.executor.submit { log.append([one.lane?.isCurrent == true, two.lane?.isCurrent == true]) }
    rig.run { log.all.count == 3 }
    #expect(log.all == [[true, false], [false, true], [false, false]])
    #expect(one.lane?.isCurrent == false)
    one.lane = nil
    two.lane = nil
  }

  @Test(arguments: Form.allCases)
  func `a lane that is dropped after a wake still drains, then goes`(form: Form) {
    let rig = form.rig()
    let drains = Tally()
    weak var seen: Token?
    do {
      let token = Token()
      seen = token
      let lane = rig.executor.lane {
        token.touch()
        drains.add()
      }
      lane.wake()
    }
    rig.run { seen == nil }
    #expect(drains.value == 1)
    #expect(seen == nil)
  }
}
