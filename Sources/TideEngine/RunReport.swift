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
  let endings: [Verdict.Ending]
  let failures: [NodeID: Failure]
  let values: [Value]

  public var status: RunStatus { verdict.status }

  public func ending(of node: NodeID) -> Verdict.Ending { endings[node] }

  /// Why a node failed; also of one that then took its `otherwise`.
  public func failure(of node: NodeID) -> Failure? { failures[node] }

  /// A node's value; null if it did not end ok.
  public func value(of node: NodeID) -> Value { values[node] }
}
