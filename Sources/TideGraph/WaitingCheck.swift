/// Looks at a whole plan for waits that can't be right, before it runs: fallbacks that hold each other up, inputs that are
/// skipped for somebody else, queues that nobody uses.
struct WaitingCheck {
  let nodes: [Node]
  let queues: [Queue]
  let sources: Sources

  func run() -> [Diagnostic] {
    unusedQueues + fallbackMistakes
  }

  private var unusedQueues: [Diagnostic] {
    var isUsed = [Bool](repeating: false, count: queues.count)
    for node in nodes { if let queue = node.options?.queue { isUsed[Int(queue.index)] = true } }
    // A step may name a queue when it fetches, which only the run shows.
    if sources.files.contains(where: { $0.text.utf8.firstRange(of: ".fetch".utf8) != nil }) { return [] }
    return queues.indices.filter { !isUsed[$0] }.map { index in
      warning(
        "queue \"\(queues[index].name)\" is never used", queues[index].place,
        help: "put nodes into it with their option 'queue', or take it out")
    }
  }

  private var fallbackMistakes: [Diagnostic] {
    var found: [Diagnostic] = []
    /// For an input that waits for another's failure: that other, and the fallback.
    var held: [NodeID: (before: NodeID, fallback: NodeID)] = [:]
    for (index, node) in nodes.enumerated() {
      guard case .fallback(let spec) = node.verb else { continue }
      let inputs = spec.inputs.map(\.onlyNode)
      for (place, input) in inputs.enumerated() where place > 0 {
        guard let input, let before = inputs[..<place].last(where: { $0 != nil }) ?? nil else { continue }
        if input == before || held[input] != nil {
          found.append(
            error(
              "\(title(NodeID(index))): '\(nodes[input].name)' is tried twice: it is an input of a fallback already",
              node.place, help: "declare it once more under another name"))
        } else if nodes[before].options?.isAlways == true, nodes[input].options?.isAlways != true {
          found.append(
            error(
              "\(title(NodeID(index))): '\(nodes[input].name)' is to be tried when '\(nodes[before].name)' has failed, which starts only after every ordinary node has ended",
              node.place, help: "give '\(nodes[input].name)' always = true as well, or let it come first"))
        } else {
          held[input] = (before, NodeID(index))
        }
      }
    }
    guard found.isEmpty, !held.isEmpty else { return found }
    return circle(held).map { [$0] } ?? (nested(held) + sharedInputs(held))
  }

  /// Inputs that never start, since one that is to be tried before them waits for them.
  private func circle(_ held: [NodeID: (before: NodeID, fallback: NodeID)]) -> Diagnostic? {
    var waitsFor = [Int](repeating: 0, count: nodes.count)
    var waiting: [NodeID: [NodeID]] = [:]
    for (index, node) in nodes.enumerated() {
      node.forEachDependency { other, _ in
        waitsFor[index] += 1
        waiting[other, default: []].append(NodeID(index))
      }
    }
    for (input, hold) in held {
      waitsFor[input] += 1
      waiting[hold.before, default: []].append(input)
    }
    var free = nodes.indices.filter { waitsFor[$0] == 0 }.map { NodeID($0) }
    while let node = free.popLast() {
      for other in waiting[node] ?? [] {
        waitsFor[other] -= 1
        if waitsFor[other] == 0 { free.append(other) }
      }
    }
    guard
      let (input, hold) = held.filter({ waitsFor[$0.key] > 0 && waitsFor[$0.value.before] > 0 })
        .min(by: { $0.key < $1.key })
    else { return nil }
    return error(
      "\(title(hold.fallback)): '\(nodes[input].name)' waits for '\(nodes[hold.before].name)' to fail, which waits for it",
      nodes[hold.fallback].place, help: "an input that another one needs has to come before it, or stand outside")
  }

  /// A fallback is only what it tries: held back itself, its own first input is not.
  private func nested(_ held: [NodeID: (before: NodeID, fallback: NodeID)]) -> [Diagnostic] {
    held.keys.sorted().compactMap { input in
      guard case .fallback = nodes[input].verb, let hold = held[input] else { return nil }
      return warning(
        "\(title(hold.fallback)): its input '\(nodes[input].name)' is a fallback, whose own first input starts at once",
        nodes[hold.fallback].place, help: "list all that is to be tried in one fallback")
    }
  }

  /// Who uses an input beside its fallback goes without it when the fallback does.
  private func sharedInputs(_ held: [NodeID: (before: NodeID, fallback: NodeID)]) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for (index, node) in nodes.enumerated() {
      var warned: Set<NodeID> = []
      node.forEachDependency { input, need in
        guard need != .end, need != .question, let hold = held[input], hold.fallback != NodeID(index),
          warned.insert(input).inserted
        else { return }
        found.append(
          warning(
            "\(title(NodeID(index))): uses '\(nodes[input].name)', which is skipped unless '\(nodes[hold.before].name)' fails",
            node.place, help: "use the fallback '\(nodes[hold.fallback].name)' in its place"))
      }
    }
    return found
  }

  private func title(_ node: NodeID) -> String { "\(nodes[node].verb.name) \"\(nodes[node].name)\"" }

  private func error(_ message: String, _ place: Place, help: String) -> Diagnostic {
    Diagnostic(.badValue, message, at: sources.location(place), help: help)
  }

  private func warning(_ message: String, _ place: Place, help: String) -> Diagnostic {
    Diagnostic(.suspicious, message, at: sources.location(place), severity: .warning, help: help)
  }
}

extension Expression {
  /// The node that an input of a join is made of; nil for a plain value.
  public var onlyNode: NodeID? {
    var found: NodeID?
    forEachDependency { node, _ in found = found ?? node }
    return found
  }
}
