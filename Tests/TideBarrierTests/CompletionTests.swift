import Foundation
import Testing
import TideBarrier

@Suite struct CompletionTests {
  @Test func `the first result stays`() {
    let completion = Completion<Int>()
    #expect(completion.result == nil)
    #expect(completion.complete(1))
    #expect(!completion.complete(2))
    #expect(completion.result == 1)
  }

  @Test func `handlers run once, in their order, before and after the result`() {
    let log = Log<String>()
    let completion = Completion<Int>()
    completion.notify { log.append("first \($0)") }
    completion.notify { result in
      log.append("second \(result)")
      completion.notify { log.append("inside \($0)") }
    }
    completion.complete(5)
    completion.complete(6)
    completion.notify { log.append("late \($0)") }
    #expect(log.all == ["first 5", "second 5", "inside 5", "late 5"])
  }

  @Test func `of threads that complete at once one wins, and all who wait see its result`() {
    let completion = Completion<Int>()
    let (wins, seen) = (Tally(), Log<Int>())
    onThreads(8) { thread in
      if thread < 4 {
        if completion.complete(thread) { wins.add() }
      } else if let result = try? completion.wait() {
        seen.append(result)
      }
    }
    #expect(wins.value == 1)
    #expect(seen.all.count == 4)
    #expect(Set(seen.all.map(Optional.some)) == [completion.result])
  }

  @Test func `awaiting suspends until there is a result`() async {
    let completion = Completion<Int>()
    async let first = completion.value()
    async let second = completion.value()
    completion.complete(9)
    #expect(await first == 9)
    #expect(await second == 9)
    #expect(await completion.value() == 9)
  }

  @Test func `more tasks than the pool has threads can await`() async {
    let completion = Completion<Int>()
    let sum = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<100 { group.addTask { await completion.value() } }
      group.addTask {
        completion.complete(1)
        return 0
      }
      return await group.reduce(0, +)
    }
    #expect(sum == 100)
  }

  @Test(arguments: Form.allCases)
  func `a lane and a worker refuse to wait, unless the result is there`(form: Form) {
    let rig = form.rig()
    let completion = Completion<Int>()
    let log = Log<String>()
    let attempt: @Sendable () -> Void = {
      do throws(WaitRefused) {
        log.append("\(try completion.wait(allowingMainQueue: true))")
      } catch {
        log.append(error == .lane ? "lane" : error == .worker ? "worker" : "main")
      }
    }
    let lane = rig.executor.lane(attempt)
    lane.wake()
    rig.run { log.all.count == 1 }
    rig.executor.barrier(on: lane, opened: attempt).open()
    rig.run { log.all.count == 2 }
    rig.executor.submit(attempt)
    rig.run { log.all.count == 3 }
    rig.executor.after(.zero, attempt)
    rig.run { log.all.count == 4 }
    completion.complete(4)
    lane.wake()
    rig.run { log.all.count == 5 }
    #expect(log.all == ["lane", "lane", "worker", "worker", "4"])
  }

  @Test func `the main queue refuses to wait, unless it is allowed`() async throws {
    let completion = Completion<Int>()
    #expect(!isOnMainQueue())
    try await MainActor.run {
      #expect(isOnMainQueue())
      #expect(throws: WaitRefused.mainQueue) { try completion.wait() }
      Thread.detachNewThread { completion.complete(3) }
      let (waited, later) = (try completion.wait(allowingMainQueue: true), try completion.wait())
      #expect(waited == 3 && later == 3)
    }
  }

  @Test func `the main thread of a plain program is on the main queue`() async {
    await #expect(processExitsWith: .success) {
      let answer = await MainActor.run { isOnMainQueue() }
      exit(answer ? 0 : 1)
    }
  }

  @Test func `a refusal says what to do instead`() {
    #expect(WaitRefused.mainQueue.description.contains("'await'"))
    #expect(WaitRefused.lane.description.contains("'notify'"))
    #expect(WaitRefused.worker.description.contains("'notify'"))
  }
}
