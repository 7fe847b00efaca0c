import TideGraph
import TideValue

/// Functions of a script with faults.
struct FatedSteps: StepRunner {
  let inner: any StepRunner
  let fate: Fate
  let clock: AnswerClock

  func run(
    _ function: FunctionID, arguments: [Value], context: StepContext,
    completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) -> any Abortable {
    work { inner.run(function, arguments: arguments, context: context, completion: $0) }
      .begin(Ask.subject(ofStep: context.name), completion)
  }

  func runEach(
    _ function: FunctionID, over list: Value, _ use: ItemUse, context: StepContext,
    completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) -> any Abortable {
    work { inner.runEach(function, over: list, use, context: context, completion: $0) }
      .begin(Ask.subject(ofStep: context.name), completion)
  }

  private func work(
    _ start: @escaping @Sendable (@escaping @Sendable (Result<Value, Failure>) -> Void) -> any Abortable
  ) -> FatedWork<Result<Value, Failure>> {
    FatedWork(
      fate: fate, clock: clock, start: start, replacement: FatedSteps.replacement,
      spoiled: { fault, result in fault == .emptyBody ? .success(.null) : .success(Value("another shape")) },
      record: { result in
        switch result {
        case .success(let value): .value(value)
        case .failure(let failure): .failure(failure)
        }
      })
  }

  /// A function has no connection: whatever goes wrong there is a failure of the function here.
  private static func replacement(_ fault: Fault) -> Result<Value, Failure>? {
    if case .status = fault { return .failure(Failure(.step, "\(fault)")) }
    return fault.failure.map { .failure(Failure(.step, $0.message)) }
  }
}
