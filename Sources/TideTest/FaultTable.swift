import TideEngine
import TideGraph

/// What becomes of a run when one of its requests fails, in each way.
public struct FaultTable: Sendable {
  /// How the run ended.
  public enum Cell: String, Sendable {
    case ok, partial, failed, cancelled
    /// It never ended, or something is wrong with the engine: a defect of ours.
    case broken
  }

  public struct Row: Sendable {
    /// `POST http://api.test/items`.
    public let request: String
    /// How often it was sent by then, from 1.
    public let turn: Int
    /// Whose request it is.
    public let node: String
    /// One a fault, in the order of ``FaultTable/faults``.
    public let cells: [Cell]
  }

  /// As the test named it.
  public let script: String
  public let rows: [Row]
  /// What is wrong where a cell is `broken`.
  public let complaints: [String]

  /// Every way in which a request fails, and its word.
  public static let faults: [(fault: Fault, name: String)] = [
    (.refused, "refused"), (.timeout, "timeout"), (.reset, "reset"), (.status(500), "500"),
    (.status(429, retryAfter: "1"), "429"), (.emptyBody, "empty"), (.brokenBody, "not JSON"),
    (.truncated, "truncated"), (.wrongShape, "shape"), (.twice, "twice"), (.late, "slow"),
  ]

  /// Runs the workflow once for each request and each fault.
  init(_ trial: WorkflowTrial, of observation: Observation, script: String) {
    var rows: [Row] = []
    var complaints: [String] = []
    for request in observation.requests {
      let ask = observation.asks[request.ask]
      var cells: [Cell] = []
      for (fault, name) in FaultTable.faults {
        let run = trial.run(.single(fault, ask: request.ask))
        cells.append(run.cell)
        complaints += run.complaints.map { "\(ask.subject) (\(name)): \($0)" }
      }
      rows.append(
        Row(request: ask.subject, turn: ask.turn, node: observation.plan.nodes[request.node].name, cells: cells))
    }
    self.script = script
    self.rows = rows
    self.complaints = complaints
  }
}

extension Observation {
  var cell: FaultTable.Cell {
    guard let report, complaints.isEmpty else { return .broken }
    switch report.status {
    case .ok: return .ok
    case .partial: return .partial
    case .failed: return .failed
    case .cancelled: return .cancelled
    }
  }

  /// The requests that were sent, in their order: the number of the ask, and the node whose request it is, or whose step
  /// has sent it.
  var requests: [(ask: Int, node: NodeID)] {
    // Each one is sent at the very moment that its attempt's event tells of.
    var senders: [(Instance, Int)] = []
    for event in events {
      switch event.kind {
      case .attemptStarted(let instance, let attempt):
        if instance.path != .root || plan.nodes[instance.node].isRequest { senders.append((instance, attempt)) }
      case .attemptEnded(let instance, let attempt, let failure) where failure?.kind == .tripped:
        senders.removeAll { $0 == (instance, attempt) }
      default: break
      }
    }
    let sent = asks.indices.filter { !asks[$0].isOfStep }
    return zip(sent, senders).map { ($0, $1.0.node) }
  }
}

extension Node {
  fileprivate var isRequest: Bool { if case .request = verb { true } else { false } }
}
