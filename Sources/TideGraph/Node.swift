import TideValue

/// A node of a plan: what is done, and the options that every node has.
public struct Node: Sendable {
  public let name: String
  public let verb: Verb
  /// Nil where none was given, which is the rule in large plans.
  public let options: NodeOptions?
  public let place: Place

  public init(name: String, verb: Verb, options: NodeOptions? = nil, place: Place = .none) {
    self.name = name
    self.verb = verb
    self.options = options
    self.place = place
  }
}

/// What a node does.
public enum Verb: Sendable {
  indirect case input(InputSpec)
  indirect case secret(SecretSpec)
  indirect case request(RequestSpec)
  indirect case step(StepSpec)
  indirect case merge(MergeSpec)
  indirect case sort(SortSpec)
  indirect case barrier(BarrierSpec)
  indirect case fallback(FallbackSpec)
  indirect case signal(SignalSpec)
  indirect case sleep(Expression)
  indirect case data(DataSpec)
  indirect case file(FileSpec)

  /// As the script writes it.
  public var name: String {
    switch self {
    case .input: "input"
    case .secret: "secret"
    case .request: "request"
    case .step: "step"
    case .merge: "merge"
    case .sort: "sort"
    case .barrier: "barrier"
    case .fallback: "fallback"
    case .signal: "signal"
    case .sleep: "sleep"
    case .data(let spec): spec.operation.name
    case .file: "file"
    }
  }
}

/// The options of every node. Small for a node that only waits for others, which is the rule in large plans.
public final class NodeOptions: Sendable {
  /// What `needs` and `after` name, in this order.
  let edges: FewEdges
  private let rare: Rare?

  /// Start when these have ended, either way.
  public var after: [NodeID] { edges.nodes(.end) }
  /// Start when these have succeeded.
  public var needs: [NodeID] { edges.nodes(.success) }
  public var when: When? { rare?.settings.when }
  /// Of one attempt.
  public var timeout: Duration? { rare?.settings.timeout }
  /// Of the node with all its attempts: from the moment at which it is ready, its wait for a queue included.
  public var deadline: Duration? { rare?.settings.deadline }
  public var retry: Retry? { rare?.settings.retry }
  /// The value if the node failed or was blocked.
  public var otherwise: Value? { rare?.settings.otherwise }
  public var queue: QueueID? { rare?.settings.queue }
  /// Cleanup: it starts after every ordinary node has ended, however the run went.
  public var isAlways: Bool { rare?.settings.isAlways ?? false }
  public var isSecret: Bool { rare?.settings.isSecret ?? false }
  public var doc: String? { rare?.settings.doc }

  public init(after: [NodeID] = [], needs: [NodeID] = [], _ settings: NodeSettings) {
    edges = FewEdges(needs.map { Plan.Edge($0, .success) } + after.map { Plan.Edge($0, .end) })
    rare = settings.isPlain ? nil : Rare(settings)
  }

  private final class Rare: Sendable {
    let settings: NodeSettings

    init(_ settings: NodeSettings) {
      self.settings = settings
    }
  }
}

extension NodeOptions {
  public convenience init(
    after: [NodeID] = [], needs: [NodeID] = [], when: When? = nil, timeout: Duration? = nil,
    deadline: Duration? = nil, retry: Retry? = nil, otherwise: Value? = nil, queue: QueueID? = nil,
    isAlways: Bool = false, isSecret: Bool = false, doc: String? = nil
  ) {
    self.init(
      after: after, needs: needs,
      NodeSettings(
        when: when, timeout: timeout, deadline: deadline, retry: retry, otherwise: otherwise, queue: queue,
        isAlways: isAlways, isSecret: isSecret, doc: doc))
  }
}

/// The options of a node that are no edges.
public struct NodeSettings: Sendable {
  public var when: When?
  public var timeout: Duration?
  public var deadline: Duration?
  public var retry: Retry?
  public var otherwise: Value?
  public var queue: QueueID?
  public var isAlways = false
  public var isSecret = false
  public var doc: String?

  public init(
    when: When? = nil, timeout: Duration? = nil, deadline: Duration? = nil, retry: Retry? = nil,
    otherwise: Value? = nil, queue: QueueID? = nil, isAlways: Bool = false, isSecret: Bool = false, doc: String? = nil
  ) {
    self.when = when
    self.timeout = timeout
    self.deadline = deadline
    self.retry = retry
    self.otherwise = otherwise
    self.queue = queue
    self.isAlways = isAlways
    self.isSecret = isSecret
    self.doc = doc
  }

  /// Whether nothing is set.
  public var isPlain: Bool {
    when == nil && timeout == nil && deadline == nil && retry == nil && otherwise == nil && queue == nil && !isAlways
      && !isSecret && doc == nil
  }
}

/// `when = h` or `when = {h, condition}`: false or null skips the node.
public struct When: Sendable {
  public let subject: Expression
  public let condition: Condition?

  public init(_ subject: Expression, condition: Condition? = nil) {
    self.subject = subject
    self.condition = condition
  }
}
