import TideEngine
import TideGraph
import TideTest
import TideValue

/// A random plan, run by engine and model.
struct Trial {
  var random: RandomPlan
  /// What goes wrong; a trial without faults shows that most plans end by themselves.
  var faults: [Fault]
  /// The seed of the order and the faults.
  var course: UInt64

  /// - Parameter seed: decides everything.
  init(seed: UInt64) {
    random = RandomPlan(seed: seed)
    faults = [[], Fault.ofAnswers, Fault.all, [.twice, .late], [.cancel]][Int(seed % 5)]
    course = seed &* 31
  }

  func run() -> Observation {
    var exploration = random.exploration
    exploration.faults = faults
    exploration.maximumFaults = 4
    exploration.odds = 6
    return exploration.replay(.seed(course))
  }

  /// What is wrong; empty if nothing is.
  func complaints() -> [String] { complaints(about: run()) }

  func complaints(about run: Observation) -> [String] {
    guard run.report != nil else { return run.complaints }
    var model = Model(random.plan, inputs: random.inputs, signals: random.signals, run: run)
    return run.complaints + model.check()
  }
}

extension Trial: CustomStringConvertible {
  /// The nodes that are left, and how they ended.
  var description: String {
    let run = run()
    let plan = random.plan
    var lines = ["seed \(random.seed), course \(course): \(run)"]
    for node in plan.nodeIDs {
      if case .input = plan.nodes[node].verb, plan.dependents(of: node).isEmpty { continue }
      let ending = run.report?.ending(of: node)
      let uses = plan.dependencies(of: node).map { "\($0.need) \(plan.nodes[$0.node].name)" }.joined(separator: ", ")
      let failure = run.report?.failure(of: node).map { " (\($0.message))" } ?? ""
      let declared = "\(plan.nodes[node].name): \(plan.nodes[node].verb.name) [\(uses)] \(plan.nodes[node].summary)"
      lines.append("  \(declared) -> \(ending?.outcome.name ?? "?")\(failure)")
    }
    return (lines + complaints(about: run).map { "  ! \($0)" }).joined(separator: "\n")
  }
}

extension Node {
  /// Its options, in a few words.
  fileprivate var summary: String {
    var words: [String] = []
    switch verb {
    case .merge(let spec): words.append("wait \(spec.wait)\(spec.cancelsRest ? " cancel_rest" : "")")
    case .barrier(let spec): words.append("wait \(spec.wait)\(spec.cancelsRest ? " cancel_rest" : "")")
    default: break
    }
    if let queue = options?.queue { words.append("queue \(queue.index)") }
    if options?.when != nil { words.append("when") }
    if let timeout = options?.timeout { words.append("timeout \(timeout)") }
    if let deadline = options?.deadline { words.append("deadline \(deadline)") }
    if let retry = options?.retry { words.append("retry \(retry.times)") }
    if options?.otherwise != nil { words.append("otherwise") }
    if options?.isAlways == true { words.append("always") }
    return words.joined(separator: " ")
  }
}
