/// A Lua pattern (Lua 5.4 manual, section 6.4.1), tested against a text as `string.find` does: anywhere, unless it
/// begins with `^`. Captures group, but are not kept. Letters are ASCII ones.
public struct LuaPattern: Sendable, CustomStringConvertible {
  /// Why a pattern can't be used.
  public struct Malformed: Error, CustomStringConvertible {
    public let description: String
  }

  private indirect enum Item: Sendable {
    case single(Set, Repeat)
    case balanced(UInt8, UInt8)
    case frontier(Set)
    case end

    var isRepetition: Bool {
      if case .single(_, let times) = self { return times != .once }
      return false
    }
  }

  private enum Repeat: Sendable { case once, optional, greedy, oneOrMore, lazy }

  /// Which bytes match, as 256 bits.
  private struct Set: Sendable {
    var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    init(_ byte: UInt8) {
      insert(byte)
    }

    init(where contains: (UInt8) -> Bool) {
      for byte in UInt8.min...UInt8.max where contains(byte) { insert(byte) }
    }

    mutating func insert(_ byte: UInt8) {
      let bit = UInt64(1) << UInt64(byte & 63)
      switch byte >> 6 {
      case 0: bits.0 |= bit
      case 1: bits.1 |= bit
      case 2: bits.2 |= bit
      default: bits.3 |= bit
      }
    }

    func contains(_ byte: UInt8) -> Bool {
      let word =
        switch byte >> 6 {
        case 0: bits.0
        case 1: bits.1
        case 2: bits.2
        default: bits.3
        }
      return word >> UInt64(byte & 63) & 1 == 1
    }
  }

  public let description: String
  private let isAnchored: Bool
  private let items: [Item]
  /// A hostile pattern backtracks for ever: it is given up after so many steps. A long text may take some for each byte.
  private static func maximumSteps(on text: [UInt8]) -> Int { 1_000_000 + 32 * text.count }
  /// Lua has the same limit (MAXCCALLS in lstrlib.c). Each repetition is a stack frame.
  private static let maximumRepetitions = 200

  public init(_ text: String) throws(Malformed) {
    description = text
    var bytes = Array(text.utf8)[...]
    isAnchored = bytes.first == UInt8(ascii: "^")
    if isAnchored { bytes = bytes.dropFirst() }
    var items: [Item] = []
    var depth = 0
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        guard depth >= 0 else {
          throw Malformed(description: "the pattern \"\(text)\" closes a capture it never opened")
        }
      case UInt8(ascii: "$") where bytes.isEmpty: items.append(.end)
      case UInt8(ascii: "%") where bytes.first == UInt8(ascii: "b"):
        guard bytes.count >= 3 else {
          throw Malformed(description: "the pattern \"\(text)\" has %b without two characters")
        }
        let ends = Array(bytes.prefix(3))
        bytes = bytes.dropFirst(3)
        items.append(.balanced(ends[1], ends[2]))
      case UInt8(ascii: "%") where bytes.first == UInt8(ascii: "f"):
        bytes = bytes.dropFirst()
        guard bytes.popFirst() == UInt8(ascii: "[") else {
          throw Malformed(description: "the pattern \"\(text)\" has %f without a set")
        }
        items.append(.frontier(try Self.set(&bytes, of: text)))
      default:
        let set = try Self.single(byte, &bytes, of: text)
        items.append(.single(set, Self.suffix(&bytes)))
      }
    }
    guard depth == 0 else { throw Malformed(description: "the pattern \"\(text)\" leaves a capture open") }
    guard items.count(where: \.isRepetition) <= Self.maximumRepetitions else {
      throw Malformed(description: "the pattern has more than \(Self.maximumRepetitions) repetitions")
    }
    self.items = items
  }

  /// Whether the pattern matches somewhere in a text.
  ///
  /// - Throws: the pattern takes too many steps on this text.
  public func matches(_ text: String) throws(Malformed) -> Bool {
    let bytes = Array(text.utf8)
    var steps = 0
    for start in 0...(isAnchored ? 0 : bytes.count) {
      if match(bytes, start, 0, &steps) { return true }
      if steps > Self.maximumSteps(on: bytes) {
        throw Malformed(description: "the pattern \"\(description)\" takes too long on a text of \(bytes.count) bytes")
      }
    }
    return false
  }

  /// Only repetitions recurse: all else has one way to go on.
  private func match(_ text: [UInt8], _ start: Int, _ first: Int, _ steps: inout Int) -> Bool {
    var position = start
    for item in first..<items.count {
      steps += 1
      guard steps <= Self.maximumSteps(on: text) else { return false }
      switch items[item] {
      case .end: guard position == text.count else { return false }
      case .frontier(let set):
        let before = position == 0 ? 0 : text[position - 1]
        let after = position == text.count ? 0 : text[position]
        guard !set.contains(before), set.contains(after) else { return false }
      case .balanced(let open, let close):
        let end = Self.balance(text, position, open, close)
        steps += (end ?? text.count) - position
        guard let end else { return false }
        position = end
      case .single(let set, .once):
        guard position < text.count, set.contains(text[position]) else { return false }
        position += 1
      case .single(let set, let times): return match(text, position, item, set, times, &steps)
      }
    }
    return true
  }

  private func match(
    _ text: [UInt8], _ position: Int, _ item: Int, _ set: Set, _ times: Repeat, _ steps: inout Int
  ) -> Bool {
    let least = position + (times == .oneOrMore ? 1 : 0)
    let limit = times == .optional ? min(position + 1, text.count) : text.count
    if times == .lazy {
      var end = position
      while !match(text, end, item + 1, &steps) {
        guard steps <= Self.maximumSteps(on: text), end < limit, set.contains(text[end]) else { return false }
        end += 1
      }
      return true
    }
    var end = position
    while end < limit, set.contains(text[end]) { end += 1 }
    steps += end - position
    while end >= least {
      if match(text, end, item + 1, &steps) { return true }
      guard steps <= Self.maximumSteps(on: text) else { return false }
      end -= 1
    }
    return false
  }

  private static func balance(_ text: [UInt8], _ start: Int, _ open: UInt8, _ close: UInt8) -> Int? {
    guard start < text.count, text[start] == open else { return nil }
    var depth = 1
    for index in (start + 1)..<max(text.count, start + 1) {
      if text[index] == close {
        depth -= 1
        if depth == 0 { return index + 1 }
      } else if text[index] == open {
        depth += 1
      }
    }
    return nil
  }

  private static func suffix(_ bytes: inout ArraySlice<UInt8>) -> Repeat {
    let times: Repeat? =
      switch bytes.first {
      case UInt8(ascii: "*"): .greedy
      case UInt8(ascii: "+"): .oneOrMore
      case UInt8(ascii: "-"): .lazy
      case UInt8(ascii: "?"): .optional
      default: nil
      }
    if times != nil { bytes = bytes.dropFirst() }
    return times ?? .once
  }

  private static func single(_ byte: UInt8, _ bytes: inout ArraySlice<UInt8>, of text: String) throws(Malformed) -> Set
  {
    switch byte {
    case UInt8(ascii: "."): return Set { _ in true }
    case UInt8(ascii: "["): return try set(&bytes, of: text)
    case UInt8(ascii: "%"):
      guard let letter = bytes.popFirst() else { throw Malformed(description: "the pattern \"\(text)\" ends with %") }
      if (0x30...0x39).contains(letter) {
        throw Malformed(description: "the pattern \"\(text)\" refers to a capture, which a condition can't")
      }
      return Set(where: classTest(letter))
    default: return Set(byte)
    }
  }

  /// What stands in brackets, read as Lua does: its end is found first, and a range is one only if it lies before that.
  private static func set(_ bytes: inout ArraySlice<UInt8>, of text: String) throws(Malformed) -> Set {
    let isNegated = bytes.first == UInt8(ascii: "^")
    if isNegated { bytes = bytes.dropFirst() }
    guard let end = setEnd(bytes) else { throw Malformed(description: "the pattern \"\(text)\" leaves a set open") }
    var inside = bytes[..<end]
    bytes = bytes[(end + 1)...]
    var members = Set { _ in false }
    while let byte = inside.popFirst() {
      if byte == UInt8(ascii: "%"), let letter = inside.popFirst() {
        let test = classTest(letter)
        for member in UInt8.min...UInt8.max where test(member) { members.insert(member) }
      } else if inside.count >= 2, inside.first == UInt8(ascii: "-"), let last = inside.dropFirst().first {
        inside = inside.dropFirst(2)
        if byte <= last { for member in byte...last { members.insert(member) } }
      } else {
        members.insert(byte)
      }
    }
    return isNegated ? Set { !members.contains($0) } : members
  }

  /// Where the closing bracket stands. One that comes first is a member, and so is an escaped one.
  private static func setEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
    var place = bytes.startIndex
    repeat {
      guard place < bytes.endIndex else { return nil }
      place += bytes[place] == UInt8(ascii: "%") ? 2 : 1
    } while place < bytes.endIndex && bytes[place] != UInt8(ascii: "]")
    return place < bytes.endIndex ? place : nil
  }

  /// `%a` and its like; any other letter stands for itself.
  private static func classTest(_ letter: UInt8) -> (UInt8) -> Bool {
    let test: (UInt8) -> Bool
    switch letter | 0x20 {
    case UInt8(ascii: "a"): test = isLetter
    case UInt8(ascii: "d"): test = isDigit
    case UInt8(ascii: "l"): test = { (0x61...0x7A).contains($0) }
    case UInt8(ascii: "u"): test = { (0x41...0x5A).contains($0) }
    case UInt8(ascii: "s"): test = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    case UInt8(ascii: "w"): test = { isLetter($0) || isDigit($0) }
    case UInt8(ascii: "x"): test = { isDigit($0) || (0x61...0x66).contains($0 | 0x20) }
    case UInt8(ascii: "p"): test = { (0x21...0x7E).contains($0) && !isLetter($0) && !isDigit($0) }
    case UInt8(ascii: "c"): test = { $0 < 0x20 || $0 == 0x7F }
    case UInt8(ascii: "g"): test = { (0x21...0x7E).contains($0) }
    default: return { $0 == letter }
    }
    let isUpper = (0x41...0x5A).contains(letter)
    return isUpper ? { !test($0) } : test
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
