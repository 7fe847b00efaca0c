import Foundation
import Testing
import TideBarrier

@Suite struct ExecutorTests {
  @Test(arguments: Form.allCases)
  func `submitted work runs once each`(form: Form) {
    let rig = form.rig()
    let runs = Tally()
    rig.together(8) { _ in
      for _ in 0..<200 { rig.executor.submit { runs.add() } }
    }
    rig.run { runs.value == 1600 }
    #expect(runs.value == 1600)
  }

  @Test(arguments: Form.allCases)
  func `work that is asked for never runs inside the call`(form: Form) {
    let rig = form.rig()
    let executor = rig.executor
    let calling = Locked<Set<ObjectIdentifier>>([])
    let (nested, runs) = (Tally(), Tally())
    let work: @Sendable () -> Void = {
      let thread = ObjectIdentifier(Thread.current)
      if calling.withLock({ $0.contains(thread) }) { nested.add() }
      runs.add()
    }
    let lane = executor.lane(work)
    let ask: @Sendable () -> Void = {
      let thread = ObjectIdentifier(Thread.current)
      _ = calling.withLock { $0.insert(thread) }
      executor.submit(work)
      executor.after(.zero, work)
      executor.barrier(on: lane, opened: work).open()
      lane.wake()
      _ = calling.withLock { $0.remove(thread) }
    }
    ask()
    rig.run { runs.value == 4 }
    executor.submit(ask)
    rig.run { runs.value == 8 }
    executor.barrier(on: lane, opened: ask).open()
    rig.run { runs.value == 12 }
    #expect(nested.value == 0)
  }

  @Test(arguments: Form.allCases)
  func `work is released when it has run`(form: Form) {
    let rig = form.rig()
    weak var seen: Token?
    do {
      let token = Token()
      seen = token
      rig.executor.submit { token.touch() }
    }
    rig.run { seen == nil }
    #expect(seen == nil)
  }

  @Test(arguments: Form.allCases)
  func `the time never goes back`(form: Form) {
    let rig = form.rig()
    let start = rig.executor.now
    let fired = Log<Instant>()
    for delay in [3, 1, 2] { rig.executor.after(.milliseconds(delay)) { fired.append(rig.executor.now) } }
    rig.run { fired.all.count == 3 }
    #expect(fired.all == fired.all.sorted())
    #expect(fired.all.allSatisfy { $0 > start })
  }

  @Test func `every quality of service runs work`() {
    for quality in QualityOfService.allCases {
      let runs = Tally()
      let executor = DispatchExecutor(qualityOfService: quality)
      let lane = executor.lane { runs.add() }
      lane.wake()
      executor.submit { runs.add() }
      executor.after(.zero) { runs.add() }
      waitUntil { runs.value == 3 }
      #expect(runs.value == 3)
    }
  }

  @Test func `a limit of workers is kept, and all work runs`() {
    let executor = DispatchExecutor(workers: 2)
    let (running, most, done) = (Tally(), Tally(), Tally())
    onThreads(4) { _ in
      for _ in 0..<500 {
        executor.submit {
          most.raise(to: running.add())
          running.add(-1)
          done.add()
        }
      }
    }
    waitUntil { done.value == 2000 }
    #expect(done.value == 2000)
    #expect((1...2).contains(most.value))
  }

  @Test func `lanes and timers go on while every worker is busy`() {
    let executor = DispatchExecutor()
    let (drains, fired, released) = (Tally(), Tally(), Tally())
    for _ in 0..<64 {
      executor.submit { waitUntil { released.value > 0 } }
    }
    let lane = executor.lane { drains.add() }
    lane.wake()
    executor.after(.milliseconds(1)) { fired.add() }
    waitUntil { drains.value == 1 && fired.value == 1 }
    #expect(drains.value == 1 && fired.value == 1)
    released.add()
  }
}
