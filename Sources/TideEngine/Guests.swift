import TideBarrier
import TideGraph
import TideValue

/// A step's wish for a request. The step holds it, and stops it with it; it answers once.
final class FetchCall: Abortable, Sendable {
  let context: StepContext
  let fetch: Fetch
  private let inbox: Inbox<Message>
  private let completion: Locked<(@Sendable (Result<Value, Failure>) -> Void)?>

  init(
    _ context: StepContext, _ fetch: Fetch, inbox: Inbox<Message>,
    _ completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) {
    self.context = context
    self.fetch = fetch
    self.inbox = inbox
    self.completion = Locked(completion)
  }

  /// The run ended without having heard of it.
  deinit {
    answer(.failure(.stopped))
  }

  func abort() {
    inbox.post(.stopFetch(self))
  }

  func answer(_ result: Result<Value, Failure>) {
    completion.withLock { $0.take() }?(result)
  }
}

/// The requests that steps make while they run. Each has a place behind the plan's nodes, in the same arrays, and does what
/// a request node does; a place is used again when its guest has ended.
struct Guests {
  struct Guest {
    let call: FetchCall
    let parent: NodeID
    /// From 1, within its step.
    let number: UInt32
  }

  private var guests: [NodeID: Guest] = [:]
  private var ofStep: [NodeID: [NodeID]] = [:]
  private var asked: [NodeID: UInt32] = [:]
  private var free: [NodeID] = []
  /// Those that may wait for a permit of a queue while their step holds one: the ones to look at for steps that hold each
  /// other up.
  var suspects: [NodeID] = []

  subscript(node: NodeID) -> Guest? { guests.isEmpty ? nil : guests[node] }

  func contains(_ node: NodeID) -> Bool { !guests.isEmpty && guests[node] != nil }

  /// Those that a step is waiting for.
  func of(step: NodeID) -> [NodeID] { ofStep.isEmpty ? [] : ofStep[step] ?? [] }

  /// Every guest with its step.
  var all: [(guest: NodeID, step: NodeID)] { guests.map { ($0.key, $0.value.parent) } }

  /// A place that is free, if one is.
  mutating func takePlace() -> NodeID? { free.popLast() }

  mutating func add(_ call: FetchCall, at place: NodeID) {
    let parent = call.context.node
    asked[parent, default: 0] += 1
    guests[place] = Guest(call: call, parent: parent, number: asked[parent] ?? 1)
    ofStep[parent, default: []].append(place)
  }

  func place(of call: FetchCall) -> NodeID? {
    of(step: call.context.node).first { guests[$0]?.call === call }
  }

  mutating func remove(_ place: NodeID) -> Guest? {
    guard let guest = guests.removeValue(forKey: place) else { return nil }
    ofStep[guest.parent]?.removeAll { $0 == place }
    if ofStep[guest.parent]?.isEmpty == true { ofStep[guest.parent] = nil }
    free.append(place)
    return guest
  }
}

extension Runner {
  func options(of node: NodeID) -> NodeOptions? {
    if let guest = guests[node] { return guest.call.fetch.options }
    return Int(node.index) < plan.nodes.count ? plan.nodes[node].options : nil
  }

  /// As events call it: what a step fetches is an item of the step.
  func instance(of node: NodeID) -> Instance {
    guard let guest = guests[node] else { return Instance(node) }
    return Instance(guest.parent, at: .item(index: guest.number - 1, of: guest.parent, in: .root))
  }

  func rank(of node: NodeID) -> DeclaredOrder.Rank {
    guard let guest = guests[node] else { return DeclaredOrder.Rank(node: node, number: 0) }
    return DeclaredOrder.Rank(node: guest.parent, number: guest.number)
  }

  func startFetch(_ call: FetchCall) {
    let step = call.context.node
    guard remaining > 0, nodes[step].isCurrent(call.context.serial) else { return call.answer(.failure(.stopped)) }
    if let queue = call.fetch.options?.queue {
      guard plan.queues.indices.contains(Int(queue.index)) else {
        return call.answer(.failure(Failure(.queue, "the queue is of another script")))
      }
      if queue == plan.nodes[step].options?.queue {
        let name = plan.queues[Int(queue.index)].name
        return call.answer(
          .failure(
            Failure(
              .queue, "the step holds a permit of the queue '\(name)', and asks for another one inside",
              help: "take the queue from the step, or from what it fetches")))
      }
    }
    let place = guests.takePlace() ?? nodes.end
    if place == nodes.end {
      nodes.append(NodeState(Join(dependencies: [])))
      endings.append(Verdict.Ending(.cancelled))
      values.append(.null)
    }
    nodes[place].restart()
    guests.add(call, at: place)
    nodes[step].hasMore = true
    if let options = call.fetch.options { limit(place, options) }
    attempt(place) { () throws(Failure) in try prepareRequest(place, call.fetch.spec) }
    if call.fetch.options?.queue != nil, plan.nodes[step].options?.queue != nil { guests.suspects.append(place) }
  }

  /// Steps that hold permits which each other's requests wait for would wait for ever: the request that closes the circle
  /// fails. True if one did.
  func breakCircle() -> Bool {
    guard !guests.suspects.isEmpty else { return false }
    let suspects = guests.suspects.filter { guests.contains($0) }
    guests.suspects = []
    let heldUp = suspects.isEmpty ? [] : lines.heldUp(guests.all)
    guard let place = suspects.first(where: { guests[$0].map { heldUp.contains($0.parent) } ?? false }),
      let guest = guests[place], let queue = guest.call.fetch.options?.queue
    else { return false }
    let others = heldUp.subtracting([guest.parent]).sorted().map { "'\(plan.nodes[$0].name)'" }
    let name = plan.queues[Int(queue.index)].name
    fail(
      place,
      Failure(
        .queue,
        "waits for a permit of the queue '\(name)' that will never be free: \(others.joined(separator: ", ")) "
          + "and this step hold permits that each other's requests wait for",
        help: "let steps that fetch hold no queue, or let all of them take their queues in one order"))
    guests.suspects = suspects.filter { $0 != place }
    return true
  }

  func stopFetch(_ call: FetchCall) {
    if let place = guests.place(of: call) { cancel(place) }
  }

  /// The step has no use for what it still waits for.
  func stopFetches(of step: NodeID) {
    for place in guests.of(step: step) { cancel(place) }
  }

  /// A guest ended: the step gets its answer, and the place is free.
  func endFetch(_ place: NodeID, _ outcome: Outcome, _ value: Value?) {
    let failure = failures.removeValue(forKey: place)
    closeAttempt(of: place, outcome == .cancelled ? .stopped : failure)
    letGo(of: place)
    guard let guest = guests.remove(place) else { return }
    guest.call.answer(outcome == .ok ? .success(value ?? .null) : .failure(failure ?? .stopped))
  }
}
