import Dispatch
import Foundation
import Testing
import TideEngine
import TideGraph
import TideValue

@testable import TideBarrier

/// Threads: piled up on semaphores, waiting for themselves, taken from Swift concurrency's pool, of the wrong priority.
@Suite(.serialized) struct H06ThreadTests {
  @Test func `H06 hundreds of waiting nodes hold no thread`() async {
    // In a process of its own: other tests have threads too.
    await #expect(processExitsWith: .success) {
      var sketch = Sketch()
      let line = sketch.queue(width: 1)
      let first = sketch.step("first", [], NodeOptions(queue: line))
      for index in 0..<500 { _ = sketch.step("queued\(index)", [], NodeOptions(queue: line)) }
      for index in 0..<500 { _ = sketch.request("request\(index)", [], NodeOptions(needs: [first])) }
      for index in 0..<500 { _ = sketch.merge("merge\(index)", [first]) }
      let executor = DispatchExecutor()
      let fakes = Fakes(executor, functions: sketch.functions, acts: ["first": .hold])
      let before = threadCount()
      let run = Run.start(sketch.plan, RunConfiguration(executor: executor, transport: fakes, stepRunner: fakes))
      #expect(await eventually { fakes.isHeld("first") })
      // Long enough for Dispatch to lend a thread to a block that waits.
      try? await Task.sleep(for: .milliseconds(300))
      #expect(fakes.started == ["first"])
      #expect(threadCount() - before < 20, "1,500 nodes wait")
      fakes.settle("first", .success(json("[]")))
      #expect(await run.completion.value().failure == nil)
      #expect(fakes.started.count == 1001)
    }
  }

  @Test func `H06 bare blocks that wait for a semaphore stall the pool`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let permit = DispatchSemaphore(value: 0)
      let isDone = DispatchSemaphore(value: 0)
      for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
        DispatchQueue.global().async { permit.wait() }
      }
      DispatchQueue.global().async { isDone.signal() }
      exit(isDone.wait(timeout: .now() + .milliseconds(50)) == .timedOut ? 7 : 0)
    }
  }

  @Test func `H07 no source hands work to a queue and waits for it`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
    var read = 0
    for case let file as URL in files where ["swift", "c", "h"].contains(file.pathExtension) {
      read += 1
      let text = try String(contentsOf: file, encoding: .utf8)
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
        #expect(!code.contains(/\.\s*(sync|asyncAndWait)\b/), "\(file.lastPathComponent):\(index + 1)")
      }
    }
    #expect(read > 50)
  }

  @Test func `H07 a bare queue that hands itself work and waits for it crashes, or never ends`() async {
    await #expect(processExitsWith: .failure) {
      let queue = DispatchQueue(label: "own")
      let hand = DispatchQueue.sync as (DispatchQueue) -> (() -> Void) -> Void
      hand(queue)({ hand(queue)({}) })
    }
  }

  @Test func `H08 waiting for a run suspends the task and takes no thread of the pool`() async {
    var sketch = Sketch()
    sketch.returns(sketch.step("a"))
    let executor = DispatchExecutor()
    let fakes = Fakes(executor, functions: sketch.functions, acts: ["a": .hold])
    let run = Run.start(sketch.plan, RunConfiguration(executor: executor, transport: fakes, stepRunner: fakes))
    let isRescued = Locked(false)
    // If all threads of the pool were taken, nobody could answer but this.
    executor.after(.seconds(10)) {
      isRescued.withLock { $0 = true }
      fakes.settle("a", .success(Value("rescued")))
    }
    let results = await withTaskGroup(of: Value?.self) { group in
      for _ in 0..<200 { group.addTask { await run.completion.value().result } }
      group.addTask {
        _ = await eventually { fakes.isHeld("a") }
        fakes.settle("a", .success(Value("in time")))
        return nil
      }
      return await group.reduce(into: [Value]()) { if let value = $1 { $0.append(value) } }
    }
    #expect(results == Array(repeating: Value("in time"), count: 200))
    #expect(!isRescued.withLock { $0 })
  }

  @Test(arguments: TideBarrier.QualityOfService.allCases)
  func `H09 everything of a run has the one quality of service of its caller`(
    _ quality: TideBarrier.QualityOfService
  ) throws {
    func part(_ name: String, of whole: Any) -> Any? {
      Mirror(reflecting: whole).children.first { $0.label == name }?.value
    }
    let executor = DispatchExecutor(qualityOfService: quality)
    let pool = try #require(part("pool", of: executor) as? DispatchQueue)
    let timers = try #require(part("timers", of: executor))
    let timerQueue = try #require(part("queue", of: timers) as? DispatchQueue)
    let lane = try #require(executor.lane {} as? DispatchLane)
    // What the system makes of it: on Linux the two highest are one.
    let wanted = DispatchQueue.global(qos: quality.dispatchClass.qosClass).qos.qosClass
    #expect([pool, timerQueue, lane.queue].map(\.qos.qosClass) == [wanted, wanted, wanted])
  }
}
