import Foundation
import Testing
import TideBarrier

@Suite struct BarrierTests {
  @Test(arguments: Form.allCases)
  func `an opened barrier runs its work once, on its lane, and not inside open`(form: Form) {
    let rig = form.rig()
    let log = Log<String>()
    let box = LaneBox()
    let lane = rig.executor.lane {
      guard let lane = box.lane else { return }
      let barrier = rig.executor.barrier(on: lane) { log.append(lane.isCurrent ? "on the lane" : "elsewhere") }
      barrier.open()
      barrier.open()
      log.append("open returned")
      // Stands behind the first on the lane.
      rig.executor.barrier(on: lane) { log.append("flushed") }.open()
    }
    box.lane = lane
    lane.wake()
    rig.run { log.all.count >= 3 && log.all.last == "flushed" }
    #expect(log.all == ["open returned", "on the lane", "flushed"])
    box.lane = nil
  }

  @Test(arguments: Form.allCases)
  func `threads that open one barrier at once open it once`(form: Form) {
    let rig = form.rig()
    let opened = Tally()
    let lane = rig.executor.lane {}
    let barriers = (0..<200).map { _ in rig.executor.barrier(on: lane) { opened.add() } }
    rig.together(4) { _ in
      for barrier in barriers { barrier.open() }
    }
    let flushed = Tally()
    rig.executor.barrier(on: lane) { flushed.add() }.open()
    rig.run { flushed.value == 1 }
    #expect(opened.value == 200)
  }

  @Test(arguments: Form.allCases)
  func `a closed barrier runs nothing`(form: Form) {
    let rig = form.rig()
    let log = Log<String>()
    let lane = rig.executor.lane {}
    let closed = rig.executor.barrier(on: lane) { log.append("closed") }
    rig.executor.barrier(on: lane) { log.append("other") }.open()
    rig.run { !log.all.isEmpty }
    #expect(log.all == ["other"])
    closed.open()
    rig.run { log.all.count == 2 }
    #expect(log.all == ["other", "closed"])
  }

  @Test(arguments: Form.allCases)
  func `barriers are opened on the lane serially with its drains, in the order of opening`(form: Form) {
    let rig = form.rig()
    let (running, most, drains) = (Tally(), Tally(), Tally())
    let order = Log<Int>()
    let lane = rig.executor.lane {
      most.raise(to: running.add())
      drains.add()
      running.add(-1)
    }
    let barriers = (0..<100).map { index in
      rig.executor.barrier(on: lane) {
        most.raise(to: running.add())
        order.append(index)
        running.add(-1)
      }
    }
    for barrier in barriers.reversed() {
      lane.wake()
      barrier.open()
    }
    rig.run { order.all.count == 100 }
    #expect(order.all == (0..<100).reversed())
    #expect(most.value == 1)
    #expect(drains.value >= 1)
  }

  @Test(arguments: Form.allCases)
  func `a barrier that is dropped unopened is silent and leaves nothing`(form: Form) {
    let rig = form.rig()
    let opened = Tally()
    weak var seen: Token?
    weak var gone: (any Barrier)?
    let lane = rig.executor.lane {}
    do {
      let token = Token()
      seen = token
      let barrier = rig.executor.barrier(on: lane) {
        token.touch()
        opened.add()
      }
      gone = barrier
    }
    #expect(seen == nil)
    #expect(gone == nil)
    let flushed = Tally()
    rig.executor.barrier(on: lane) { flushed.add() }.open()
    rig.run { flushed.value == 1 }
    #expect(opened.value == 0)
  }

  @Test(arguments: Form.allCases)
  func `a barrier that is opened and dropped runs its work, then leaves nothing`(form: Form) {
    let rig = form.rig()
    let opened = Tally()
    weak var seen: Token?
    let lane = rig.executor.lane {}
    do {
      let token = Token()
      seen = token
      rig.executor.barrier(on: lane) {
        token.touch()
        opened.add()
      }.open()
    }
    rig.run { seen == nil }
    #expect(seen == nil)
    #expect(opened.value == 1)
  }

  @Test func `dropped barriers leave no groups behind`() async {
    await #expect(processExitsWith: .success) {
      func residentMegabytes() -> Int {
        let fields = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return (fields.flatMap { Int($0[1]) } ?? 0) * 4096 / 1_048_576
      }
      let executor = DispatchExecutor()
      let lane = executor.lane {}
      func drop(_ count: Int) {
        for _ in 0..<count { _ = executor.barrier(on: lane) {} }
      }
      drop(10_000)
      let before = residentMegabytes()
      drop(300_000)
      exit(before > 0 && residentMegabytes() - before < 10 ? 0 : 1)
    }
  }

  @Test func `a bare group that is left twice crashes, a barrier that is opened twice does not`() async {
    await #expect(processExitsWith: .failure) {
      let group = DispatchGroup()
      group.enter()
      group.leave()
      group.leave()
    }
    await #expect(processExitsWith: .success) {
      let executor = DispatchExecutor()
      let opened = Tally()
      let barrier = executor.barrier(on: executor.lane {}) { opened.add() }
      for _ in 0..<10 { barrier.open() }
      waitUntil { opened.value == 1 }
      exit(opened.value == 1 ? 0 : 1)
    }
  }
}
