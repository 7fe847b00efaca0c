import Synchronization
import TideBarrier
import TideGraph
import TideValue

/// One run of one function: waits for its turn, runs, ends.
final class StepRun: Abortable {
  let function: FunctionID
  let arguments: [Value]
  let context: StepContext
  let completion: @Sendable (Result<Value, Failure>) -> Void
  /// Written under the bench's lock.
  let hasEnded = Atomic<Bool>(false)
  private let bench: StepBench

  init(
    _ function: FunctionID, _ arguments: [Value], _ context: StepContext, on bench: StepBench,
    _ completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) {
    self.function = function
    self.arguments = arguments
    self.context = context
    self.bench = bench
    self.completion = completion
  }

  func abort() {
    bench.abort(self)
  }
}
