/// A regular expression of RFC 9485 (I-Regexp), run as a set of states: its time is linear in the text, whatever the
/// expression, so that a hostile one can't hang a run.
public struct IRegexp: Sendable {
  enum Instruction: Sendable {
    case scalar(ScalarSet)
    /// Both ways are gone.
    case split(Int, Int)
    case jump(Int)
    /// `^` and `$` hold at the text's ends, as the compliance suite has it (RFC 9485 takes them for plain characters).
    case textStart
    case textEnd
    case match
  }

  private let program: [Instruction]

  /// Nil if it is no I-Regexp, or one that unrolls to more than 20,000 states.
  public init?(_ pattern: String) {
    var parser = IRegexpParser(pattern)
    guard let node = parser.parse() else { return nil }
    var program: [Instruction] = []
    guard node.compile(into: &program, limit: 20_000) else { return nil }
    program.append(.match)
    self.program = program
  }

  /// Whether the whole text matches.
  public func matches(_ text: String) -> Bool { run(text, isAnchored: true) }

  /// Whether some part of the text matches.
  public func isFound(in text: String) -> Bool { run(text, isAnchored: false) }

  private func run(_ text: String, isAnchored: Bool) -> Bool {
    var current = StateSet(count: program.count)
    var next = StateSet(count: program.count)
    let scalars = Array(text.unicodeScalars)
    add(0, to: &current, at: 0, of: scalars.count)
    for (index, scalar) in scalars.enumerated() {
      if !isAnchored, current.isMatched { return true }
      next.removeAll()
      for state in current.states {
        guard case .scalar(let set) = program[state], set.contains(scalar) else { continue }
        add(state + 1, to: &next, at: index + 1, of: scalars.count)
      }
      if !isAnchored { add(0, to: &next, at: index + 1, of: scalars.count) }
      (current, next) = (next, current)
    }
    return current.isMatched
  }

  /// Takes a state in, with all that it leads to without a character.
  private func add(_ first: Int, to set: inout StateSet, at index: Int, of count: Int) {
    var pending = [first]
    while let state = pending.popLast() {
      guard set.insert(state) else { continue }
      switch program[state] {
      case .split(let one, let other): pending += [other, one]
      case .jump(let target): pending.append(target)
      case .textStart: if index == 0 { pending.append(state + 1) }
      case .textEnd: if index == count { pending.append(state + 1) }
      case .match: set.isMatched = true
      case .scalar: break
      }
    }
  }
}

/// States, each once, in the order in which they came.
private struct StateSet {
  private(set) var states: [Int] = []
  private var has: [Bool]
  var isMatched = false

  init(count: Int) {
    has = Array(repeating: false, count: count)
  }

  mutating func insert(_ state: Int) -> Bool {
    guard !has[state] else { return false }
    has[state] = true
    states.append(state)
    return true
  }

  mutating func removeAll() {
    for state in states { has[state] = false }
    states.removeAll(keepingCapacity: true)
    isMatched = false
  }
}

/// Which characters a place of an expression takes.
indirect enum ScalarSet: Sendable {
  case one(Unicode.Scalar)
  case range(ClosedRange<Unicode.Scalar>)
  /// `.`: all but line feed and carriage return.
  case any
  /// `\p{L}`, `\p{Lu}`: by the beginning of the general category's abbreviation.
  case category(String)
  case union([ScalarSet])
  case not(ScalarSet)

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    switch self {
    case .one(let member): scalar == member
    case .range(let members): members.contains(scalar)
    case .any: scalar != "\n" && scalar != "\r"
    case .category(let name): scalar.properties.generalCategory.abbreviation.hasPrefix(name)
    case .union(let sets): sets.contains { $0.contains(scalar) }
    case .not(let set): !set.contains(scalar)
    }
  }
}

extension Unicode.GeneralCategory {
  /// As the Unicode standard abbreviates it.
  var abbreviation: String {
    switch self {
    case .uppercaseLetter: "Lu"
    case .lowercaseLetter: "Ll"
    case .titlecaseLetter: "Lt"
    case .modifierLetter: "Lm"
    case .otherLetter: "Lo"
    case .nonspacingMark: "Mn"
    case .spacingMark: "Mc"
    case .enclosingMark: "Me"
    case .decimalNumber: "Nd"
    case .letterNumber: "Nl"
    case .otherNumber: "No"
    case .connectorPunctuation: "Pc"
    case .dashPunctuation: "Pd"
    case .openPunctuation: "Ps"
    case .closePunctuation: "Pe"
    case .initialPunctuation: "Pi"
    case .finalPunctuation: "Pf"
    case .otherPunctuation: "Po"
    case .mathSymbol: "Sm"
    case .currencySymbol: "Sc"
    case .modifierSymbol: "Sk"
    case .otherSymbol: "So"
    case .spaceSeparator: "Zs"
    case .lineSeparator: "Zl"
    case .paragraphSeparator: "Zp"
    case .control: "Cc"
    case .format: "Cf"
    case .surrogate: "Cs"
    case .privateUse: "Co"
    case .unassigned: "Cn"
    @unknown default: "Cn"
    }
  }
}
