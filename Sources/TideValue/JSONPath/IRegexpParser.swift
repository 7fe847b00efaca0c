/// What an expression is made of.
indirect enum IRegexpNode {
  case scalar(ScalarSet)
  case textStart
  case textEnd
  case sequence([IRegexpNode])
  case choice([IRegexpNode])
  /// At most nil is as often as one likes.
  case times(IRegexpNode, least: Int, most: Int?)

  /// False if the program grows beyond the limit.
  func compile(into program: inout [IRegexp.Instruction], limit: Int) -> Bool {
    guard program.count < limit else { return false }
    switch self {
    case .scalar(let set):
      program.append(.scalar(set))
      return true
    case .textStart:
      program.append(.textStart)
      return true
    case .textEnd:
      program.append(.textEnd)
      return true
    case .sequence(let parts): return parts.allSatisfy { $0.compile(into: &program, limit: limit) }
    case .choice(let branches): return compile(branches[...], into: &program, limit: limit)
    case .times(let part, let least, let most):
      for _ in 0..<least where !part.compile(into: &program, limit: limit) { return false }
      guard let most else { return compileLoop(part, into: &program, limit: limit) }
      return compileOptions(part, count: most - least, into: &program, limit: limit)
    }
  }

  private func compile(
    _ branches: ArraySlice<IRegexpNode>, into program: inout [IRegexp.Instruction], limit: Int
  ) -> Bool {
    guard let first = branches.first else { return true }
    guard branches.count > 1 else { return first.compile(into: &program, limit: limit) }
    let split = program.count
    program.append(.split(split + 1, 0))
    guard first.compile(into: &program, limit: limit) else { return false }
    let jump = program.count
    program.append(.jump(0))
    program[split] = .split(split + 1, program.count)
    guard compile(branches.dropFirst(), into: &program, limit: limit) else { return false }
    program[jump] = .jump(program.count)
    return true
  }

  private func compileLoop(_ part: IRegexpNode, into program: inout [IRegexp.Instruction], limit: Int) -> Bool {
    let split = program.count
    program.append(.split(split + 1, 0))
    guard part.compile(into: &program, limit: limit) else { return false }
    program.append(.jump(split))
    program[split] = .split(split + 1, program.count)
    return true
  }

  private func compileOptions(
    _ part: IRegexpNode, count: Int, into program: inout [IRegexp.Instruction], limit: Int
  ) -> Bool {
    var splits: [Int] = []
    for _ in 0..<count {
      splits.append(program.count)
      program.append(.split(program.count + 1, 0))
      guard part.compile(into: &program, limit: limit) else { return false }
    }
    for split in splits { program[split] = .split(split + 1, program.count) }
    return true
  }
}

/// Reads an expression by the grammar of RFC 9485, section 4; nil is no I-Regexp.
struct IRegexpParser {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0

  init(_ pattern: String) {
    scalars = Array(pattern.unicodeScalars)
  }

  mutating func parse() -> IRegexpNode? {
    guard let node = branches(), position == scalars.count else { return nil }
    return node
  }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  private mutating func branches() -> IRegexpNode? {
    depth += 1
    defer { depth -= 1 }
    guard depth < 100 else { return nil }
    var branches: [IRegexpNode] = []
    repeat {
      var pieces: [IRegexpNode] = []
      while let scalar = next, scalar != "|", scalar != ")" {
        guard let piece = piece() else { return nil }
        pieces.append(piece)
      }
      branches.append(.sequence(pieces))
    } while take("|")
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  private mutating func piece() -> IRegexpNode? {
    guard let atom = atom() else { return nil }
    if take("*") { return .times(atom, least: 0, most: nil) }
    if take("+") { return .times(atom, least: 1, most: nil) }
    if take("?") { return .times(atom, least: 0, most: 1) }
    guard take("{") else { return atom }
    guard let least = number() else { return nil }
    var most: Int? = least
    if take(",") { most = number() }
    guard take("}"), most ?? least >= least else { return nil }
    return .times(atom, least: least, most: most)
  }

  private mutating func number() -> Int? {
    var digits = ""
    while let scalar = next, scalar.isDigit, digits.count < 6 {
      digits.unicodeScalars.append(scalar)
      position += 1
    }
    return Int(digits)
  }

  private mutating func atom() -> IRegexpNode? {
    guard let scalar = next else { return nil }
    position += 1
    switch scalar {
    case "(":
      guard let inner = branches(), take(")") else { return nil }
      return inner
    case ".": return .scalar(.any)
    case "^": return .textStart
    case "$": return .textEnd
    case "[": return classExpression().map { .scalar($0) }
    case "\\": return escape().map { .scalar($0) }
    case ")", "*", "+", "?", "]", "{", "|", "}": return nil
    default: return .scalar(.one(scalar))
    }
  }

  private mutating func escape() -> ScalarSet? {
    guard let scalar = next else { return nil }
    position += 1
    switch scalar {
    case "n": return .one("\n")
    case "r": return .one("\r")
    case "t": return .one("\t")
    case "p", "P":
      guard let category = category() else { return nil }
      return scalar == "P" ? .not(.category(category)) : .category(category)
    case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "{", "|", "}": return .one(scalar)
    default: return nil
    }
  }

  private mutating func category() -> String? {
    guard take("{") else { return nil }
    var name = ""
    while let scalar = next, scalar != "}", name.count < 3 {
      name.unicodeScalars.append(scalar)
      position += 1
    }
    let minor = [
      "L": "ulmto", "M": "nce", "N": "dlo", "P": "cdseifo", "Z": "slp", "S": "mcko", "C": "cfon",
    ]
    guard take("}"), let letters = minor[String(name.prefix(1))], name.count <= 2 else { return nil }
    guard name.count == 1 || letters.contains(name.suffix(1)) else { return nil }
    return name
  }

  /// `[...]`: a `-` stands for itself at either end.
  private mutating func classExpression() -> ScalarSet? {
    let isNegated = take("^")
    var members: [ScalarSet] = []
    if take("-") { members.append(.one("-")) }
    while let scalar = next, scalar != "]" {
      if scalar == "-" {
        position += 1
        guard next == "]" else { return nil }
        members.append(.one("-"))
        break
      }
      guard let member = classMember() else { return nil }
      members.append(member)
    }
    guard take("]"), !members.isEmpty else { return nil }
    return isNegated ? .not(.union(members)) : .union(members)
  }

  private mutating func classMember() -> ScalarSet? {
    guard let first = classScalar() else { return nil }
    guard case .one(let low) = first, next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
      return first
    }
    position += 1
    guard case .one(let high)? = classScalar(), low <= high else { return nil }
    return .range(low...high)
  }

  private mutating func classScalar() -> ScalarSet? {
    guard let scalar = next, scalar != "-", scalar != "[", scalar != "]" else { return nil }
    position += 1
    return scalar == "\\" ? escape() : .one(scalar)
  }
}
