import TideGraph
import TideValue

/// Requests, steps, fallbacks, and the options of all.
extension Drawing {
  mutating func drawRequest(
    _ name: String, _ pool: [NodeID], _ settings: inout NodeSettings, _ random: inout RandomPlan
  ) -> Verb {
    var parts: [TextPart] = [.text("http://h\(choices.choose(3)).test/\(name)")]
    if chance(10) { parts += [.text("/"), .joined(.field(.value(of: recent(pool)), "id"))] }
    if chance(10) { parts += [.text("/"), .joined(.question(.ok, recent(pool)))] }
    var spec = RequestSpec(method: pick(["GET", "GET", "PUT", "POST"]), url: .text(parts))
    let uses = some(2, of: pool).map { Expression.value(of: $0) }
    if spec.method != "GET", !uses.isEmpty { spec.body = .json(.list(uses)) }
    if chance(10), spec.method == "POST" { spec.idempotencyKey = .made }
    let hasItems = chance(40)
    if hasItems { spec.extract = path("items") }
    if hasItems, chance(40) {
      spec.expectation.body = .paths([Condition.Requirement(path: path("ok"), wanted: .literal(Value(true)))])
    }
    if chance(6) {
      let function = function()
      spec.expectation.function = function
      random.replies["\(name)/\(function.index)"] = verdicts()
    }
    settings.retry = drawRetry()
    if chance(20) { settings.queue = QueueID(4) }
    random.replies[name] = (0...choices.choose(4)).map { _ in drawReply(name, hasItems) }
    return .request(spec)
  }

  private func verdicts() -> [Reply] {
    (0...choices.choose(3)).map { _ in
      Reply(content: chance(15) ? .failure(.step) : .value(Value(chance(70))), delay: delay())
    }
  }

  private func drawReply(_ name: String, _ hasItems: Bool) -> Reply {
    let list = #"[{"id":"\#(name)","t":\#(choices.choose(4))}]"#
    let body = hasItems ? #"{"ok":\#(chance(85)),"items":\#(list)}"# : chance(90) ? list : "7"
    let content: Reply.Content
    switch choices.choose(20) {
    case 0: content = .failure(pick([.connect, .timeout, .reset, .tls, .truncated]))
    case 1: content = .body("{}", status: pick([500, 503, 404]))
    case 2: content = .body("", status: 429, retryAfter: pick(["0", "1", "301", "soon"]))
    case 3: content = chance(50) ? .body("") : .body("{\"x")
    default: content = .body(body)
    }
    return Reply(content: content, delay: delay())
  }

  func delay() -> Duration { chance(50) ? .zero : .milliseconds(1 + choices.choose(9)) }

  private func drawRetry() -> Retry? {
    guard chance(30) else { return nil }
    var retry = Retry(times: choices.choose(4))
    retry.wait = .milliseconds(1 + choices.choose(10))
    retry.hasJitter = chance(50)
    retry.anyMethod = chance(30)
    if chance(30) { retry.causes.groups = Set(Retry.Group.allCases.filter { _ in chance(50) }) }
    if chance(20) { retry.causes.statuses = [400...599] }
    return retry
  }

  mutating func drawStep(
    _ name: String, _ pool: [NodeID], _ settings: inout NodeSettings, _ random: inout RandomPlan
  ) -> Verb {
    let function = function()
    let arguments = some(3, of: pool).map { node -> Expression in
      if chance(30) { return .question(pick(Question.allCases), node) }
      return chance(5) ? .response(of: node) : .value(of: node)
    }
    settings.retry = drawRetry()
    random.replies["\(name)/\(function.index)"] = (0...choices.choose(3)).map { _ in
      Reply(content: chance(15) ? .failure(.step) : chance(8) ? .value(.null) : .digest, delay: delay())
    }
    return .step(StepSpec(function: function, arguments: arguments))
  }

  /// Inputs that can be held: each only once, and none that one before it waits for.
  mutating func drawFallback(_ pool: [NodeID], _ random: RandomPlan) -> FallbackSpec? {
    var inputs: [NodeID] = []
    var edges = waitsFor
    for node in some(4, of: pool) where !inputs.contains(node) {
      if let before = inputs.last {
        if held.contains(node) || random.nodes[Int(node.index)].verb.isGiven { continue }
        // What runs before all cleanup can't wait for cleanup to fail.
        if cleanup.contains(before), !cleanup.contains(node) { continue }
        if reaches(before, node, edges) { continue }
        edges[node].insert(before)
      }
      inputs.append(node)
    }
    guard !inputs.isEmpty else { return nil }
    var expressions = inputs.map { Expression.value(of: $0) }
    if chance(20) { expressions.append(.literal(json("[]"))) }
    return FallbackSpec(inputs: expressions)
  }

  /// Whether a node waits for another, however far away.
  private func reaches(_ node: NodeID, _ other: NodeID, _ edges: [Set<NodeID>]) -> Bool {
    var pending = [node]
    var seen: Set<NodeID> = []
    while let next = pending.popLast() {
      if next == other { return true }
      if seen.insert(next).inserted { pending += edges[next] }
    }
    return false
  }

  mutating func hold(_ spec: FallbackSpec, by fallback: NodeID) {
    let inputs = spec.inputs.compactMap(\.onlyNode)
    for (before, input) in zip(inputs, inputs.dropFirst()) {
      held.insert(input)
      waitsFor[input].insert(before)
    }
  }

  mutating func drawOptions(
    _ name: String, _ pool: [NodeID], _ settings: inout NodeSettings, _ random: inout RandomPlan
  ) {
    if chance(18) { settings.when = drawWhen(name, pool, &random) }
    if chance(8) { settings.timeout = pick([.milliseconds(20), .seconds(100)]) }
    if chance(8) { settings.deadline = pick([.milliseconds(15), .milliseconds(300), .seconds(1000)]) }
    if chance(15) { settings.otherwise = json(#"[{"id":"other","t":1}]"#) }
    if settings.queue == nil, chance(30) { settings.queue = QueueID(choices.choose(random.queues.count)) }
  }

  private mutating func drawWhen(_ name: String, _ pool: [NodeID], _ random: inout RandomPlan) -> When {
    switch choices.choose(6) {
    case 0, 1: return When(.value(of: pick([NodeID(0), NodeID(0), NodeID(1), NodeID(3)])))
    case 2: return When(.question(pick([.ok, .failed, .error, .value]), recent(pool)))
    case 3: return When(.value(of: recent(pool)))
    case 4:
      let wanted = Expression.object([Expression.Field(key: "exists", value: .literal(Value(chance(50))))])
      return When(.value(of: recent(pool)), condition: .paths([Condition.Requirement(path: path("t"), wanted: wanted)]))
    default:
      let function = function()
      random.replies["\(name)/\(function.index)"] = verdicts()
      return When(.value(of: recent(pool)), condition: .function(function))
    }
  }

  mutating func drawResult(into random: inout RandomPlan) {
    let pool = NodeIDs(count: random.nodes.count).filter { !cleanup.contains($0) }
    var fields: [(key: String, value: Plan.Result)] = []
    for index in 0...choices.choose(4) {
      let node = recent(pool)
      let expression: Expression =
        chance(15)
        ? .question(pick(Question.allCases), node)
        : chance(10) ? .path(.value(of: node), path("items"), fallback: .null) : .value(of: node)
      fields.append(("r\(index)", .expression(expression)))
    }
    random.result = chance(50) ? fields[0].value : chance(50) ? .table(fields) : .list(fields.map(\.value))
  }
}
