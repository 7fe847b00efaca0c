import TideFixtures

/// The way that one explored run took: who has it can take it again (``Exploration/replay(_:)``).
public enum Trail: Hashable, Sendable {
  /// At each place where more than one thing could happen, which one did; after the last, always the first.
  case choices([Int])
  /// Everything drawn from this seed.
  case seed(UInt64)
  /// In the order of declaration, with one thing going wrong: the fault of the ask with this number, from 0.
  case fault(Fault, ask: Int)
}

extension Trail: CustomStringConvertible {
  /// As ``init(_:)`` reads it: `seed 17`, `choices 0,2,1`.
  public var description: String {
    switch self {
    case .choices(let picked): picked.isEmpty ? "choices" : "choices \(picked.map(String.init).joined(separator: ","))"
    case .seed(let seed): "seed \(seed)"
    case .fault(let fault, let ask): "fault \(ask) \(fault)"
    }
  }

  /// Nil for a text that ``description`` does not write.
  public init?(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    switch (words.first, words.count) {
    case ("seed", 2):
      guard let seed = UInt64(words[1]) else { return nil }
      self = .seed(seed)
    case ("choices", 1): self = .choices([])
    case ("choices", 2):
      let parts = words[1].split(separator: ",", omittingEmptySubsequences: false)
      let picked = parts.compactMap { Int($0) }
      guard picked.count == parts.count else { return nil }
      self = .choices(picked)
    case ("fault", 3):
      let named = { (fault: Fault) in fault.description == words[2] }
      guard let ask = Int(words[1]), ask >= 0, let fault = Fault.all.first(where: named) else { return nil }
      self = .fault(fault, ask: ask)
    default: return nil
    }
  }
}
