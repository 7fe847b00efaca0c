import TideEngine
import TideGraph

/// Counts who is at work at the same time: more than a queue's width, or than the limits of requests, may not be.
struct PermitCount {
  private enum Line: Hashable {
    case queue(QueueID, host: String?)
    case requests
    case origin(String)
  }

  private let plan: Plan
  private let configuration: RunConfiguration
  private var atWork: [Line: Int] = [:]
  private var working: Set<NodeID> = []

  init(_ plan: Plan, _ configuration: RunConfiguration) {
    self.plan = plan
    self.configuration = configuration
  }

  mutating func start(_ node: NodeID) -> String? {
    guard working.insert(node).inserted else { return nil }
    for line in lines(of: node) {
      atWork[line, default: 0] += 1
      guard let width = width(of: line), let count = atWork[line], count > width else { continue }
      return "'\(plan.nodes[node].name)' started as number \(count), where \(width) may be at work"
    }
    return nil
  }

  mutating func end(_ node: NodeID) {
    guard working.remove(node) != nil else { return }
    for line in lines(of: node) { atWork[line, default: 0] -= 1 }
  }

  private func lines(of node: NodeID) -> [Line] {
    var origin: String?
    if case .request(let spec) = plan.nodes[node].verb { origin = plan.origin(of: spec.url) ?? "?" }
    if let queue = plan.nodes[node].options?.queue {
      return [.queue(queue, host: plan.queues[Int(queue.index)].isPerHost ? origin ?? "" : nil)]
    }
    guard let origin else { return [] }
    // Where the URL tells the origin only while it runs, all that is known is how many there are in all.
    return origin.contains("{") || origin == "?" ? [.requests] : [.requests, .origin(origin)]
  }

  private func width(of line: Line) -> Int? {
    switch line {
    case .queue(let queue, let host):
      // A host that is known only while it runs has a line of its own.
      host.map { $0.contains("{") || $0 == "?" } == true ? nil : plan.queues[Int(queue.index)].width
    case .requests: configuration.maximumRequests
    case .origin: configuration.maximumRequestsToOrigin
    }
  }
}
