extension JSONPath.Condition {
  func holds(for node: Value, root: Value) -> Bool {
    switch self {
    case .or(let parts): return parts.contains { $0.holds(for: node, root: root) }
    case .and(let parts): return parts.allSatisfy { $0.holds(for: node, root: root) }
    case .not(let part): return !part.holds(for: node, root: root)
    case .exists(let query): return !query.nodes(for: node, root: root).isEmpty
    case .compare(let left, let comparison, let right):
      return comparison.holds(left.value(for: node, root: root), right.value(for: node, root: root))
    case .matches(let subject, let pattern, let isWhole):
      guard let text = subject.value(for: node, root: root)?.string,
        let pattern = pattern.value(for: node, root: root)?.string, let expression = IRegexp(pattern)
      else { return false }
      return isWhole ? expression.matches(text) : expression.isFound(in: text)
    }
  }
}

extension JSONPath.Query {
  fileprivate func nodes(for node: Value, root: Value) -> [Value] {
    path.nodes(from: isFromRoot ? root : node, root: root)
  }
}

extension JSONPath.Operand {
  /// The value; nil for nothing, which is no value at all (section 2.4.1).
  fileprivate func value(for node: Value, root: Value) -> Value? {
    switch self {
    case .literal(let literal): return literal.value
    case .singular(let query): return query.nodes(for: node, root: root).first
    case .count(let query): return Value(query.nodes(for: node, root: root).count)
    case .value(let query):
      let nodes = query.nodes(for: node, root: root)
      return nodes.count == 1 ? nodes[0] : nil
    case .length(let operand):
      guard let value = operand.value(for: node, root: root) else { return nil }
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
