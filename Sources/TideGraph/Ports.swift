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

  /// Told that a request will come soon: what takes long to open may be opened meanwhile. Returns at once.
  func prepare()
}

extension Transport {
  public func prepare() {}
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
  /// Tells this piece of work from the node's earlier ones.
  public let serial: UInt32
  private let fetcher: Fetcher

  /// Sends a request for the piece of work that the context is of.
  public typealias Fetcher =
    @Sendable (StepContext, Fetch, @escaping @Sendable (Result<Value, Failure>) -> Void) -> any Abortable

  public init(
    node: NodeID, name: String, location: Location?, wallClock: @escaping @Sendable () -> Int64,
    log: @escaping @Sendable (NodeID, String) -> Void, serial: UInt32 = 0,
    fetcher: @escaping Fetcher = StepContext.refuseFetch
  ) {
    self.node = node
    self.name = name
    self.location = location
    self.wallClock = wallClock
    self.log = log
    self.serial = serial
    self.fetcher = fetcher
  }

  /// Sends a request with the run's limits, queues and retries, and returns at once. `completion` is called once, from
  /// any thread, with the value that a request node would have; after `abort`, or when the step ends first, soon, with
  /// a failure.
  public func fetch(
    _ fetch: Fetch, completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) -> any Abortable {
    fetcher(self, fetch, completion)
  }

  /// For who runs steps without a run: there is nobody to send a request.
  public static let refuseFetch: Fetcher = { _, _, completion in
    completion(.failure(Failure(.request, "there is no run that could send a request")))
    return NothingGoingOn()
  }
}

/// What has ended already, and can be stopped without effect.
public final class NothingGoingOn: Abortable {
  public init() {}

  public func abort() {}
}

/// Runs the functions of a script.
public protocol StepRunner: Sendable {
  /// Starts a function and returns at once. `completion` is called once, from any thread. `abort` stops a body
  /// that loops for ever, too.
  func run(
    _ function: FunctionID, arguments: [Value], context: StepContext,
    completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) -> any Abortable

  /// Asks a function about each item of a list (null is an empty one), in its order. The result is the items that stay,
  /// as they came, or what the function gave for each.
  func runEach(
    _ function: FunctionID, over list: Value, _ use: ItemUse, context: StepContext,
    completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) -> any Abortable
}

extension StepRunner {
  /// For a runner whose functions take a list as it is: the function gets it as its one argument.
  public func runEach(
    _ function: FunctionID, over list: Value, _ use: ItemUse, context: StepContext,
    completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) -> any Abortable {
    run(function, arguments: [list], context: context, completion: completion)
  }
}

/// What a function that is asked about each item of a list decides.
public enum ItemUse: Sendable {
  /// Whether the item stays.
  case filter
  /// What stands in its place.
  case map
}

/// Reads the files of a workflow.
public protocol FileSource: Sendable {
  /// The bytes of a file, whole. Blocks the calling thread, which is a worker's.
  ///
  /// - Throws: what is wrong with the name or the file; it may not lie outside of the script's folder.
  func read(_ path: String) throws(Failure) -> Buffer
}

/// For a run whose plan was made without a folder.
public struct NoFiles: FileSource {
  public init() {}

  public func read(_ path: String) throws(Failure) -> Buffer {
    throw Failure(.missing, "there is no folder to read '\(path)' from")
  }
}

/// Takes what happens in a run. Every view of a run is a fold over what comes here.
public protocol EventSink: Sendable {
  /// A batch, in the order in which it happened; called from one serial lane at a time.
  func receive(_ events: [RunEvent])
}
