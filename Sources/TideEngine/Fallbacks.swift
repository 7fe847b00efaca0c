import TideGraph

/// Which input of a fallback comes after which. All but the first of each are held until their turn has come.
struct Fallbacks {
  /// What is tried when an input has failed. An input may be the first of several fallbacks.
  private var next: [NodeID: [NodeID]] = [:]
  /// By fallback: all its inputs but the first, which another fallback may hold.
  private var heldBy: [NodeID: [NodeID]] = [:]
  /// The inputs whose turn has not come.
  private(set) var waiting: Set<NodeID> = []
  /// Those that were skipped since one before them was enough.
  private(set) var spared: Set<NodeID> = []

  init(_ plan: Plan) {
    for fallback in plan.fallbacks {
      guard case .fallback(let spec) = plan.nodes[fallback].verb else { continue }
      let inputs = spec.inputs.compactMap(\.onlyNode)
      heldBy[fallback] = Array(inputs.dropFirst())
      for (before, input) in zip(inputs, inputs.dropFirst()) {
        next[before, default: []].append(input)
        waiting.insert(input)
      }
    }
  }

  var isEmpty: Bool { heldBy.isEmpty }

  /// In declared order.
  var held: [NodeID] { waiting.sorted() }

  func next(after input: NodeID) -> [NodeID] { next[input] ?? [] }

  func held(by fallback: NodeID) -> [NodeID] { heldBy[fallback] ?? [] }

  mutating func takeTurn(of input: NodeID, isSpared: Bool) -> Bool {
    guard waiting.remove(input) != nil else { return false }
    if isSpared { spared.insert(input) }
    return true
  }
}

extension Runner {
  /// A node ended. If it was tried in a fallback, the next one is tried, or spared; if it is a fallback, so are those
  /// that it still held.
  func fallbackInputEnded(_ node: NodeID, _ outcome: Outcome) {
    for input in fallbacks.held(by: node) where fallbacks.waiting.contains(input) { spare(input) }
    guard !fallbacks.waiting.contains(node) else { return }
    for next in fallbacks.next(after: node) {
      if outcome == .ok || fallbacks.spared.contains(node) { spare(next) } else { tryNext(next) }
    }
  }

  private func spare(_ input: NodeID) {
    guard fallbacks.takeTurn(of: input, isSpared: true) else { return }
    if nodes[input].phase == .ended {
      fallbackInputEnded(input, .ok)
    } else {
      end(input, .skipped)
    }
  }

  private func tryNext(_ input: NodeID) {
    guard fallbacks.takeTurn(of: input, isSpared: false) else { return }
    if nodes[input].phase == .ended {
      // What it needs failed before its turn came.
      fallbackInputEnded(input, endings[input].outcome)
    } else if ordinaryRemaining == 0 || plan.nodes[input].options?.isAlways != true {
      // Cleanup whose turn comes earlier is released with all the other cleanup.
      carryOut(nodes[input].release(plan.wait(of: input)), of: input)
    }
  }

  /// All of a fallback's inputs have ended, or one of them well.
  func chooseFallback(_ node: NodeID, _ spec: FallbackSpec) throws(Failure) {
    var wereAllSkipped = true
    for input in spec.inputs {
      guard let tried = input.onlyNode else { return end(node, .ok, value: try input.evaluate(self)) }
      if endings[tried].outcome == .ok, nodes[tried].phase == .ended {
        return end(node, .ok, value: try input.evaluate(self))
      }
      if endings[tried].outcome != .skipped { wereAllSkipped = false }
    }
    if wereAllSkipped { end(node, .skipped) } else { fail(node, barrierFailure(node)) }
  }
}
