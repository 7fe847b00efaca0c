import TideBarrier
import TideGraph
import TideValue

/// Asynchronous work: it goes out with a ticket, and comes back once, under the node's number.
extension Runner {
  private static func tag(_ node: NodeID, _ serial: UInt32) -> UInt64 { UInt64(node.index) << 32 | UInt64(serial) }

  /// A ticket for the node's next piece of work. The joins that wait for the node hold their barriers first.
  func ticket(for node: NodeID) -> Ticket<WorkResult> {
    if !guests.contains(node) { holdBarriers(of: node) }
    return tickets.issue(Runner.tag(node, nodes[node].nextSerial()))
  }

  func run(_ function: FunctionID, of node: NodeID, _ arguments: [Value]) {
    let ticket = ticket(for: node)
    nodes[node].work = configuration.stepRunner.run(function, arguments: arguments, context: context(of: node)) {
      ticket.settle(WorkResult($0))
    }
  }

  func runEach(_ function: FunctionID, of node: NodeID, over list: Value, _ use: ItemUse) {
    let ticket = ticket(for: node)
    nodes[node].work = configuration.stepRunner.runEach(function, over: list, use, context: context(of: node)) {
      ticket.settle(WorkResult($0))
    }
  }

  private func context(of node: NodeID) -> StepContext {
    StepContext(
      node: node, name: plan.nodes[node].name, location: plan.sources.location(plan.nodes[node].place),
      wallClock: wallClock, log: stepLog, serial: nodes[node].serial, fetcher: fetcher)
  }

  func submit(_ task: DataJob.Task, of node: NodeID) {
    dataWorkers.add(DataJob(task: task, ticket: ticket(for: node)))
  }

  /// Work came back. What is late, or comes twice, is dropped and recorded.
  func settle(_ tag: UInt64, _ settlement: Settlement<WorkResult>) {
    let node = NodeID(Int(tag >> 32))
    let serial = UInt32(truncatingIfNeeded: tag)
    let isCurrent = nodes[node].isCurrent(serial)
    switch settlement {
    case .outcome(let result) where isCurrent:
      nodes[node].work = nil
      took(result, node)
    case .lost where isCurrent:
      nodes[node].work = nil
      workFailed(node, Failure(.lost, "whoever did its work dropped it without an answer"))
    case .lost: break
    // Whoever was stopped says so once more.
    case .outcome(.failure(let failure)) where failure.kind == .cancelled: break
    case .outcome, .refused:
      record(.lateAnswer(instance(of: node), attempt: course(of: node).attempt(of: serial)))
    }
  }

  /// An attempt failed, or the function of a condition did, which is not asked again.
  private func workFailed(_ node: NodeID, _ failure: Failure) {
    if case .condition? = activity(of: node) { fail(node, failure) } else { attemptFailed(node, failure) }
  }

  private func took(_ result: WorkResult, _ node: NodeID) {
    switch result {
    case .value(let value): took(value, node)
    case .response(let response): answered(node, response)
    case .reading(let reading): wasRead(node, reading)
    case .failure(let failure): workFailed(node, failure)
    }
  }

  private func took(_ value: Value, _ node: NodeID) {
    switch activity(of: node) {
    case .condition?:
      set(nil, of: node)
      goOn(node, when: value.isTruthy)
    case .judging(let reading)?: judged(node, reading, verdict: value)
    default: end(node, .ok, value: value)
    }
  }
}
