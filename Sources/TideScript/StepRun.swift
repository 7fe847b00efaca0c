import Synchronization
import TideBarrier
import TideGraph
import TideValue

/// One run of one function: waits for its turn, runs, is suspended and goes on as often as it asks for something, ends.
final class StepRun: Abortable {
  enum Work {
    case call(arguments: [Value])
    /// Called for each item of a list.
    case each(list: Value, ItemUse)
  }

  let function: FunctionID
  let work: Work
  /// Whether it is the body of a step, which alone may wait for something.
  let isBody: Bool
  let context: StepContext
  let completion: @Sendable (Result<Value, Failure>) -> Void
  /// Both are written under the bench's lock.
  let isStopped = Atomic<Bool>(false)
  let hasEnded = Atomic<Bool>(false)
  private let bench: StepBench
  private let inbox: Inbox<StepMessage>

  init(
    _ function: FunctionID, _ work: Work, isBody: Bool, _ context: StepContext, on bench: StepBench,
    _ inbox: Inbox<StepMessage>, _ completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) {
    self.function = function
    self.work = work
    self.isBody = isBody
    self.context = context
    self.bench = bench
    self.inbox = inbox
    self.completion = completion
  }

  func abort() {
    if bench.stop(self) { inbox.post(.stop(self)) }
  }

  /// Sends a request. Its answer comes to the bench as one to the wait of this number: also if whoever sends it forgets
  /// about it.
  func fetch(_ fetch: Fetch, wait: UInt64) -> any Abortable {
    let ticket = Ticket<Result<Value, Failure>>(tag: wait) { [self] wait, settlement in
      switch settlement {
      case .outcome(let result): inbox.post(.answer(self, wait: wait, .fetched(result)))
      case .lost:
        let failure = Failure(.lost, "the request was dropped without an answer")
        inbox.post(.answer(self, wait: wait, .fetched(.failure(failure))))
      case .refused: break
      }
    }
    return context.fetch(fetch) { ticket.settle($0) }
  }

  /// Answers the wait of this number when `length` has passed.
  func sleep(_ length: Duration, wait: UInt64) -> any Timer {
    bench.executor.after(length) { [self] in inbox.post(.answer(self, wait: wait, .slept)) }
  }
}

/// What happens to the runs of a bench, in this order.
enum StepMessage: Sendable {
  case start(StepRun)
  case answer(StepRun, wait: UInt64, Answer)
  case stop(StepRun)

  /// What something that a step has waited for has come to.
  enum Answer: Sendable {
    case fetched(Result<Value, Failure>)
    case slept
  }
}
