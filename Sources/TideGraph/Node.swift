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
  public var when: When? { rare?.when }
  /// Of one attempt.
  public var timeout: Duration? { rare?.timeout }
  /// Of the node: from the moment at which it is ready, its wait for a queue included.
  public var deadline: Duration? { rare?.deadline }
  /// The value if the node failed or was blocked.
  public var otherwise: Value? { rare?.otherwise }
  public var queue: QueueID? { rare?.queue }
  public var isSecret: Bool { rare?.isSecret ?? false }
  public var doc: String? { rare?.doc }

  public init(
    after: [NodeID] = [], needs: [NodeID] = [], when: When? = nil, timeout: Duration? = nil,
    deadline: Duration? = nil, otherwise: Value? = nil, queue: QueueID? = nil, isSecret: Bool = false,
    doc: String? = nil
  ) {
    edges = FewEdges(needs.map { Plan.Edge($0, .success) } + after.map { Plan.Edge($0, .end) })
    let waitsOnly =
      when == nil && timeout == nil && deadline == nil && otherwise == nil && queue == nil && !isSecret && doc == nil
    rare =
      waitsOnly
      ? nil
      : Rare(
        when: when, timeout: timeout, deadline: deadline, otherwise: otherwise, queue: queue, isSecret: isSecret,
        doc: doc)
  }

  private final class Rare: Sendable {
    let when: When?
    let timeout: Duration?
    let deadline: Duration?
    let otherwise: Value?
    let queue: QueueID?
    let isSecret: Bool
    let doc: String?

    init(
      when: When?, timeout: Duration?, deadline: Duration?, otherwise: Value?, queue: QueueID?, isSecret: Bool,
      doc: String?
    ) {
      self.when = when
      self.timeout = timeout
      self.deadline = deadline
      self.otherwise = otherwise
      self.queue = queue
      self.isSecret = isSecret
      self.doc = doc
    }
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

/// At most `width` of its nodes run at once; of those that are ready the one declared first goes.
public struct Queue: Sendable {
  public let name: String
  public let width: Int
  public let place: Place

  public init(name: String, width: Int, place: Place = .none) {
    self.name = name
    self.width = width
    self.place = place
  }
}
