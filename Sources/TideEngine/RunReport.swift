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

  /// The first of a blocked node's needs, in declared order, that did not succeed: the same whichever failed first. It
  /// may be blocked itself. Nil for a node that is not blocked.
  public func blamed(for node: NodeID) -> NodeID? {
    guard endings[node].outcome == .blocked || endings[node].tookOtherwise && failures[node] == nil else { return nil }
    return plan.culprit(of: node) { endings[$0].outcome.isFailure }
  }

  /// A node's value; null if it did not end ok.
  public func value(of node: NodeID) -> Value { values[node] }
}

extension Plan {
  /// The first in declared order that a node needs and of which `hasFailed` says yes.
  func culprit(of node: NodeID, hasFailed: (NodeID) -> Bool) -> NodeID? {
    var culprit: NodeID?
    for edge in dependencies(of: node) where edge.need == .success || edge.need == .input {
      if let known = culprit, known <= edge.node { continue }
      if hasFailed(edge.node) { culprit = edge.node }
    }
    return culprit
  }
}
