import TideGraph
import TideValue

extension PlanText {
  func title(of node: NodeID) -> String {
    var marks = ""
    if secrets.contains(node) { marks += " [secret]" }
    if racing.contains(node) { marks += " [races]" }
    return "\(plan.nodes[node].verb.name) \"\(plan.nodes[node].name.oneLine)\"\(marks)"
  }

  func facts(of spec: InputSpec) -> [String] {
    let type = spec.type?.rawValue ?? "any type"
    let fallback = spec.fallback.map { "default \($0.excerpt.oneLine)" } ?? "required"
    var facts = ["\(type), \(fallback)"]
    if let allowed = spec.allowed {
      facts.append("one of \(allowed.map(\.excerpt.oneLine).joined(separator: ", "))")
    }
    return facts
  }

  func facts(of spec: SecretSpec) -> [String] { ["from --secret, a secrets file, or $\(spec.variable.oneLine)"] }

  /// What a node does, what it waits for and where, and the options that say when it ends.
  func facts(of node: NodeID) -> [String] {
    var facts = work(of: node)
    facts += waits(of: node)
    guard let options = plan.nodes[node].options else { return facts.isEmpty ? ["waits for nothing"] : facts }
    if let when = options.when { facts.append("only when \(expressions.when(when).oneLine)") }
    if let queue = options.queue { facts.append("in the queue \(plan.queues[Int(queue.index)].name.oneLine)") }
    var limits: [String] = []
    if let timeout = options.timeout { limits.append("timeout \(timeout.readable)") }
    if let retry = options.retry { limits.append(retry.fact) }
    if let deadline = options.deadline { limits.append("deadline \(deadline.readable)") }
    if let otherwise = options.otherwise { limits.append("otherwise \(otherwise.excerpt.oneLine)") }
    if !limits.isEmpty { facts.append(limits.joined(separator: ", ")) }
    if options.isAlways { facts.append("always: after every ordinary node, however the run went") }
    if let doc = options.doc { facts.append(doc.oneLine) }
    return facts.isEmpty ? ["waits for nothing"] : facts
  }

  private func work(of node: NodeID) -> [String] {
    switch plan.nodes[node].verb {
    case .request(let spec): ["\(spec.method) \(expressions.url(spec.url).oneLine)"]
    case .sort(let spec):
      ["by \(spec.keys.map(describe).joined(separator: ", "))\(spec.limit.map { ", the first \($0)" } ?? "")"]
    case .merge(let spec): spec.how.fact.map { [$0] } ?? []
    case .data(let spec): spec.operation.fact.map { [$0.oneLine] } ?? []
    case .file(let spec): ["from \(expressions.handle(spec.path).oneLine)"]
    case .sleep(let length): ["for \(expressions.handle(length).oneLine) seconds"]
    case .signal(let spec): ["ends when it was signalled \(spec.count == 1 ? "once" : "\(spec.count) times")"]
    case .input, .secret, .step, .barrier, .fallback: []
    }
  }

  private func describe(_ key: SortKey) -> String { "\(key.descending ? "-" : "")\(key.path)".oneLine }

  private func waits(of node: NodeID) -> [String] {
    var facts: [String] = []
    let inputs = names(node, .input)
    if let wait = plan.wait(of: node) {
      let listed = inputs.isEmpty ? "nothing" : inputs.joined(separator: ", ")
      switch wait {
      case .all: facts.append("opens when all have succeeded: \(listed)")
      case .settled: facts.append("opens when all have ended, one of them well: \(listed)")
      case .first: facts.append("tries one after the other: \(listed)")
      case .atLeast(let count): facts.append("opens as soon as \(count) of \(inputs.count) succeeded: \(listed)")
      }
    }
    if plan.cancelsRest(node) { facts.append("stops what is still going on when it is decided") }
    for (need, verb) in [(Need.success, "needs"), (.question, "asks how it went"), (.end, "starts after")] {
      let names = names(node, need)
      if !names.isEmpty { facts.append("\(verb): \(names.joined(separator: ", "))") }
    }
    return facts
  }

  /// Whom a node waits for in one way, each once, in declared order.
  private func names(_ node: NodeID, _ need: Need) -> [String] {
    Set(plan.dependencies(of: node).filter { $0.need == need }.map(\.node)).sorted()
      .map { plan.nodes[$0].name.oneLine }
  }
}

extension Queue {
  /// `width 2, 10/s, per host`, as a person reads it.
  var limits: String {
    var facts: [String] = []
    if let width { facts.append("width \(width)") }
    if let rate {
      facts.append("one every \(rate.interval.readable)\(rate.burst > 1 ? " (bursts of \(rate.burst))" : "")")
    }
    if isPerHost { facts.append("per host") }
    if let trip { facts.append("rests \(trip.rest.readable) after \(trip.after.counted("failure")) in a row") }
    return facts.joined(separator: ", ")
  }
}

extension Retry {
  fileprivate var fact: String {
    "retry \(times) \(times == 1 ? "time" : "times"), waiting \(hasJitter ? "up to " : "")\(wait.readable)"
      + (factor > 1
        ? ", then \(factor == 2 ? "twice" : "\(factor) times") as long each, at most \(maximum.readable)" : "")
  }
}
