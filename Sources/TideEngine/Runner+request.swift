import TideBarrier
import TideGraph
import TideValue

extension Runner {
  /// A body beyond this is read on a worker, so that it keeps no other answer waiting.
  private static let readInLine = 32 << 10

  private func spec(of node: NodeID) -> RequestSpec? {
    if case .request(let spec) = plan.nodes[node].verb { return spec }
    return nil
  }

  func prepareRequest(_ node: NodeID, _ spec: RequestSpec) throws(Failure) {
    let request = try spec.request(self, timeout: plan.nodes[node].options?.timeout)
    var wanted: [Value] = []
    if case .paths(let requirements)? = spec.expectation.body {
      for requirement in requirements { wanted.append(try requirement.wanted.evaluate(self)) }
    }
    activities[node] = .request(request, wanted: wanted)
    if let queue = plan.nodes[node].options?.queue {
      lines.stand(node, in: queue)
    } else {
      lines.stand(node, forRequestTo: request.origin)
    }
  }

  func send(_ node: NodeID) {
    guard case .request(let request, _)? = activities[node] else { return }
    events.add(.attemptStarted(Instance(node), attempt: 1))
    // The transport keeps the limit; the engine's own timer is for a transport that does not.
    limitAttempt(of: node, grace: .milliseconds(250))
    let ticket = ticket(for: node)
    abortables[node] = configuration.transport.send(request) { result in
      ticket.settle(.response(result))
    }
  }

  func requestFailed(_ node: NodeID, _ failure: Failure) {
    events.add(.attemptEnded(Instance(node), attempt: 1, failure))
    fail(node, failure)
  }

  /// The whole answer has arrived.
  func answered(_ node: NodeID, _ response: Response) {
    guard let spec = spec(of: node), case .request(_, let wanted)? = activities[node] else { return }
    if response.body.count > Runner.readInLine {
      activities[node] = .reading(response)
      submit(.read(response, spec, wanted: wanted), of: node)
      return
    }
    do {
      read(node, response, body: try spec.accept(response, wanted: wanted))
    } catch {
      requestFailed(node, error)
    }
  }

  /// The body is read, and is as `expect` says, unless `expect` is a function, which is asked now.
  func read(_ node: NodeID, _ response: Response, body: Value) {
    if plan.nodesWithResponse.contains(node) { responses[node] = response.asValue(body: body, attempts: 1) }
    guard let function = spec(of: node)?.expectation.function else { return accepted(node, body) }
    activities[node] = .judging(body: body)
    run(function, of: node, [response.asValue(body: body, attempts: 1)])
  }

  func judged(_ node: NodeID, body: Value, verdict: Value) {
    if verdict.isTruthy { return accepted(node, body) }
    requestFailed(node, Failure(.expectation, "its 'expect' function says no", body: body))
  }

  private func accepted(_ node: NodeID, _ body: Value) {
    guard let spec = spec(of: node) else { return }
    do {
      // What is kept for long must not keep all of a large answer alive.
      let value = try spec.extracted(from: body).detached()
      events.add(.attemptEnded(Instance(node), attempt: 1, nil))
      end(node, .ok, value: value)
    } catch {
      requestFailed(node, error)
    }
  }
}
