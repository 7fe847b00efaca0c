import Synchronization
import TideBarrier
import TideGraph
import TideValue

/// One run of one function: waits for its turn, runs, ends.
final class StepRun: Abortable {
  enum Work {
    case call(arguments: [Value])
    /// Called for each item of a list.
    case each(list: Value, ItemUse)
  }

  let function: FunctionID
  let work: Work
  let context: StepContext
  let completion: @Sendable (Result<Value, Failure>) -> Void
  /// Written under the bench's lock.
  let hasEnded = Atomic<Bool>(false)
  private let bench: StepBench

  init(
    _ function: FunctionID, _ work: Work, _ context: StepContext, on bench: StepBench,
    _ completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) {
    self.function = function
    self.work = work
    self.context = context
    self.bench = bench
    self.completion = completion
  }

  func abort() {
    bench.abort(self)
  }
}
