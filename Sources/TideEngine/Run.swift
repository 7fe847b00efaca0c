import TideBarrier
import TideGraph
import TideValue

/// A run that is going on. Dropping it changes nothing: the run goes on to its end.
public final class Run: Sendable {
  /// The report, when everything has ended.
  public let completion: Completion<RunReport>
  private let inbox: Inbox<Message>

  init(completion: Completion<RunReport>, inbox: Inbox<Message>) {
    self.completion = completion
    self.inbox = inbox
  }

  /// Starts a plan.
  ///
  /// - Parameter inputs: a value for every node that is given from outside (`Plan.bind`).
  public static func start(_ plan: Plan, inputs: [NodeID: Value] = [:], _ configuration: RunConfiguration) -> Run {
    let holder = Holder()
    let inbox = Inbox<Message>(on: configuration.executor) { messages in holder.runner?.receive(messages) }
    let completion = Completion<RunReport>()
    holder.runner = Runner(
      plan, inputs: inputs, configuration, inbox: inbox, completion: completion, holder: holder)
    inbox.post(.begin)
    return Run(completion: completion, inbox: inbox)
  }

  /// Stops what is in flight, starts nothing more, and ends the run as cancelled. From any thread, more than once.
  public func cancel() {
    inbox.post(.cancel)
  }

  /// Keeps the runner alive from its start to its end. Touched at the start before anything can run, and then on the run
  /// lane only.
  final class Holder: @unchecked Sendable {
    var runner: Runner?
  }
}

/// What reaches the run lane from outside.
enum Message: Sendable {
  case begin
  case settled(tag: UInt64, Settlement<WorkResult>)
  case timedOut(NodeID)
  case deadline(NodeID)
  case runTimeout
  case cancel
  case log(NodeID, String)
}

/// What asynchronous work gives. Small where it is a value, since a million may be on their way.
enum WorkResult: Sendable {
  case value(Value)
  indirect case response(Response)
  indirect case reading(Reading)
  indirect case failure(Failure)

  init(_ result: Result<Value, Failure>) {
    switch result {
    case .success(let value): self = .value(value)
    case .failure(let failure): self = .failure(failure)
    }
  }

  init(_ result: Result<Response, Failure>) {
    switch result {
    case .success(let response): self = .response(response)
    case .failure(let failure): self = .failure(failure)
    }
  }
}
