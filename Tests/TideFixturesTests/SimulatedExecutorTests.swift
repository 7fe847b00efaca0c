import Testing
import TideBarrier

@testable import TideFixtures

@Suite struct SimulatedExecutorTests {
  @Test func `time stands still while work is ready, then jumps to the next timer`() throws {
    let executor = SimulatedExecutor(choices: ScriptedChoices())
    let log = Notes()
    executor.after(.seconds(3600)) { log.write("hour at \(executor.now.nanoseconds)") }
    executor.after(.seconds(1)) {
      log.write("second at \(executor.now.nanoseconds)")
      executor.submit { log.write("job at \(executor.now.nanoseconds)") }
    }
    executor.submit { log.write("first at \(executor.now.nanoseconds)") }
    #expect(executor.readyJobs == 1 && executor.pendingTimers == 2 && !executor.isIdle)
    #expect(try executor.runUntilIdle() == 4)
    #expect(
      log.lines == [
        "first at 0", "second at 1000000000", "job at 1000000000", "hour at 3600000000000",
      ])
    #expect(executor.isIdle)
    #expect(try executor.runUntilIdle() == 0)
  }

  @Test func `one seed gives one order, and another another`() throws {
    func order(_ seed: UInt64) throws -> [String] {
      let executor = SimulatedExecutor(choices: SeededChoices(seed: seed))
      let log = Notes()
      for number in 0..<20 { executor.submit { log.write("\(number)") } }
      try executor.runUntilIdle()
      return log.lines
    }
    #expect(try order(1) == order(1))
    #expect(try order(1) != order(2))
    #expect(try Set(order(1)).count == 20)
  }

  @Test func `scripted choices pick by place, the others keep their order`() throws {
    let executor = SimulatedExecutor(choices: ScriptedChoices([2, 0, 1]))
    let log = Notes()
    for name in ["a", "b", "c", "d"] { executor.submit { log.write(name) } }
    try executor.runUntilIdle()
    #expect(log.lines == ["c", "a", "d", "b"])
  }

  @Test func `every order of four jobs is explored once`() throws {
    var orders: Set<[String]> = []
    let runs = try forEachOrder { choices in
      let executor = SimulatedExecutor(choices: choices)
      let log = Notes()
      for name in ["a", "b", "c", "d"] { executor.submit { log.write(name) } }
      try executor.runUntilIdle()
      orders.insert(log.lines)
    }
    #expect(runs == 24)
    #expect(orders.count == 24)
  }

  @Test func `timers due at one instant are chosen among, also with ready work`() throws {
    var orders: Set<[String]> = []
    let runs = try forEachOrder { choices in
      let executor = SimulatedExecutor(choices: choices)
      let log = Notes()
      executor.after(.seconds(2)) { log.write("later") }
      executor.after(.seconds(1)) {
        log.write("a")
        executor.submit { log.write("a's job") }
      }
      executor.after(.seconds(1)) { log.write("b") }
      try executor.runUntilIdle()
      orders.insert(log.lines)
    }
    #expect(runs == 3)
    #expect(
      orders == [["a", "a's job", "b", "later"], ["a", "b", "a's job", "later"], ["b", "a", "a's job", "later"]])
  }

  @Test func `a timer that was due, but not yet chosen, can still be cancelled`() throws {
    let runs = try forEachOrder { choices in
      let executor = SimulatedExecutor(choices: choices)
      let log = Notes()
      let timers = Timers()
      for number in 0..<3 {
        timers.all.append(
          executor.after(.seconds(1)) {
            log.write("\(number)")
            for timer in timers.all { timer.cancel() }
          })
      }
      try executor.runUntilIdle()
      #expect(log.lines.count == 1)
      timers.all = []
    }
    #expect(runs == 3)
  }

  @Test func `lanes run before anything is chosen, or are among the choices`() throws {
    func orders(_ policy: LanePolicy) throws -> Set<[String]> {
      var orders: Set<[String]> = []
      try forEachOrder { choices in
        let executor = SimulatedExecutor(choices: choices, lanes: policy)
        let log = Notes()
        let lane = executor.lane { log.write("drain") }
        executor.submit { log.write("job") }
        lane.wake()
        executor.barrier(on: lane) { log.write("opened") }.open()
        #expect(executor.readyLanes == 1)
        try executor.runUntilIdle()
        orders.insert(log.lines)
      }
      return orders
    }
    #expect(try orders(.first) == [["drain", "opened", "job"]])
    #expect(
      try orders(.chosen) == [
        ["drain", "opened", "job"], ["drain", "job", "opened"], ["job", "drain", "opened"],
      ])
  }

  @Test func `workers offer each job in progress as a choice, and no other`() throws {
    var orders: Set<[String]> = []
    let runs = try forEachOrder { choices in
      let executor = SimulatedExecutor(choices: choices)
      let log = Notes()
      let workers = Workers<String>(on: executor, width: 2) { log.write($0) }
      workers.add(contentsOf: ["a", "b", "c"])
      #expect(executor.readyJobs == 2)
      try executor.runUntilIdle()
      orders.insert(log.lines)
    }
    #expect(runs == 4)
    #expect(orders == [["a", "b", "c"], ["a", "c", "b"], ["b", "a", "c"], ["b", "c", "a"]])
  }

  @Test func `a run that never becomes idle is an error`() throws {
    let executor = SimulatedExecutor()
    let box = Jobs()
    box.again = { executor.after(.seconds(1)) { box.again?() } }
    box.again?()
    #expect(throws: NeverIdle(steps: 1000, at: Instant(nanoseconds: 1_000_000_000_000))) {
      try executor.runUntilIdle(maximumSteps: 1000)
    }
    #expect(try executor.run(for: .seconds(5), maximumSteps: 5) == 5)
    box.again = nil
    #expect(try executor.runUntilIdle(maximumSteps: 1) == 1)
    #expect("\(NeverIdle(steps: 3, at: executor.now))".hasPrefix("still not idle after 3 steps"))
  }

  @Test func `running for a while ends at its end`() throws {
    let executor = SimulatedExecutor()
    let log = Notes()
    for second in 1...5 { executor.after(.seconds(second)) { log.write("\(second)") } }
    #expect(try executor.run(for: .milliseconds(2500)) == 2)
    #expect(executor.now == Instant(nanoseconds: 2_500_000_000))
    #expect(log.lines == ["1", "2"])
    #expect(executor.pendingTimers == 3)
    executor.after(.milliseconds(100)) { log.write("between") }
    #expect(executor.step())
    #expect(log.lines == ["1", "2", "between"])
    #expect(try executor.run { log.lines.count < 4 } == 1)
    #expect(try executor.runUntilIdle() == 2)
    #expect(!executor.step())
  }

  @Test func `closed barriers are counted`() throws {
    let executor = SimulatedExecutor()
    let lane = executor.lane {}
    let opened = executor.barrier(on: lane) {}
    do {
      let dropped = executor.barrier(on: lane) {}
      #expect(executor.closedBarriers == 2)
      opened.open()
      #expect(executor.closedBarriers == 1)
      _ = dropped
    }
    #expect(executor.closedBarriers == 0)
    try executor.runUntilIdle()
  }

  @Test func `the executor's end releases what has not run`() {
    final class Token: Sendable {
      func touch() {}
    }
    weak var seen: Token?
    let timer: any Timer
    do {
      let executor = SimulatedExecutor()
      let token = Token()
      seen = token
      executor.submit { token.touch() }
      timer = executor.after(.seconds(1)) { token.touch() }
      let lane = executor.lane { token.touch() }
      lane.wake()
      executor.barrier(on: lane) { token.touch() }.open()
    }
    #expect(seen == nil)
    timer.cancel()
  }

  @Test func `what is handed in after its end is released`() throws {
    weak var seen: SimulatedLane?
    do {
      var executor: SimulatedExecutor? = SimulatedExecutor()
      let lane = try #require(executor?.lane {} as? SimulatedLane)
      let barrier = executor?.barrier(on: lane) { _ = lane }
      executor = nil
      seen = lane
      // Each of these would hold the lane, which holds what would keep it.
      lane.wake()
      barrier?.open()
      lane.agenda.submit { _ = lane }
      _ = lane.agenda.after(.seconds(1)) { _ = lane }
    }
    #expect(seen == nil)
  }

  @Test func `work can't run the executor that runs it`() async {
    await #expect(processExitsWith: .failure) {
      let executor = SimulatedExecutor()
      executor.submit { _ = try? executor.runUntilIdle() }
      try executor.runUntilIdle()
    }
  }

  @Test func `many ready jobs are no burden`() throws {
    let executor = SimulatedExecutor(choices: SeededChoices(seed: 3))
    let log = Notes()
    for _ in 0..<30_000 { executor.submit { log.count += 1 } }
    #expect(try executor.runUntilIdle() == 30_000)
    #expect(log.count == 30_000)
  }
}

/// What happened, in order; everything here is on one thread.
private final class Notes: @unchecked Sendable {
  var lines: [String] = []
  var count = 0

  func write(_ line: String) { lines.append(line) }
}

private final class Timers: @unchecked Sendable {
  var all: [any Timer] = []
}

private final class Jobs: @unchecked Sendable {
  var again: (() -> Void)?
}
