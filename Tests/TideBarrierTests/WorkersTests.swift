import Testing
import TideBarrier

@Suite struct WorkersTests {
  @Test(arguments: Form.allCases, [1, 2, 5])
  func `every job runs once, and never more than the width at once`(form: Form, width: Int) {
    let rig = form.rig()
    let (running, most, sum) = (Tally(), Tally(), Tally())
    let done = Tally()
    let workers = Workers<Int>(on: rig.executor, width: width) { job in
      most.raise(to: running.add())
      sum.add(job)
      running.add(-1)
      done.add()
    }
    rig.together(4) { thread in
      for job in 0..<300 { workers.add(job) }
      workers.add(contentsOf: Array(300..<500))
    }
    rig.run { done.value == 2000 }
    #expect(done.value == 2000)
    #expect(sum.value == 4 * (499 * 500 / 2))
    #expect((1...width).contains(most.value))
  }

  @Test(arguments: Form.allCases)
  func `with a width of one the jobs run in the order in which they came`(form: Form) {
    let rig = form.rig()
    let log = Log<Int>()
    let workers = Workers<Int>(on: rig.executor, width: 1) { log.append($0) }
    workers.add(contentsOf: Array(0..<100))
    for job in 100..<200 { workers.add(job) }
    rig.run { log.all.count == 200 }
    #expect(log.all == Array(0..<200))
  }

  @Test(arguments: Form.allCases)
  func `a job may add jobs`(form: Form) {
    let rig = form.rig()
    let log = Log<Int>()
    let box = Locked<Workers<Int>?>(nil)
    let workers = Workers<Int>(on: rig.executor, width: 1) { job in
      log.append(job)
      if job < 300 { box.withLock { $0 }?.add(job + 1) }
    }
    box.withLock { $0 = workers }
    workers.add(0)
    rig.run { log.all.count == 301 }
    #expect(log.all == Array(0...300))
    box.withLock { $0 = nil }
  }

  @Test(arguments: Form.allCases)
  func `jobs run though their workers are dropped, then nothing is left`(form: Form) {
    let rig = form.rig()
    let done = Tally()
    weak var seen: Token?
    do {
      let token = Token()
      seen = token
      let workers = Workers<Int>(on: rig.executor, width: 2) { _ in
        token.touch()
        done.add()
      }
      workers.add(contentsOf: Array(0..<200))
      workers.add(contentsOf: [])
    }
    rig.run { seen == nil }
    #expect(done.value == 200)
    #expect(seen == nil)
  }

  @Test(arguments: [0, -3]) func `there is always at least one drainer`(width: Int) {
    let rig = Form.simulated.rig()
    let done = Tally()
    let workers = Workers<Int>(on: rig.executor, width: width) { _ in done.add() }
    workers.add(contentsOf: [1, 2])
    rig.run { done.value == 2 }
    #expect(workers.width == 1)
    #expect(done.value == 2)
  }

  @Test func `a drainer yields after its burst`() {
    let executor = DispatchExecutor(workers: 1)
    let log = Log<Int>()
    let (started, other) = (Tally(), Tally())
    let workers = Workers<Int>(on: executor, width: 1) { job in
      if job == 0 { waitUntil { started.value == 1 } }
      log.append(job)
    }
    workers.add(contentsOf: Array(0..<1000))
    executor.submit { other.add(log.all.count) }
    started.add()
    waitUntil { log.all.count == 1000 }
    waitUntil { other.value > 0 }
    #expect(other.value == executor.burst)
    #expect(log.all == Array(0..<1000))
  }
}
