import TideEngine
import TideGraph

extension RunReport {
  /// What does not fit together in a report.
  var complaints: [String] {
    var found: [String] = []
    for node in plan.nodeIDs {
      let ending = ending(of: node)
      let name = plan.nodes[node].name
      if ending.outcome != .ok, !value(of: node).isNull {
        found.append("'\(name)' is \(ending.outcome.name), and has a value")
      }
      if ending.outcome == .failed, failure(of: node) == nil { found.append("'\(name)' failed without a reason") }
      if ending.outcome == .blocked, blamed(for: node) == nil { found.append("'\(name)' is blocked by nobody") }
    }
    return found
  }
}
