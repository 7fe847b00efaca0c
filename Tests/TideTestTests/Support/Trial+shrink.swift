import TideGraph
import TideValue

extension Trial {
  /// The smallest plan found that is still wrong: nodes become inputs, and options go, as long as some order shows it.
  func shrunk() -> Trial {
    var best = self
    for index in random.nodes.indices.reversed() {
      for node in best.random.nodes[index].simpler {
        var smaller = best
        smaller.random.nodes[index] = node
        if case .input = node.verb { smaller.random.inputs[NodeID(index)] = json(#"[{"id":"x","t":2}]"#) }
        guard let failing = smaller.failing() else { continue }
        best = failing
        break
      }
    }
    return best
  }

  /// With one of a few courses that is wrong, if there is one.
  private func failing() -> Trial? {
    for other in 0..<30 {
      var trial = self
      if other > 0 { trial.course = UInt64(other) }
      if !trial.complaints().isEmpty { return trial }
    }
    return nil
  }
}

extension Node {
  /// What may stand in its place, the simplest first.
  fileprivate var simpler: [Node] {
    if case .input = verb { return [] }
    let bare = NodeOptions(isAlways: options?.isAlways ?? false)
    var found = [
      Node(name: name, verb: .input(InputSpec()), options: bare), Node(name: name, verb: verb, options: bare),
    ]
    guard let options else { return found }
    var settings: [NodeSettings] = []
    let whole = NodeSettings(
      when: options.when, timeout: options.timeout, deadline: options.deadline, retry: options.retry,
      otherwise: options.otherwise, queue: options.queue, isAlways: options.isAlways)
    for key: WritableKeyPath<NodeSettings, Bool> in [\.hasWhen, \.hasLimits, \.hasQueue, \.hasRetry, \.hasOtherwise]
    where whole[keyPath: key] {
      var part = whole
      part[keyPath: key] = false
      settings.append(part)
    }
    found += settings.map {
      Node(name: name, verb: verb, options: NodeOptions(after: options.after, needs: options.needs, $0))
    }
    return found
  }
}

extension NodeSettings {
  fileprivate var hasWhen: Bool {
    get { when != nil }
    set { if !newValue { when = nil } }
  }
  fileprivate var hasLimits: Bool {
    get { timeout != nil || deadline != nil }
    set { if !newValue { (timeout, deadline) = (nil, nil) } }
  }
  fileprivate var hasQueue: Bool {
    get { queue != nil }
    set { if !newValue { queue = nil } }
  }
  fileprivate var hasRetry: Bool {
    get { retry != nil }
    set { if !newValue { retry = nil } }
  }
  fileprivate var hasOtherwise: Bool {
    get { otherwise != nil }
    set { if !newValue { otherwise = nil } }
  }
}
