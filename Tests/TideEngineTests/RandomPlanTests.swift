import Testing
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// Random plans against a model that knows the rules and nothing about time.
@Suite struct RandomPlanTests {
  @Test(arguments: 0..<300) func `a random plan ends as the model says`(_ seed: Int) throws {
    var random = RandomPlan(seed: UInt64(seed))
    random.draw()
    let model = random.outcomes()
    for lanes in [LanePolicy.first, .chosen] {
      let world = World(random.sketch, random.acts, choices: SeededChoices(seed: UInt64(seed) &* 31), lanes: lanes)
      for (node, value) in random.inputs { world.inputs[node] = value }
      let report = try world.run()
      let outcomes = report.plan.nodeIDs.map { report.ending(of: $0).outcome }
      #expect(outcomes == model, "seed \(seed), \(report.summary)")
    }
  }
}

/// A plan that a seed draws, and how its nodes must end.
private struct RandomPlan {
  var sketch = Sketch()
  var acts: [String: Act] = [:]
  var inputs: [NodeID: Value] = [:]
  private var failing: Set<NodeID> = []
  private let choices: SeededChoices

  init(seed: UInt64) { choices = SeededChoices(seed: seed) }

  private func chance(_ percent: Int) -> Bool { choices.choose(100) < percent }

  mutating func draw() {
    let lines = [sketch.queue("one", width: 1), sketch.queue("three", width: 3)]
    inputs[sketch.input("yes")] = Value(true)
    inputs[sketch.input("no")] = Value(false)
    for index in 0..<choices.choose(28) + 2 {
      let uses = some(3, of: index + 2)
      let options = NodeOptions(
        after: chance(20) ? some(2, of: index + 2) : [], needs: chance(20) ? some(2, of: index + 2) : [],
        when: chance(20) ? When(.value(of: NodeID(choices.choose(index + 2)))) : nil,
        timeout: chance(10) ? .seconds(100) : nil, deadline: chance(10) ? .seconds(1000) : nil,
        otherwise: chance(15) ? json("[0]") : nil, queue: chance(30) ? lines[choices.choose(2)] : nil)
      let node = add("n\(index)", uses, options)
      guard chance(20), !sketch.nodes[Int(node.index)].verb.isJoin else { continue }
      failing.insert(node)
      acts["n\(index)"] = .fail("no", after: chance(50) ? .milliseconds(choices.choose(9) + 1) : .zero)
    }
  }

  private mutating func add(_ name: String, _ uses: [NodeID], _ options: NodeOptions) -> NodeID {
    let wait: Wait = chance(40) ? .settled : chance(30) ? .atLeast(choices.choose(4)) : .all
    switch choices.choose(4) {
    case 0:
      acts[name] = .answer(json("[\"\(name)\"]"), after: chance(50) ? .milliseconds(choices.choose(9) + 1) : .zero)
      return sketch.step(name, uses, options)
    case 1:
      acts[name] = .answer(json("[]"))
      return sketch.request(name, [], options)
    // Inputs that are booleans could not be merged.
    case 2: return sketch.merge(name, uses.filter { $0.index > 1 }, wait: wait, options)
    default: return sketch.barrier(name, uses, wait: wait, options)
    }
  }

  private func some(_ most: Int, of count: Int) -> [NodeID] {
    (0..<choices.choose(most + 1)).map { _ in NodeID(choices.choose(count)) }
  }

  /// The rules of DESIGN, in declared order: everything that a node waits for has its outcome before the node.
  func outcomes() -> [Outcome] {
    let plan = sketch.plan
    var outcomes: [Outcome] = []
    for node in plan.nodeIDs {
      let outcome = outcome(of: node, plan, outcomes)
      let hasOtherwise = plan.nodes[node].options?.otherwise != nil
      outcomes.append(outcome.isFailure && hasOtherwise ? .ok : outcome)
    }
    return outcomes
  }

  private func outcome(of node: NodeID, _ plan: Plan, _ outcomes: [Outcome]) -> Outcome {
    let needs = plan.dependencies(of: node).filter { $0.need == .success }.map { outcomes[$0.node] }
    let inputs = plan.dependencies(of: node).filter { $0.need == .input }.map { outcomes[$0.node] }
    let succeeded = inputs.count { $0 == .ok }
    let failed = inputs.count { $0.isFailure }
    if needs.contains(where: \.isFailure) { return .blocked }
    switch plan.wait(of: node) {
    case .all?: if failed > 0 { return .blocked }
    case .settled?: if failed > 0, succeeded == 0 { return .failed }
    case .atLeast(let count)?: if succeeded < count { return .failed }
    case .first?, nil: break
    }
    if needs.contains(.skipped) { return .skipped }
    // Of all values only that of the input `no` is false.
    if case .value(of: let subject)? = plan.nodes[node].options?.when?.subject, plan.nodes[subject].name == "no" {
      return .skipped
    }
    return failing.contains(node) ? .failed : .ok
  }
}

extension Verb {
  fileprivate var isJoin: Bool {
    switch self {
    case .merge, .barrier: true
    default: false
    }
  }
}
