import Foundation
import Synchronization
import Testing
import TideBarrier
import TideFixtures

/// The two forms of an executor, which keep one contract.
enum Form: String, CaseIterable {
  case dispatch, simulated

  func rig() -> Rig {
    switch self {
    case .dispatch: Rig(DispatchExecutor(), simulated: nil)
    case .simulated:
      {
        let executor = SimulatedExecutor()
        return Rig(executor, simulated: executor)
      }()
    }
  }
}

/// An executor, and the means to let it work.
struct Rig {
  let executor: any Executor
  private let simulated: SimulatedExecutor?

  init(_ executor: any Executor, simulated: SimulatedExecutor?) {
    self.executor = executor
    self.simulated = simulated
  }

  /// Lets the executor work until `condition` holds; records an issue if it never does.
  func run(until condition: () -> Bool, _ location: SourceLocation = #_sourceLocation) {
    if let simulated {
      do {
        try simulated.run { !condition() }
      } catch {
        Issue.record(error, sourceLocation: location)
      }
      #expect(condition(), "the executor is idle", sourceLocation: location)
    } else {
      waitUntil(condition, location)
    }
  }

  /// Runs `body` with 0..<count: on as many threads at once if the executor has threads.
  func together(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    if simulated != nil {
      for index in 0..<count { body(index) }
    } else {
      onThreads(count, body)
    }
  }
}

/// Runs `body` with 0..<count, on as many threads, which begin together, and waits for all of them.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let running = Tally(count)
  let arrived = Tally()
  for index in 0..<count {
    Thread.detachNewThread {
      arrived.add()
      while arrived.value < count { sched_yield() }
      body(index)
      running.add(-1)
    }
  }
  waitUntil { running.value == 0 }
}

/// Blocks the calling thread until `condition` holds; records an issue when that takes beyond reason.
func waitUntil(_ condition: () -> Bool, _ location: SourceLocation = #_sourceLocation) {
  let giveUp = ContinuousClock.now + .seconds(60)
  while !condition() {
    guard ContinuousClock.now < giveUp else {
      Issue.record("waited a minute in vain", sourceLocation: location)
      return
    }
    usleep(100)
  }
}

/// A number that threads share.
final class Tally: Sendable {
  private let number: Atomic<Int>

  init(_ number: Int = 0) { self.number = Atomic(number) }

  var value: Int { number.load(ordering: .sequentiallyConsistent) }

  @discardableResult
  func add(_ more: Int = 1) -> Int { number.add(more, ordering: .sequentiallyConsistent).newValue }

  /// Keeps the larger of the two.
  func raise(to other: Int) { number.max(other, ordering: .sequentiallyConsistent) }
}

/// A list that threads append to.
final class Log<Element: Sendable>: Sendable {
  private let items = Locked<[Element]>([])

  var all: [Element] { items.withLock { $0 } }

  func append(_ item: Element) { items.withLock { $0.append(item) } }
}

/// Captured by a closure, to see when the closure is released.
final class Token: Sendable {
  /// Touched by the closure.
  func touch() {}
}
