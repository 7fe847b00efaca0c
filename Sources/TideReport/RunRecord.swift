import TideGraph
import TideValue

/// What happened in a run, node by node: the fold over its events that reports are made of.
public struct RunRecord: Sendable {
  /// What is known about one node, or one instance of a template.
  public struct NodeRecord: Sendable {
    /// Nil while it has not ended.
    public internal(set) var outcome: Outcome?
    /// Since the run's start.
    public internal(set) var started: Duration?
    public internal(set) var ended: Duration?
    /// The number of the last attempt; 1 for what starts and knows no attempts, 0 for what never started.
    public internal(set) var attempts = 0
    /// Why it failed; also of one that then took its `otherwise`.
    public internal(set) var failure: Failure?
    /// Whom the engine blamed at the moment of the block. ``Plan/blame(for:ending:)`` is the one to show.
    public internal(set) var blamed: NodeID?
    public internal(set) var tookOtherwise = false
    /// Lines of `tide.log`, in their order.
    public internal(set) var log: [String] = []
    /// How many answers came when it was over, and were dropped.
    public internal(set) var lateAnswers = 0
  }

  /// Nil while the run goes on.
  public private(set) var status: RunStatus?
  /// The time of the latest event.
  public private(set) var elapsed: Duration = .zero
  private var nodes: [NodeRecord]
  /// Instances that grew while the run went on.
  private var grown: [Instance: NodeRecord] = [:]

  public init(of plan: Plan) {
    nodes = Array(repeating: NodeRecord(), count: plan.nodes.count)
  }

  public subscript(node: NodeID) -> NodeRecord {
    nodes.indices.contains(Int(node.index)) ? nodes[node] : NodeRecord()
  }

  public subscript(instance: Instance) -> NodeRecord {
    instance.path == .root ? self[instance.node] : grown[instance] ?? NodeRecord()
  }

  /// How a node ended; one that never did counts as cancelled.
  public func ending(of node: NodeID) -> Verdict.Ending {
    Verdict.Ending(self[node].outcome ?? .cancelled, tookOtherwise: self[node].tookOtherwise)
  }

  /// Takes the next event. Events of one run come in their order; one about a node that the plan does not have is not
  /// looked at.
  public mutating func take(_ event: RunEvent) {
    let time = event.time
    elapsed = max(elapsed, time)
    switch event.kind {
    case .runStarted, .itemProduced: break
    case .nodeStarted(let instance):
      update(instance) { record in
        record.started = record.started ?? time
        record.attempts = max(1, record.attempts)
      }
    case .attemptStarted(let instance, let attempt), .attemptEnded(let instance, let attempt, _):
      update(instance) { $0.attempts = max(attempt, $0.attempts) }
    case .lateAnswer(let instance, _): update(instance) { $0.lateAnswers += 1 }
    case .log(let instance, let line): update(instance) { $0.log.append(line) }
    case .nodeEnded(let instance, let outcome, let failure, let blamed, let tookOtherwise):
      update(instance) { record in
        // A node ends once; were it told twice, the first end would be the true one.
        guard record.outcome == nil else { return }
        record.outcome = outcome
        record.ended = time
        record.failure = failure
        record.blamed = blamed
        record.tookOtherwise = tookOtherwise
      }
    case .runEnded(let status): self.status = self.status ?? status
    }
  }

  private mutating func update(_ instance: Instance, _ change: (inout NodeRecord) -> Void) {
    if instance.path != .root {
      change(&grown[instance, default: NodeRecord()])
    } else if nodes.indices.contains(Int(instance.node.index)) {
      change(&nodes[instance.node])
    }
  }
}
