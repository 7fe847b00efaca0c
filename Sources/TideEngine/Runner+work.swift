import TideBarrier
import TideGraph
import TideValue

/// Asynchronous work: it goes out with a ticket, and comes back once, under the node's number.
extension Runner {
  private static func tag(_ node: NodeID, _ serial: UInt32) -> UInt64 { UInt64(node.index) << 32 | UInt64(serial) }

  /// A ticket for the node's next piece of work. The joins that wait for the node hold their barriers first.
  func ticket(for node: NodeID) -> Ticket<WorkResult> {
    holdBarriers(of: node)
    serials[node] &+= 1
    return tickets.issue(Runner.tag(node, serials[node]))
  }

  func run(_ function: FunctionID, of node: NodeID, _ arguments: [Value]) {
    let ticket = ticket(for: node)
    abortables[node] = configuration.stepRunner.run(function, arguments: arguments, context: context(of: node)) {
      ticket.settle(.value($0))
    }
  }

  func runEach(_ function: FunctionID, of node: NodeID, over list: Value, _ use: ItemUse) {
    let ticket = ticket(for: node)
    abortables[node] = configuration.stepRunner.runEach(function, over: list, use, context: context(of: node)) {
      ticket.settle(.value($0))
    }
  }

  private func context(of node: NodeID) -> StepContext {
    let declared = plan.nodes[node]
    return StepContext(
      node: node, name: declared.name, location: plan.sources.location(declared.place), wallClock: wallClock,
      log: stepLog)
  }

  func submit(_ task: DataJob.Task, of node: NodeID) {
    dataWorkers.add(DataJob(task: task, ticket: ticket(for: node)))
  }

  /// Limits the attempt that begins now by the node's `timeout`. Who keeps the limit itself gets a grace.
  func limitAttempt(of node: NodeID, grace: Duration) {
    guard let timeout = plan.nodes[node].options?.timeout else { return }
    keep(configuration.executor.after(timeout + grace) { [inbox] in inbox.post(.timedOut(node)) }, of: node)
  }

  func attemptTimedOut(_ node: NodeID) {
    guard phases[node] == .active, let timeout = plan.nodes[node].options?.timeout else { return }
    stop(node, Failure(.timeout, "no answer within \(timeout.readable), its 'timeout'"))
  }

  func deadlinePassed(_ node: NodeID) {
    guard phases[node] != .ended, let deadline = plan.nodes[node].options?.deadline else { return }
    stop(node, Failure(.timeout, "did not end within \(deadline.readable), its 'deadline'"))
  }

  private func stop(_ node: NodeID, _ failure: Failure) {
    let abortable = abortables[node]
    fail(node, failure)
    abortable?.abort()
  }

  /// Work came back. What is late, or comes twice, is dropped and recorded.
  func settle(_ tag: UInt64, _ settlement: Settlement<WorkResult>) {
    let node = NodeID(Int(tag >> 32))
    let isCurrent = phases[node] == .active && serials[node] == UInt32(truncatingIfNeeded: tag)
    switch settlement {
    case .outcome(let result) where isCurrent:
      abortables[node] = nil
      took(result, node)
    case .lost where isCurrent: fail(node, Failure(.lost, "whoever did its work dropped it without an answer"))
    case .lost: break
    case .outcome, .refused: events.add(.lateAnswer(Instance(node), attempt: 1))
    }
  }

  private func took(_ result: WorkResult, _ node: NodeID) {
    attempt(node) { () throws(Failure) in
      switch result {
      case .response(let response): answered(node, try response.get())
      case .reading(let reading): wasRead(node, try reading.get())
      case .value(let value): took(try value.get(), node)
      }
    }
  }

  private func took(_ value: Value, _ node: NodeID) {
    switch activities[node] {
    case .condition?:
      activities[node] = nil
      goOn(node, when: value.isTruthy)
    case .judging(let reading)?: judged(node, reading, verdict: value)
    case .inLine?, .inFlight?, .reading?, nil: end(node, .ok, value: value)
    }
  }
}
