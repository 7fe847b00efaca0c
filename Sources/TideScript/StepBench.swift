import CLua
import TideBarrier
import TideGraph
import TideValue

/// Where the functions of a script run, one at a time. `perform` belongs to one lane; `abort` may come from anywhere.
final class StepBench: @unchecked Sendable {
  private struct Turn {
    var running: StepRun?
    /// Runs that were stopped before their turn.
    var stopped: [ObjectIdentifier: StepRun] = [:]
  }

  private let interpreter: Interpreter
  private let turn = Locked(Turn())

  init(_ interpreter: Interpreter) {
    self.interpreter = interpreter
  }

  /// Stops the run if it runs, and sees to it that it does not if it waits. Once it has ended this does nothing.
  func abort(_ run: StepRun) {
    turn.withLock { turn in
      if turn.running === run {
        clua_stop(interpreter.state, Int32(CLUA_ABORTED))
      } else if !run.hasEnded.load(ordering: .relaxed) {
        turn.stopped[ObjectIdentifier(run)] = run
      }
    }
  }

  func perform(_ run: StepRun) {
    let isStopped = turn.withLock { turn in
      guard turn.stopped.removeValue(forKey: ObjectIdentifier(run)) == nil else {
        run.hasEnded.store(true, ordering: .relaxed)
        return true
      }
      interpreter.beginWork()
      turn.running = run
      return false
    }
    if isStopped { return run.completion(.failure(.stopped)) }
    let result = interpreter.carryOut(run)
    turn.withLock { turn in
      turn.running = nil
      run.hasEnded.store(true, ordering: .relaxed)
    }
    run.completion(result)
  }
}

extension Failure {
  static let stopped = Failure(.cancelled, "the step was stopped")
}
