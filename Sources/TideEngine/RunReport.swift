import TideGraph
import TideValue

/// How a run ended, with all that its nodes said. What its failures say has no secrets in it; its values are what they are.
public struct RunReport: Sendable {
  public let plan: Plan
  public let verdict: Verdict
  /// What the script returned; nil if nothing of it is there.
  public let result: Value?
  /// Why the run as a whole was stopped or its result could not be made, if so.
  public let failure: Failure?
  public let elapsed: Duration
  /// Whether every permit of every queue was given back: false is a defect of the engine.
  public let permitsAreWhole: Bool
  let endings: NodeTable<Verdict.Ending>
  let failures: [NodeID: Failure]
  let values: NodeTable<Value>

  public var status: RunStatus { verdict.status }

  public func ending(of node: NodeID) -> Verdict.Ending { endings[node] }

  /// Why a node failed; also of one that then took its `otherwise`.
  public func failure(of node: NodeID) -> Failure? { failures[node] }

  /// Who is to blame that a node was blocked, also if it then took its `otherwise`: the first of its needs, in declared
  /// order, that failed or was blocked itself, whichever of them was the first to fail. Nil for any other node.
  public func blamed(for node: NodeID) -> NodeID? {
    plan.blame(for: node) { endings[$0] }
  }

  /// A node's value; null if it did not end ok.
  public func value(of node: NodeID) -> Value { values[node] }
}
