extension JSONPath {
  /// The nodes that the query finds, in its order. What an object's name finds is the last of equal names.
  func nodes(in root: Value) -> [Value] { nodes(from: root, root: root) }

  func nodes(from start: Value, root: Value) -> [Value] {
    var nodes = [start]
    for segment in segments {
      var next: [Value] = []
      for node in nodes { segment.collect(from: node, root: root, into: &next) }
      nodes = next
      if nodes.isEmpty { break }
    }
    return nodes
  }
}

extension JSONPath.Segment {
  /// A node comes before its descendants, and these in their order (section 2.5.2.2).
  fileprivate func collect(from node: Value, root: Value, into found: inout [Value]) {
    for selector in selectors { selector.collect(from: node, root: root, into: &found) }
    guard isDescendant else { return }
    node.forEachChild { collect(from: $0, root: root, into: &found) }
  }
}

extension JSONPath.Selector {
  fileprivate func collect(from node: Value, root: Value, into found: inout [Value]) {
    switch self {
    case .name(let name): if let child = node[name] { found.append(child) }
    case .wildcard: node.forEachChild { found.append($0) }
    case .index(let index):
      guard node.kind == .array else { return }
      if let child = node[index < 0 ? index + node.count : index] { found.append(child) }
    case .slice(let start, let end, let step):
      guard node.kind == .array, step != 0 else { return }
      let items = node.items
      for index in JSONPath.indices(start, end, step, count: items.count) { found.append(items[index]) }
    case .filter(let condition):
      node.forEachChild { if condition.holds(for: $0, root: root) { found.append($0) } }
    }
  }
}

extension JSONPath {
  /// Section 2.3.4.2.2: the bounds of a slice, and from there by steps.
  fileprivate static func indices(_ start: Int?, _ end: Int?, _ step: Int, count: Int) -> StrideTo<Int> {
    func normal(_ index: Int) -> Int { index >= 0 ? index : count + index }
    if step > 0 {
      let first = min(max(normal(start ?? 0), 0), count)
      let last = min(max(normal(end ?? count), 0), count)
      return stride(from: first, to: last, by: step)
    }
    let first = min(max(normal(start ?? count - 1), -1), count - 1)
    let last = end.map { min(max(normal($0), -1), count - 1) } ?? -1
    return stride(from: first, to: last, by: step)
  }
}

extension Value {
  /// The items of a list, or the values of an object, each name once.
  fileprivate func forEachChild(_ body: (Value) -> Void) {
    switch kind {
    case .array: forEachItem { body($0) }
    case .object: for field in fields { body(field.value) }
    default: break
    }
  }
}
