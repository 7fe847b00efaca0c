/// Decides what happens next, wherever more than one thing could.
public protocol Choices: AnyObject {
  /// One of `0..<count`, where `count` is at least 2; nobody asks where there is nothing to choose.
  func choose(_ count: Int) -> Int
}

/// Choices by a random number generator of its own (SplitMix64): a seed gives the same choices on every machine.
public final class SeededChoices: Choices, CustomStringConvertible {
  public let seed: UInt64
  private var state: UInt64

  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// What to print, so that a run can be replayed.
  public var description: String { "seed \(seed)" }

  public func choose(_ count: Int) -> Int {
    // The high half of a product with the count is uniform but for a bias of count / 2^64.
    Int(next().multipliedFullWidth(by: UInt64(count)).high)
  }

  private func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Choices that were written down; where they end, the first possibility. It writes down what it chose.
public final class ScriptedChoices: Choices, CustomStringConvertible {
  /// One choice that was made.
  public struct Choice: Equatable, Sendable {
    /// Which possibility was taken.
    public let picked: Int
    /// How many there were.
    public let count: Int
  }

  /// The choices made so far.
  public private(set) var made: [Choice] = []
  private let script: [Int]

  public init(_ script: [Int] = []) {
    self.script = script
  }

  /// What was chosen, as it can be given to ``init(_:)`` again.
  public var description: String { "choices \(made.map(\.picked))" }

  /// The script's next number; the nearest possibility, if there is no such one.
  public func choose(_ count: Int) -> Int {
    let wanted = made.count < script.count ? script[made.count] : 0
    let picked = min(max(0, wanted), count - 1)
    made.append(Choice(picked: picked, count: count))
    return picked
  }
}

/// Runs `body` once for every sequence of choices that it can be led through, and returns how often that was.
///
/// Depth first, by replaying: each run repeats the choices of the one before up to the last one that can still be
/// advanced, so `body` has to start from nothing every time, and to come to the same choices when it is given the
/// same answers; a body that does not is a programming error. The choices it gets are ``ScriptedChoices``, which
/// print the way back. Rethrows the first error, and stops there; stops also after `limit` runs.
@discardableResult
public func forEachOrder(limit: Int = .max, _ body: (any Choices) throws -> Void) rethrows -> Int {
  var prefix: [ScriptedChoices.Choice] = []
  var runs = 0
  while runs < limit {
    let choices = ScriptedChoices(prefix.map(\.picked))
    try body(choices)
    runs += 1
    var trail = choices.made
    precondition(trail.starts(with: prefix), "the same choices led elsewhere: \(prefix) came back as \(trail)")
    while let last = trail.last, last.picked + 1 == last.count { trail.removeLast() }
    guard let last = trail.popLast() else { break }
    prefix = trail + [ScriptedChoices.Choice(picked: last.picked + 1, count: last.count)]
  }
  return runs
}
