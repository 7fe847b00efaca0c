import TideBarrier
import TideGraph
import TideValue

extension Runner {
  /// A body beyond this is read on a worker, so that it keeps no other answer waiting.
  private static let readInLine = 32 << 10

  func spec(of node: NodeID) -> RequestSpec? {
    if let guest = guests[node] { return guest.call.fetch.spec }
    if case .request(let spec) = plan.nodes[node].verb { return spec }
    return nil
  }

  /// Makes the request, and stands in line for its permits.
  func prepareRequest(_ node: NodeID, _ spec: RequestSpec) throws(Failure) {
    let request = try makeRequest(of: node, spec)
    if let queue = options(of: node)?.queue {
      lines.stand(node, in: queue, origin: request.origin, rank(of: node))
    } else {
      lines.stand(node, forRequestTo: request.origin, rank(of: node))
    }
  }

  /// The request of the next attempt.
  func makeRequest(of node: NodeID, _ spec: RequestSpec) throws(Failure) -> Request {
    let request = try spec.request(self, timeout: options(of: node)?.timeout, key: madeKey(of: node))
    var wanted: [Value] = []
    if case .paths(let requirements)? = spec.expectation.body {
      for requirement in requirements { wanted.append(try requirement.wanted.evaluate(self)) }
    }
    set(.inLine(request, wanted: wanted), of: node)
    return request
  }

  func send(_ node: NodeID) {
    guard case .inLine(let request, let wanted)? = activity(of: node) else { return }
    set(.inFlight(wanted: wanted), of: node)
    record(.attemptStarted(instance(of: node), attempt: course(of: node).attempt))
    if let refusal = breakerRefusal(of: node, request) { return attemptFailed(node, refusal) }
    // The transport keeps the limit; the engine's own timer is for a transport that does not.
    limitAttempt(of: node, grace: .milliseconds(250))
    let ticket = ticket(for: node)
    nodes[node].work = configuration.transport.send(request) { result in
      ticket.settle(WorkResult(result))
    }
  }

  /// The whole answer has arrived.
  func answered(_ node: NodeID, _ response: Response) {
    guard let spec = spec(of: node), case .inFlight(let wanted)? = activity(of: node) else { return }
    if response.body.count > Runner.readInLine {
      set(.reading(response), of: node)
      submit(.read(response, spec, wanted: wanted), of: node)
      return
    }
    do throws(Failure) {
      read(node, response, try Reading(response, spec, wanted: wanted))
    } catch {
      attemptFailed(node, error)
    }
  }

  func wasRead(_ node: NodeID, _ reading: Reading) {
    guard case .reading(let response)? = activity(of: node) else { return }
    read(node, response, reading)
  }

  /// The body is read, and is as `expect` says, unless `expect` is a function, which is asked now.
  private func read(_ node: NodeID, _ response: Response, _ reading: Reading) {
    let function = spec(of: node)?.expectation.function
    let isKept = !plan.nodesWithResponse.isEmpty && plan.nodesWithResponse.contains(node)
    guard function != nil || isKept else { return accept(node, reading) }
    let value = response.asValue(body: reading.body, attempts: course(of: node).attempt)
    if isKept { responses[node] = value }
    guard let function else { return accept(node, reading) }
    set(.judging(reading), of: node)
    run(function, of: node, [value])
  }

  func judged(_ node: NodeID, _ reading: Reading, verdict: Value) {
    if verdict.isTruthy { return accept(node, reading) }
    attemptFailed(node, Failure(.expectation, "its 'expect' function says no", body: reading.body))
  }

  private func accept(_ node: NodeID, _ reading: Reading) {
    switch reading.value {
    case .success(let value): end(node, .ok, value: value)
    case .failure(let failure): attemptFailed(node, failure)
    }
  }
}
