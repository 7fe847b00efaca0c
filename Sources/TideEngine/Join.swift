import TideGraph

/// What one node still waits for. Pure: it takes how its dependencies end, and says when the node may start, has failed
/// early, or opens early. Sixteen bytes, since every node has one.
struct Join {
  /// What became of the node, as far as its dependencies decide it.
  enum Decision: Equatable {
    case wait
    /// Everything that it waits for is there.
    case open
    /// It ends without a start: skipped, blocked or cancelled.
    case end(Outcome)
    /// A join's own condition can't be met any more.
    case failed
  }

  private struct Seen: OptionSet {
    let rawValue: UInt8
    static let failed = Seen(rawValue: 1)
    static let skipped = Seen(rawValue: 2)
    static let cancelled = Seen(rawValue: 4)
    static let failedInput = Seen(rawValue: 8)
    static let cancelledInput = Seen(rawValue: 16)
    static let held = Seen(rawValue: 32)
  }

  /// Dependencies other than inputs that have not ended.
  private var needs: UInt32 = 0
  /// Inputs that have not ended, and how the others did. Skipped ones count for nothing.
  private var inputs: UInt32 = 0
  private var succeeded: UInt32 = 0
  private var seen: Seen = []
  /// What was decided, if it was: a node is decided once.
  private(set) var decided = Decision.wait

  /// - Parameter isHeld: nothing is decided before `release`, whatever its dependencies say: how the node ends must not
  ///   depend on whether they were faster.
  init(dependencies: ArraySlice<Plan.Edge>, isHeld: Bool = false) {
    needs = isHeld ? 1 : 0
    seen = isHeld ? .held : []
    for edge in dependencies {
      if edge.need == .input { inputs += 1 } else { needs += 1 }
    }
  }

  /// What it was held for has come.
  mutating func release() {
    needs -= 1
    seen.remove(.held)
  }

  /// Whether it joins several things: only then is there something to hold a barrier for.
  var isJoin: Bool { needs + inputs > 1 }

  /// Takes the end of one dependency. Each of a node's edges is told once.
  mutating func take(_ need: Need, _ outcome: Outcome) {
    guard need == .input else {
      needs -= 1
      if need == .success { see(outcome) }
      return
    }
    inputs -= 1
    switch outcome {
    case .ok: succeeded += 1
    case .skipped: break
    case .failed, .blocked: seen.insert(.failedInput)
    case .cancelled: seen.formUnion([.failedInput, .cancelledInput])
    }
  }

  private mutating func see(_ outcome: Outcome) {
    switch outcome {
    case .ok: break
    case .failed, .blocked: seen.insert(.failed)
    case .skipped: seen.insert(.skipped)
    case .cancelled: seen.insert(.cancelled)
    }
  }

  /// What is decided now. Once it is anything but `wait`, it is `wait` for every later question.
  mutating func decide(_ wait: @autoclosure () -> Wait?) -> Decision {
    // Most questions come while something else is awaited, and nothing has gone wrong.
    guard decided == .wait, needs == 0 || !seen.isEmpty, !seen.contains(.held) else { return .wait }
    decided = decision(wait())
    return decided
  }

  /// Takes the node out of the game: it ended for another reason.
  mutating func close() {
    if decided == .wait { decided = .open }
  }

  private func decision(_ wait: Wait?) -> Decision {
    if seen.contains(.failed) { return .end(.blocked) }
    if seen.contains(.cancelled) { return .end(.cancelled) }
    switch wait ?? .all {
    case .all:
      if seen.contains(.failedInput) { return .end(seen.contains(.cancelledInput) ? .cancelled : .blocked) }
      return inputs == 0 ? met : .wait
    case .settled:
      guard inputs == 0 else { return .wait }
      return succeeded > 0 || !seen.contains(.failedInput) ? met : unmet
    case .first:
      // Without any that succeeded, whoever holds the inputs says what that means.
      return succeeded > 0 || inputs == 0 ? met : .wait
    case .atLeast(let count):
      if Int(succeeded) + Int(inputs) < count { return unmet }
      return succeeded >= count ? met : .wait
    }
  }

  /// The inputs are as they should be: what else it waits for decides.
  private var met: Decision {
    if needs > 0 { return .wait }
    return seen.contains(.skipped) ? .end(.skipped) : .open
  }

  /// The inputs can't be as they should be. A need that fails still blocks the node, whichever is known first.
  private var unmet: Decision { needs > 0 ? .wait : .failed }
}
