import TideBarrier
import TideGraph
import TideValue

/// A step that has nothing to do: it ends while it is started, and its end comes back through the run's inbox.
struct NoSteps: StepRunner {
  func run(
    _ function: FunctionID, arguments: [Value], context: StepContext,
    completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) -> any Abortable {
    completion(.success(.null))
    return Nothing.shared
  }
}

/// The same on workers: the end comes from another thread.
struct WorkerSteps: StepRunner {
  typealias Completion = @Sendable (Result<Value, Failure>) -> Void

  private let workers: Workers<Completion>

  init(on executor: any Executor) {
    workers = Workers(on: executor, width: 2) { completion in completion(.success(.null)) }
  }

  func run(
    _ function: FunctionID, arguments: [Value], context: StepContext, completion: @escaping Completion
  ) -> any Abortable {
    workers.add(completion)
    return Nothing.shared
  }
}

/// No plan here sends a request.
struct NoTransport: Transport {
  func send(_ request: Request, completion: @escaping @Sendable (Result<Response, Failure>) -> Void) -> any Abortable {
    completion(.failure(Failure(.connect, "no network in this benchmark")))
    return Nothing.shared
  }
}

final class Nothing: Abortable {
  static let shared = Nothing()
  func abort() {}
}
