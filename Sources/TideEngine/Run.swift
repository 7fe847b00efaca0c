import TideBarrier
import TideGraph
import TideValue

/// A run that is going on. Dropping it changes nothing: the run goes on to its end.
public final class Run: Sendable {
  /// The report, when everything has ended.
  public let completion: Completion<RunReport>
  /// The signals that the plan waits for, in declared order.
  public let signals: [String]
  private let inbox: Inbox<Message>

  init(completion: Completion<RunReport>, inbox: Inbox<Message>, signals: [String]) {
    self.completion = completion
    self.inbox = inbox
    self.signals = signals
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
    return Run(completion: completion, inbox: inbox, signals: plan.signals.map { plan.nodes[$0].name })
  }

  /// Stops what is in flight, starts nothing more but the `always` nodes, and ends the run as cancelled. From any thread,
  /// more than once.
  public func cancel() {
    inbox.post(.cancel)
  }

  /// Ends the run without its `always` nodes.
  public func cancelAtOnce() {
    inbox.post(.cancelAtOnce)
  }

  /// Signals a `signal` node, also before anything else that it waits for has come. From any thread.
  ///
  /// - Parameter value: becomes the node's value if this is the last signal that it waits for.
  /// - Returns: false if the plan has no signal of this name.
  @discardableResult
  public func signal(_ name: String, _ value: Value = .null) -> Bool {
    guard signals.contains(name) else { return false }
    inbox.post(.signal(name, value))
    return true
  }

  /// Says that no signal comes any more: who waits for one fails, in place of waiting for ever.
  public func endSignals() {
    inbox.post(.signalsEnded)
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
  case timedOut(NodeID, serial: UInt32, attempt: Int)
  /// A back-off or a sleep is over.
  case paused(NodeID, serial: UInt32)
  case deadline(NodeID, serial: UInt32)
  case tokensGrew
  case runTimeout
  case cancel
  case cancelAtOnce
  indirect case signal(String, Value)
  case signalsEnded
  case fetch(FetchCall)
  case stopFetch(FetchCall)
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
