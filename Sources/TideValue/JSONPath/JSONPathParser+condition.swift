extension JSONPathParser {
  /// A logical expression (section 2.3.5.1).
  mutating func condition() throws(PathError) -> JSONPath.Condition {
    try nested { (parser) throws(PathError) in
      try parser.list(
        of: "||",
        { (parser) throws(PathError) in
          try parser.list(of: "&&", { (parser) throws(PathError) in try parser.basic() }, JSONPath.Condition.and)
        }, JSONPath.Condition.or)
    }
  }

  private mutating func list(
    of separator: String, _ part: (inout JSONPathParser) throws(PathError) -> JSONPath.Condition,
    _ join: ([JSONPath.Condition]) -> JSONPath.Condition
  ) throws(PathError) -> JSONPath.Condition {
    var parts = [try part(&self)]
    while true {
      let end = position
      skipBlanks()
      guard take(separator) else {
        position = end
        return parts.count == 1 ? parts[0] : join(parts)
      }
      skipBlanks()
      parts.append(try part(&self))
    }
  }

  private mutating func basic() throws(PathError) -> JSONPath.Condition {
    if next == "!" {
      position += 1
      skipBlanks()
      return .not(next == "(" ? try parenthesized() : try test(isNegated: true))
    }
    return next == "(" ? try parenthesized() : try test(isNegated: false)
  }

  private mutating func parenthesized() throws(PathError) -> JSONPath.Condition {
    try expect("(")
    skipBlanks()
    let inner = try condition()
    skipBlanks()
    try expect(")")
    return inner
  }

  /// A comparison, the existence of what a query finds, or a function that says yes or no.
  private mutating func test(isNegated: Bool) throws(PathError) -> JSONPath.Condition {
    let start = position
    let left = try term()
    let end = position
    skipBlanks()
    guard let comparison = takeComparison() else {
      position = end
      switch left {
      case .query(let query): return .exists(query)
      case .logical(let condition): return condition
      case .operand:
        position = start
        throw fault("a value by itself is no condition: compare it with something")
      }
    }
    guard !isNegated else { throw fault("'!' stands before a comparison: write !(...)") }
    skipBlanks()
    return .compare(try operand(left, at: start), comparison, try operand())
  }

  private mutating func takeComparison() -> JSONPath.Comparison? {
    if take("==") { return .equal }
    if take("!=") { return .unequal }
    if take("<=") { return .lessOrEqual }
    if take(">=") { return .greaterOrEqual }
    if take("<") { return .less }
    return take(">") ? .greater : nil
  }

  private enum Term {
    case query(JSONPath.Query)
    case operand(JSONPath.Operand)
    case logical(JSONPath.Condition)
  }

  private mutating func operand() throws(PathError) -> JSONPath.Operand {
    let start = position
    return try operand(try term(), at: start)
  }

  private func operand(_ term: Term, at start: Int) throws(PathError) -> JSONPath.Operand {
    switch term {
    case .operand(let operand): return operand
    case .query(let query) where query.path.isSingular: return .singular(query)
    case .query: throw PathError(path: text, column: start + 1, message: "a query that can find several is no value")
    case .logical: throw PathError(path: text, column: start + 1, message: "yes or no can't be compared")
    }
  }

  private mutating func term() throws(PathError) -> Term {
    switch next {
    case "@", "$": return .query(try query())
    case "'", "\"": return .operand(.literal(JSONPath.Literal(value: Value(try quoted()))))
    case let scalar? where scalar.isLowercaseASCII: return try word()
    default:
      if let number = try number() { return .operand(.literal(JSONPath.Literal(value: number))) }
      throw fault("expected a query, a value or a function, found \(next.map { "'\($0)'" } ?? "the end")")
    }
  }

  private mutating func query() throws(PathError) -> JSONPath.Query {
    let isFromRoot = next == "$"
    position += 1
    return JSONPath.Query(isFromRoot: isFromRoot, path: JSONPath(segments: try segments()))
  }

  private mutating func word() throws(PathError) -> Term {
    let start = position
    var name = ""
    while let scalar = next, scalar.isLowercaseASCII || scalar == "_" || scalar.isDigit {
      name.unicodeScalars.append(scalar)
      position += 1
    }
    if next != "(" {
      switch name {
      case "true": return .operand(.literal(JSONPath.Literal(value: Value(true))))
      case "false": return .operand(.literal(JSONPath.Literal(value: Value(false))))
      case "null": return .operand(.literal(JSONPath.Literal(value: .null)))
      default: break
      }
    }
    return try nested { (parser) throws(PathError) in try parser.call(name, from: start) }
  }

  /// The functions of section 2.4, each with arguments of its types.
  private mutating func call(_ name: String, from start: Int) throws(PathError) -> Term {
    guard ["length", "count", "value", "match", "search"].contains(name), take("(") else {
      position = start
      throw fault("'\(name)' is no value and no function: length, count, value, match, search are")
    }
    skipBlanks()
    let term: Term
    switch name {
    case "length": term = .operand(.length(try operand()))
    case "count": term = .operand(.count(try nodesArgument(of: name)))
    case "value": term = .operand(.value(try nodesArgument(of: name)))
    default:
      let subject = try operand()
      skipBlanks()
      try expect(",")
      skipBlanks()
      term = .logical(.matches(subject, pattern: try operand(), isWhole: name == "match"))
    }
    skipBlanks()
    try expect(")")
    return term
  }

  private mutating func nodesArgument(of name: String) throws(PathError) -> JSONPath.Query {
    guard next == "@" || next == "$" else { throw fault("'\(name)' takes a query") }
    return try query()
  }
}
