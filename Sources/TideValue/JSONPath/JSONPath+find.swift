extension JSONPath {
  typealias Exceeded = JSONPathSearch.Exceeded

  /// The nodes that the query finds, in its order. What an object's name finds is the last of equal names.
  ///
  /// - Throws: that the search is beyond `limit`.
  func nodes(
    in root: Value, limit: JSONPathSearch.Limit = JSONPathSearch.Limit()
  ) throws(Exceeded) -> [Value] {
    var search = JSONPathSearch(in: root, limit)
    return try nodes(from: root, &search)
  }

  func nodes(from start: Value, _ search: inout JSONPathSearch) throws(Exceeded) -> [Value] {
    var nodes = [start]
    for segment in segments {
      var next: [Value] = []
      for node in nodes { try segment.collect(from: node, &search, into: &next) }
      nodes = next
      if nodes.isEmpty { break }
    }
    return nodes
  }
}

extension JSONPath.Segment {
  /// A node comes before its descendants, and these in their order (section 2.5.2.2).
  fileprivate func collect(
    from node: Value, _ search: inout JSONPathSearch, into found: inout [Value]
  ) throws(JSONPath.Exceeded) {
    for selector in selectors { try selector.collect(from: node, &search, into: &found) }
    guard isDescendant else { return }
    try search.look(into: node)
    try node.forEachChild { (child) throws(JSONPath.Exceeded) in try collect(from: child, &search, into: &found) }
  }
}

extension JSONPath.Selector {
  fileprivate func collect(
    from node: Value, _ search: inout JSONPathSearch, into found: inout [Value]
  ) throws(JSONPath.Exceeded) {
    try search.look(into: node)
    switch self {
    case .name(let name): if let child = node[name] { try search.add(child, to: &found) }
    case .wildcard: try node.forEachChild { (child) throws(JSONPath.Exceeded) in try search.add(child, to: &found) }
    case .index(let index):
      guard node.kind == .array else { return }
      if let child = node[index < 0 ? index + node.count : index] { try search.add(child, to: &found) }
    case .slice(let start, let end, let step):
      guard node.kind == .array, step != 0 else { return }
      let items = node.items
      for index in JSONPath.indices(start, end, step, count: items.count) { try search.add(items[index], to: &found) }
    case .filter(let condition):
      try node.forEachChild { (child) throws(JSONPath.Exceeded) in
        if try condition.holds(for: child, &search) { try search.add(child, to: &found) }
      }
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
  fileprivate func forEachChild<E: Error>(_ body: (Value) throws(E) -> Void) throws(E) {
    switch kind {
    case .array: try forEachItem(body)
    case .object: for field in fields { try body(field.value) }
    default: break
    }
  }
}
