import TideValue

/// Work that is going on and can be stopped.
public protocol Abortable: AnyObject, Sendable {
  /// Stops the work soon. Its completion is still called, once, with whatever came first. From any thread, at any
  /// time, more than once.
  func abort()
}

/// Sends requests. The one over libcurl is TideHTTP's; the one over fixtures is TideFixtures'.
public protocol Transport: Sendable {
  /// Starts a request and returns at once. `completion` is called once, from any thread, when the whole answer has
  /// arrived or has failed; after `abort`, soon, with a failure. A transport that drops `completion` without a call
  /// loses the request, and the engine notices.
  func send(_ request: Request, completion: @escaping @Sendable (Result<Response, Failure>) -> Void) -> any Abortable
}

/// What a step's body may ask of the run that it belongs to.
public struct StepContext: Sendable {
  public let node: NodeID
  public let name: String
  /// Where the node is declared.
  public let location: Location?
  /// The run's clock: seconds since 1970, in nanoseconds.
  public let wallClock: @Sendable () -> Int64
  /// Takes a line of `tide.log`; which node says it is the first argument.
  public let log: @Sendable (NodeID, String) -> Void

  public init(
    node: NodeID, name: String, location: Location?, wallClock: @escaping @Sendable () -> Int64,
    log: @escaping @Sendable (NodeID, String) -> Void
  ) {
    self.node = node
    self.name = name
    self.location = location
    self.wallClock = wallClock
    self.log = log
  }
}

/// Runs the functions of a script.
public protocol StepRunner: Sendable {
  /// Starts a function and returns at once. `completion` is called once, from any thread. `abort` stops a body
  /// that loops for ever, too.
  func run(
    _ function: FunctionID, arguments: [Value], context: StepContext,
    completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) -> any Abortable
}

/// Takes what happens in a run. Every view of a run is a fold over what comes here.
public protocol EventSink: Sendable {
  /// A batch, in the order in which it happened; called from one serial lane at a time.
  func receive(_ events: [RunEvent])
}
