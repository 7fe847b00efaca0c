extension JSONPath.Condition {
  func holds(for node: Value, _ search: inout JSONPathSearch) throws(JSONPath.Exceeded) -> Bool {
    switch self {
    case .or(let parts):
      for part in parts where try part.holds(for: node, &search) { return true }
      return false
    case .and(let parts):
      for part in parts where try !part.holds(for: node, &search) { return false }
      return true
    case .not(let part): return try !part.holds(for: node, &search)
    case .exists(let query): return try !query.nodes(for: node, &search).isEmpty
    case .compare(let left, let comparison, let right):
      return comparison.holds(try left.value(for: node, &search), try right.value(for: node, &search))
    case .matches(let subject, let pattern, let isWhole):
      guard let text = try subject.value(for: node, &search)?.string,
        let pattern = try pattern.value(for: node, &search)?.string, let expression = IRegexp(pattern)
      else { return false }
      return isWhole ? expression.matches(text) : expression.isFound(in: text)
    }
  }
}

extension JSONPath.Query {
  fileprivate func nodes(for node: Value, _ search: inout JSONPathSearch) throws(JSONPath.Exceeded) -> [Value] {
    try search.look(into: .null)
    return try path.nodes(from: isFromRoot ? search.root : node, &search)
  }
}

extension JSONPath.Operand {
  /// The value; nil for nothing, which is no value at all (section 2.4.1).
  fileprivate func value(for node: Value, _ search: inout JSONPathSearch) throws(JSONPath.Exceeded) -> Value? {
    switch self {
    case .literal(let literal): return literal.value
    case .singular(let query): return try query.nodes(for: node, &search).first
    case .count(let query): return Value(try query.nodes(for: node, &search).count)
    case .value(let query):
      let nodes = try query.nodes(for: node, &search)
      return nodes.count == 1 ? nodes[0] : nil
    case .length(let operand):
      guard let value = try operand.value(for: node, &search) else { return nil }
      switch value.kind {
      case .string: return value.string.map { Value($0.unicodeScalars.count) }
      case .array: return Value(value.count)
      case .object: return Value(value.fields.count)
      default: return nil
      }
    }
  }
}

extension JSONPath.Comparison {
  /// Section 2.3.5.2.2: nothing equals nothing alone; order is for two numbers or two texts.
  fileprivate func holds(_ left: Value?, _ right: Value?) -> Bool {
    switch self {
    case .equal: return isEqual(left, right)
    case .unequal: return !isEqual(left, right)
    case .less: return isLess(left, right)
    case .greater: return isLess(right, left)
    case .lessOrEqual: return isLess(left, right) || isEqual(left, right)
    case .greaterOrEqual: return isLess(right, left) || isEqual(left, right)
    }
  }

  private func isEqual(_ left: Value?, _ right: Value?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left == right
  }

  private func isLess(_ left: Value?, _ right: Value?) -> Bool {
    guard let left, let right, left.kind == right.kind, left.kind == .number || left.kind == .string else {
      return false
    }
    return Value.compare(left, right) < 0
  }
}
