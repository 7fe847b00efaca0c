import TideFixtures
import TideGraph
import TideValue

/// Draws a plan, node by node.
struct Drawing {
  let choices: SeededChoices
  /// By node: whom it waits for, the turn in a fallback included.
  var waitsFor: [Set<NodeID>] = []
  var held: Set<NodeID> = []
  var cleanup: Set<NodeID> = []
  var functions = 0

  init(_ seed: UInt64) {
    choices = SeededChoices(seed: seed)
  }

  func chance(_ percent: Int) -> Bool { choices.choose(100) < percent }

  func pick<Item>(_ items: [Item]) -> Item { items.count == 1 ? items[0] : items[choices.choose(items.count)] }

  mutating func function() -> FunctionID {
    functions += 1
    return FunctionID(functions - 1)
  }

  mutating func draw(into random: inout RandomPlan) {
    random.queues = [
      Queue(name: "one", width: 1), Queue(name: "three", width: 3),
      Queue(name: "slow", width: nil, rate: Queue.Rate(interval: .milliseconds(10), burst: 2)),
      Queue(name: "hosts", width: 1, isPerHost: true),
      Queue(name: "trips", width: 2, trip: Queue.Trip(after: 2, rest: .milliseconds(50))),
    ]
    for (name, value) in [("yes", "true"), ("no", "false"), ("list", #"[{"id":"x","t":3}]"#), ("null", "null")] {
      random.inputs[NodeID(random.nodes.count)] = json(value)
      add(Node(name: name, verb: .input(InputSpec())), to: &random)
    }
    let count = pick([3, 8, 20, 56])
    for _ in 0..<1 + choices.choose(count) { drawNode(into: &random) }
    drawResult(into: &random)
  }

  private mutating func add(_ node: Node, to random: inout RandomPlan) {
    let id = NodeID(random.nodes.count)
    random.nodes.append(node)
    let edges = Plan(nodes: random.nodes).dependencies(of: id)
    waitsFor.append(Set(edges.map(\.node)))
    if node.options?.isAlways == true { cleanup.insert(id) }
  }

  private mutating func drawNode(into random: inout RandomPlan) {
    let name = "n\(random.nodes.count)"
    let isCleanup = chance(8)
    let pool = NodeIDs(count: random.nodes.count).filter { isCleanup || !cleanup.contains($0) }
    let kind = choices.choose(100)
    var settings = NodeSettings()
    settings.isAlways = isCleanup
    let verb = drawVerb(kind, name, pool, &settings, &random)
    drawOptions(name, pool, &settings, &random)
    let options = NodeOptions(
      after: chance(15) ? some(2, of: pool) : [], needs: chance(12) ? some(2, of: pool) : [], settings)
    add(Node(name: name, verb: verb, options: options), to: &random)
    if case .fallback(let spec) = verb { hold(spec, by: NodeID(random.nodes.count - 1)) }
  }

  func some(_ most: Int, of pool: [NodeID]) -> [NodeID] {
    (0..<choices.choose(most + 1)).map { _ in recent(pool) }
  }

  /// More often one of the last few: chains become long.
  func recent(_ pool: [NodeID]) -> NodeID { chance(60) ? pick(pool.suffix(6)) : pick(pool) }

  private mutating func drawVerb(
    _ kind: Int, _ name: String, _ pool: [NodeID], _ settings: inout NodeSettings, _ random: inout RandomPlan
  ) -> Verb {
    switch kind {
    case 0..<34: return drawRequest(name, pool, &settings, &random)
    case 34..<50: return drawStep(name, pool, &settings, &random)
    case 50..<62:
      let inputs = joinInputs(4, pool)
      return .merge(
        MergeSpec(
          inputs: inputs, wait: wait(inputs.count),
          how: chance(15) ? .object(names: inputs.indices.map { "f\($0)" }) : .concat, tag: chance(10) ? "from" : nil,
          cancelsRest: chance(25)))
    case 62..<74:
      let inputs = joinInputs(4, pool)
      return .barrier(BarrierSpec(inputs: inputs, wait: wait(inputs.count), cancelsRest: chance(25)))
    case 74..<82:
      if let fallback = drawFallback(pool, random) { return .fallback(fallback) }
      return .barrier(BarrierSpec(inputs: []))
    case 82..<88: return .sleep(drawLength(pool))
    case 88..<91:
      for index in 0..<choices.choose(4) { random.signals.append((name, Value(index))) }
      return .signal(SignalSpec(count: 1 + choices.choose(2)))
    case 91..<96:
      let key = try? SortKey(pick(["t", "-t", "id"]))
      return .sort(
        SortSpec(input: .value(of: recent(pool)), keys: [key].compactMap { $0 }, limit: chance(20) ? 2 : nil))
    default:
      let operation: DataSpec.Operation = chance(50) ? .slice(offset: 0, limit: 2) : .distinct([])
      return .data(DataSpec(input: .value(of: recent(pool)), operation: operation))
    }
  }

  private func drawLength(_ pool: [NodeID]) -> Expression {
    if chance(10) { return .value(of: recent(pool)) }
    return .literal(pick([Value("5ms"), Value("1s"), Value("45s"), Value("nonsense"), Value(0)]))
  }

  private func wait(_ count: Int) -> Wait {
    if count > 0, chance(30) { return .atLeast(1 + choices.choose(count + 1) % count) }
    return chance(50) ? .settled : .all
  }

  /// Distinct nodes, since an input is made of one node, and each is counted.
  private func joinInputs(_ most: Int, _ pool: [NodeID]) -> [Expression] {
    some(most, of: pool).map { node in
      if chance(8) { return .path(.value(of: node), path("items"), fallback: json("[]")) }
      if chance(6) { return .question(pick([.value, .ok, .error]), node) }
      return .value(of: node)
    }
  }
}

func path(_ text: String) -> Path {
  do { return try Path(text) } catch { preconditionFailure("no path: \(text)") }
}

/// A value written as JSON.
func json(_ text: String) -> Value {
  do { return try Value.parse(text) } catch { preconditionFailure("no JSON: \(text): \(error)") }
}
