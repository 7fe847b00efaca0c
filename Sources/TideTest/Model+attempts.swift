import TideEngine
import TideGraph
import TideValue

/// Attempts: each takes the next thing that the run was answered.
extension Model {
  /// What comes of a request or a step with all its attempts.
  ///
  /// - Throws: the last attempt's failure.
  mutating func attempts(
    _ node: NodeID, _ spec: RequestSpec? = nil, _ wanted: [Value] = []
  ) throws(Failure) -> Value {
    let options = plan.nodes[node].options
    var number = 1
    while true {
      do throws(Failure) {
        return try attempt(number, node, spec, wanted)
      } catch {
        var failure = error
        guard let retry = options?.retry else { throw failure }
        failure.attempts = number
        if stopped.contains(node) { throw error }
        let request = try spec.map { spec throws(Failure) in try spec.request(self, timeout: nil, key: "made") }
        guard number <= retry.times, retry.repeats(failure, of: request) else { throw failure }
        guard waits(for: failure, retry), !gaveUp(node, after: number) else { throw failure }
        number += 1
      }
    }
  }

  private mutating func attempt(
    _ number: Int, _ node: NodeID, _ spec: RequestSpec?, _ wanted: [Value]
  ) throws(Failure) -> Value {
    if let tripped = trippedAttempt(number, node) { throw tripped }
    let request = try spec.map { spec throws(Failure) in try spec.request(self, timeout: nil, key: "made") }
    let subject = request.map { Ask.subject(of: $0) } ?? Ask.subject(ofStep: plan.nodes[node].name)
    switch try nextAnswer(subject, node) {
    case .value(let value): return value
    case .failure(let failure): throw failure
    case .response(let response):
      guard let spec else { return .null }
      let body = try spec.accept(response, wanted: wanted)
      let whole = response.asValue(body: body, attempts: number)
      responses[node] = whole
      if spec.expectation.function != nil {
        switch try nextAnswer(Ask.subject(ofStep: plan.nodes[node].name), node) {
        case .failure(let failure): throw failure
        case .value(let verdict) where isTruthy(verdict): break
        default: throw Failure(.expectation, "its 'expect' function says no", body: body)
        }
      }
      return try spec.extracted(from: body)
    }
  }

  /// The next thing that the run was answered.
  ///
  /// - Throws: what came in place of an answer: a limit of time, or nothing.
  /// - Parameter isAttempt: whether the node's `timeout` limits it.
  mutating func nextAnswer(
    _ subject: String, _ node: NodeID, isAttempt: Bool = true
  ) throws(Failure) -> Ask.Answer {
    let asks = run.asks.filter { $0.subject == subject }
    let taken = asksTaken[subject] ?? 0
    guard taken < asks.count else {
      // It may have run out of time in a queue.
      try checkDeadline(node)
      complain(node, "asked for \(subject) \(taken) times, where once more is right")
      throw Failure(.lost, "never asked for")
    }
    asksTaken[subject] = taken + 1
    let ask = asks[taken]
    if isStopped(node), taken + 1 == asks.count {
      // Whether the deadline came before the answer. At one instant either may: who asks for more had the answer.
      let (answered, end) = (ask.answeredAt ?? .seconds(Int64.max), endTime(of: node))
      if answered > end || answered == end && !hasMoreAsks(node) { try checkDeadline(node) }
    }
    if isAttempt, let timeout = plan.nodes[node].options?.timeout {
      let took = ask.answeredAt.map { $0 - ask.askedAt }
      if took.map({ $0 > timeout }) ?? (ask.fault != .lost) { throw Failure(.timeout, "no answer in time") }
    }
    if let answer = ask.answer { return answer }
    if ask.fault == .lost { throw Failure(.lost, "dropped without an answer") }
    complain(node, "ended without the answer to \(ask)")
    throw Failure(.lost, "never answered")
  }

  /// Whether the run ended this node by its deadline.
  func isStopped(_ node: NodeID) -> Bool {
    guard let failure = run.report?.failure(of: node), failure.kind == .timeout else { return false }
    return failure.message.contains("did not end within")
  }

  /// Takes it as given that the deadline passed, if there is one and the time had come.
  ///
  /// - Throws: the deadline's failure, if it passed.
  mutating func checkDeadline(_ node: NodeID) throws(Failure) {
    guard isStopped(node) else { return }
    let options = plan.nodes[node].options
    // An `always` node has a limit if it says nothing.
    guard let deadline = options?.deadline ?? (options?.isAlways == true ? .seconds(30) : nil) else {
      return complain(node, "was stopped by a deadline that it does not have")
    }
    let ends = plan.dependencies(of: node).map { endTime(of: $0.node) }
    // A join that need not wait for all may be ready as soon as one has ended.
    let opensEarly: Bool =
      switch plan.wait(of: node) {
      case .atLeast, .first: true
      case .all, .settled, nil: false
      }
    let ready = (opensEarly ? ends.min() : ends.max()) ?? .zero
    if endTime(of: node) - ready < deadline { complain(node, "was stopped before its deadline") }
    stopped.insert(node)
    throw Failure(.timeout, "did not end within its deadline")
  }

  /// Whether the run asked for something in the name of this node that is not accounted for.
  func hasMoreAsks(_ node: NodeID) -> Bool {
    for subject in subjects(of: node) {
      if run.asks.count(where: { $0.subject == subject }) > asksTaken[subject] ?? 0 { return true }
    }
    return false
  }

  private func subjects(of node: NodeID) -> [String] {
    var subjects = [Ask.subject(ofStep: plan.nodes[node].name)]
    if case .request(let spec) = plan.nodes[node].verb,
      let request = try? spec.request(self, timeout: nil, key: "made")
    {
      subjects.append(Ask.subject(of: request))
    }
    return subjects
  }

  func endTime(of node: NodeID) -> Duration {
    for event in run.events {
      if case .nodeEnded(let instance, _, _, _, _) = event.kind, instance.node == node { return event.time }
    }
    return .zero
  }

  /// Whether the engine waits as long as the failure's `Retry-After` asks.
  private func waits(for failure: Failure, _ retry: Retry) -> Bool {
    guard let text = failure.retryAfter, let asked = RetryAfter.delay(text, now: 0) else { return true }
    return asked <= retry.longestRetryAfter
  }

  /// Whether the run made no further attempt since it would have come after the deadline: taken as given.
  private func gaveUp(_ node: NodeID, after attempt: Int) -> Bool {
    guard let failure = run.report?.failure(of: node) else { return false }
    return failure.attempts == attempt && failure.message.contains("would come after its deadline")
      && (plan.nodes[node].options?.deadline != nil || plan.nodes[node].options?.isAlways == true)
  }

  /// The failure of an attempt that was not sent since the queue's breaker rests: taken as given, if it can be.
  private mutating func trippedAttempt(_ number: Int, _ node: NodeID) -> Failure? {
    for event in run.events {
      guard case .attemptEnded(let instance, let attempt, let failure?) = event.kind, instance.node == node,
        attempt == number, failure.kind == .tripped
      else { continue }
      let trip = plan.nodes[node].options?.queue.flatMap { plan.queues[Int($0.index)].trip }
      guard let trip else {
        complain(node, "was refused by a breaker that is not there")
        return failure
      }
      if failuresBefore(event.time, inQueueOf: node) < trip.after {
        complain(node, "was refused by a breaker that had not tripped")
      }
      return failure
    }
    return nil
  }

  /// How many attempts in the node's queue had failed by then.
  private func failuresBefore(_ time: Duration, inQueueOf node: NodeID) -> Int {
    let queue = plan.nodes[node].options?.queue
    return run.events.count { event in
      guard case .attemptEnded(let instance, _, let failure?) = event.kind, event.time <= time else { return false }
      return failure.kind != .tripped && plan.nodes[instance.node].options?.queue == queue
    }
  }

  /// A node that was stopped may have asked for anything that it could ask for.
  mutating func forgetAsks(of node: NodeID) {
    for subject in subjects(of: node) {
      let made = run.asks.count { $0.subject == subject }
      if made > 0 { asksTaken[subject] = made }
    }
  }
}
