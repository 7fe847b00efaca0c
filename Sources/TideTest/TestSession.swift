import Synchronization
import TideBarrier
import TideGraph
import TideScript

/// Runs test files, each in Lua states of its own, several at once.
public final class TestSession: Sendable {
  private let options: TestOptions
  private let hasFailed = Atomic(false)

  public init(_ options: TestOptions) {
    self.options = options
  }

  /// Tests the files, at most ``TestOptions/jobs`` of them at once, and returns at once.
  ///
  /// - Parameters:
  ///   - took: is given what came of each file, in the order of `paths`, from one thread at a time.
  ///   - done: is called when all have been given.
  public func run(
    _ paths: [String], on executor: any Executor, took: @escaping @Sendable (TestFileResult) -> Void,
    done: @escaping @Sendable () -> Void
  ) {
    guard !paths.isEmpty else { return done() }
    let line = ResultLine(count: paths.count, took: took, done: done)
    let inbox = Inbox<(Int, TestFileResult)>(on: executor) { messages in
      for (index, result) in messages { line.take(result, at: index) }
    }
    let workers = Workers<Int>(on: executor, width: options.jobs) { index in
      inbox.post((index, self.run(file: paths[index])))
    }
    workers.add(contentsOf: shuffled(Array(paths.indices)) { mixed([UInt64($0)]) })
  }

  /// Tests one file, on the calling thread.
  public func run(file path: String) -> TestFileResult {
    var result = TestFileResult(file: path)
    guard !mayNotGoOn else { return result }
    let runs = TestRuns(file: path, options)
    let state: TestState
    do throws(Diagnostics) {
      state = try TestState(
        source(path), host: runs, limits: ScriptLimits(end: WallDeadline(after: options.limit)))
    } catch {
      let first = error.all.first
      result.sources = error.sources
      result.failures = [TestFailure(first?.message ?? "is wrong", at: first?.location, help: first?.help)]
      hasFailed.store(true, ordering: .relaxed)
      return result
    }
    result.sources = state.sources
    run(state, runs, &result)
    result.sources = state.sources
    result.snapshotsWritten = runs.snapshots.written
    return result
  }

  private func source(_ path: String) throws(Diagnostics) -> ScriptSource {
    do throws(Diagnostic) {
      return try ScriptSource(path: path)
    } catch {
      throw Diagnostics([error], sources: Sources())
    }
  }

  private func run(_ state: TestState, _ runs: TestRuns, _ result: inout TestFileResult) {
    let wanted = order(state.tests)
    for (position, index) in wanted.enumerated() {
      if mayNotGoOn {
        result.notRun = wanted.count - position
        break
      }
      leave(state, before: index, &result)
      let test = state.tests[index]
      let began = ContinuousClock.now
      runs.begin()
      let (outcome, output) = state.run(index, limit: options.limit)
      let findings = runs.takeFindings()
      let placed = findings.failures.map { failure in
        var failure = failure
        failure.location = failure.location ?? test.location
        return failure
      }
      let tested = TestResult(
        file: result.file, names: test.names, location: test.location, outcome: outcome.adding(placed), output: output,
        elapsed: began.duration(to: .now), faults: findings.tables, orders: findings.orders)
      if case .failed = tested.outcome { hasFailed.store(true, ordering: .relaxed) }
      result.results.append(tested)
    }
    leave(state, before: nil, &result)
  }

  private func leave(_ state: TestState, before next: Int?, _ result: inout TestFileResult) {
    guard let failure = state.leaveBlocks(before: next, limit: options.limit) else { return }
    hasFailed.store(true, ordering: .relaxed)
    result.failures.append(failure)
  }

  private var mayNotGoOn: Bool {
    options.isFailFast && hasFailed.load(ordering: .relaxed)
  }

  /// The tests that are wanted, as the seed orders them: those of a block stay together, so that it is entered once.
  private func order(_ tests: [TestState.Test]) -> [Int] {
    let wanted = tests.indices.filter { index in
      options.filter.map { tests[index].names.joined(separator: " ").contains($0) } ?? true
    }
    let keys = tests.map { test in test.place.indices.map { mixed(test.place[...$0].map { UInt64($0) }) } }
    return wanted.sorted { left, right in
      keys[left] == keys[right] ? left < right : keys[left].lexicographicallyPrecedes(keys[right])
    }
  }

  private func shuffled(_ indices: [Int], _ key: (Int) -> UInt64) -> [Int] {
    indices.map { (key($0), $0) }.sorted { $0 < $1 }.map(\.1)
  }

  /// A number that looks random, of the seed and these (SplitMix64's finish, once a number).
  private func mixed(_ numbers: [UInt64]) -> UInt64 {
    numbers.reduce(options.seed) { state, number in
      var mixed = (state ^ number) &+ 0x9E37_79B9_7F4A_7C15
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}

extension TestOutcome {
  /// With what was found beside the test.
  fileprivate func adding(_ more: [TestFailure]) -> TestOutcome {
    if more.isEmpty { return self }
    if case .failed(let failures) = self { return .failed(failures + more) }
    return .failed(more)
  }
}
