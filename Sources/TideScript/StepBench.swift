import CLua
import TideBarrier
import TideGraph
import TideValue

/// Where the functions of a script run, one at a time, while any number of them is suspended. `receive` belongs to one
/// lane; `stop` may come from anywhere.
final class StepBench: @unchecked Sendable {
  let executor: any Executor
  let interpreter: Interpreter
  /// Which one runs.
  private let running = Locked<StepRun?>(nil)
  /// Touched on the lane only.
  private(set) var suspended: [ObjectIdentifier: StepBody] = [:]

  init(_ interpreter: Interpreter, on executor: any Executor) {
    self.interpreter = interpreter
    self.executor = executor
  }

  /// Stops the run if it runs, and sees to it that it neither begins nor goes on. False if it has ended.
  func stop(_ run: StepRun) -> Bool {
    running.withLock { running in
      guard !run.hasEnded.load(ordering: .relaxed) else { return false }
      run.isStopped.store(true, ordering: .relaxed)
      if running === run { clua_stop(interpreter.state, Int32(CLUA_ABORTED)) }
      return true
    }
  }

  /// All that a body was answered in one batch has arrived when it goes on: what it does then does not depend on which
  /// answer was the first.
  func receive(_ messages: [StepMessage]) {
    var answered: [StepBody] = []
    for message in messages {
      switch message {
      case .start(let run):
        turn(run) {
          interpreter.beginWork()
          return nil
        }
      case .answer(let run, let wait, let answer):
        guard let body = suspended[ObjectIdentifier(run)] else { break }
        let isFirst = !body.canGoOn
        if body.take(answer, to: wait), isFirst { answered.append(body) }
      case .stop(let run):
        guard suspended[ObjectIdentifier(run)] != nil else { break }
        turn(run) { nil }
      }
    }
    for body in answered where suspended[ObjectIdentifier(body.run)] === body {
      turn(body.run) {
        interpreter.goOn(with: body)
        return body
      }
    }
  }

  /// Lets a run go on until it ends or is suspended. `prepare` gives its body, if it has one already.
  private func turn(_ run: StepRun, _ prepare: () -> StepBody?) {
    let id = ObjectIdentifier(run)
    var body: StepBody?
    let isStopped = running.withLock { running in
      guard !run.isStopped.load(ordering: .relaxed) else { return true }
      body = prepare()
      running = run
      return false
    }
    var result: Result<Value, Failure>?
    if isStopped {
      result = .failure(.stopped)
    } else {
      switch body.map(interpreter.advance) ?? interpreter.carryOut(run) {
      case .ended(let value): result = value
      case .suspended(let body): suspended[id] = body
      }
    }
    running.withLock { running in
      running = nil
      if run.isStopped.load(ordering: .relaxed), result == nil { result = .failure(.stopped) }
      if result != nil { run.hasEnded.store(true, ordering: .relaxed) }
    }
    guard let result else { return }
    if let body = suspended.removeValue(forKey: id) { interpreter.abandon(body) }
    run.completion(result)
  }
}

extension Failure {
  static let stopped = Failure(.cancelled, "the step was stopped")
}
