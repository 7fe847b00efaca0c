import TideEngine
import TideGraph
import TideValue

/// One run of a plan, as it was seen from outside.
public struct Observation: Sendable {
  public let plan: Plan
  /// The way back here.
  public let trail: Trail
  /// Nil if the run never ended.
  public let report: RunReport?
  public let events: [RunEvent]
  /// What the run asked for, in the order in which it asked.
  public let asks: [Ask]
  /// The numbers of the asks in the order in which their answers came.
  public let arrivals: [Int]
  /// Whether it had to be cancelled, or was by a fault.
  public let wasCancelled: Bool
  /// What no run may do, and this one did. Empty for a run that is in order.
  public let complaints: [String]

  /// The asks with a fault, in the order of the asks.
  public var faults: [Ask] { asks.filter { $0.fault != nil } }

  /// What was answered, as far as it differs from run to run: runs for which this is equal got the same answers.
  var answersGiven: [String] {
    asks.filter { $0.fault?.changesAnswer == true }.map(\.description).sorted()
  }

  /// Whether it may be held against another run with the same answers: not one that somebody or a clock stopped.
  var isComparable: Bool { report != nil && !wasCancelled && report?.failure?.kind != .timeout }
}

extension Observation: CustomStringConvertible {
  /// The status, how to come here again, the faults, and the order of the answers.
  public var description: String {
    let status = report?.status.rawValue ?? "never ended"
    let faults = faults.isEmpty ? "" : "\n  faults: \(faults.map(\.description).joined(separator: "; "))"
    let order = arrivals.map { asks[$0].identity }.joined(separator: ", ")
    return "\(status) (\(trail))\(faults)\n  answers came in this order: \(order.isEmpty ? "none came" : order)"
  }
}

extension Observation {
  /// In what this run and another one differ, which got the same answers; empty if in nothing.
  ///
  /// Nodes that race (``Plan/racingNodes``) may end differently, and the result and the status with them.
  public func differences(to other: Observation) -> [String] {
    guard let report, let others = other.report else { return [] }
    // Cleanup has a time limit even if it says nothing.
    let racing = plan.racingNodes.union(plan.alwaysNodes)
    var found: [String] = []
    var raced = false
    for node in plan.nodeIDs {
      let (ending, otherEnding) = (report.ending(of: node), others.ending(of: node))
      let isSame =
        ending == otherEnding && report.value(of: node).json() == others.value(of: node).json()
        && report.failure(of: node)?.message == others.failure(of: node)?.message
      if racing.contains(node) {
        raced = raced || !isSame
      } else if !isSame {
        let name = plan.nodes[node].name
        found.append("'\(name)' is \(report.saying(of: node)), and was \(others.saying(of: node))")
      }
    }
    // Whatever the result is made of has been compared; what raced shows in it.
    if !raced {
      if report.status != others.status {
        found.append("the run is \(report.status.rawValue), and was \(others.status.rawValue)")
      }
      let (result, otherResult) = (report.result?.description ?? "none", others.result?.description ?? "none")
      if result != otherResult { found.append("the result is \(result), and was \(otherResult)") }
    }
    return found
  }
}

extension Verdict.Ending {
  fileprivate static func == (left: Verdict.Ending, right: Verdict.Ending) -> Bool {
    left.outcome == right.outcome && left.tookOtherwise == right.tookOtherwise
  }
}

extension RunReport {
  fileprivate func saying(of node: NodeID) -> String {
    let ending = ending(of: node)
    let outcome = ending.tookOtherwise ? "ok by its otherwise" : ending.outcome.name
    let reason = failure(of: node).map { " (\($0.message))" } ?? ""
    return ending.outcome == .ok ? "\(outcome) with \(value(of: node).excerpt)\(reason)" : outcome + reason
  }
}
