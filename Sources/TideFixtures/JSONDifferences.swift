import TideGraph
import TideValue

/// What two values that should be equal, as far as the rule has it, differ in, place by place; at most a hundred
/// differences. Without recursion: a body may be nested deeper than a worker's stack would bear. Only where the order of
/// items does not count it goes deeper for lists within lists, up to a hundred of them.
func jsonDifferences(wanted: Value, got: Value, _ rule: JSONRule, depth: Int = 0) -> [Difference] {
  var differences: [Difference] = []
  var pending = [Pair(path: "json", wanted: wanted, got: got, rule: rule, depth: depth)]
  while let pair = pending.popLast(), differences.count < 100 {
    let inner = pair.compare(&differences)
    pending += inner.reversed()
  }
  return differences
}

private struct Pair {
  let path: String
  let wanted: Value
  let got: Value
  let rule: JSONRule
  let depth: Int

  /// Compares what stands here; gives what lies deeper.
  func compare(_ differences: inout [Difference]) -> [Pair] {
    switch (wanted.kind, got.kind) {
    case (.object, .object): return compareFields(&differences)
    case (.array, .array): return rule.ignoresOrder ? compareSet(&differences) : compareItems(&differences)
    default:
      if wanted.kind != got.kind || wanted != got {
        differences.append(Difference(path: path, detail: "wanted \(wanted.excerpt), got \(got.excerpt)"))
      }
      return []
    }
  }

  private func pair(_ path: String, _ wanted: Value, _ got: Value) -> Pair {
    Pair(path: path, wanted: wanted, got: got, rule: rule, depth: depth)
  }

  private func compareItems(_ differences: inout [Difference]) -> [Pair] {
    let (wanted, got) = (wanted.items, got.items)
    compareCounts(wanted.count, got.count, &differences)
    return zip(wanted, got).enumerated().map { index, items in
      pair("\(path)[\(index + 1)]", items.0, items.1)
    }
  }

  private func compareCounts(_ wanted: Int, _ got: Int, _ differences: inout [Difference]) {
    guard rule.allowsMore ? got < wanted : got != wanted else { return }
    let items = wanted == 1 ? "1 item" : "\(wanted) items"
    differences.append(Difference(path: path, detail: "wanted \(items), got \(got)"))
  }

  /// Each wanted item takes one that is like it, the equal one if there is one.
  private func compareSet(_ differences: inout [Difference]) -> [Pair] {
    guard depth < 100 else {
      differences.append(Difference(path: path, detail: "is nested too deep to be compared in any order"))
      return []
    }
    var left = got.items
    compareCounts(wanted.count, left.count, &differences)
    for (index, item) in wanted.items.enumerated() {
      let place =
        left.firstIndex { $0.kind == item.kind && $0 == item }
        ?? left.firstIndex { jsonDifferences(wanted: item, got: $0, rule, depth: depth + 1).isEmpty }
      if let place {
        left.remove(at: place)
      } else if differences.count < 100 {
        let detail = "wanted \(item.excerpt), got none like it"
        differences.append(Difference(path: "\(path)[\(index + 1)]", detail: detail))
      }
    }
    return []
  }

  private func compareFields(_ differences: inout [Difference]) -> [Pair] {
    let wantedFields = wanted.fields
    let gotFields = got.fields
    var values: [[UInt8]: Value] = [:]
    for field in gotFields { values[Array(field.key.utf8)] = field.value }
    var pairs: [Pair] = []
    for field in wantedFields {
      let inner = "\(path).\(field.key)"
      if let value = values.removeValue(forKey: Array(field.key.utf8)) {
        pairs.append(pair(inner, field.value, value))
      } else {
        differences.append(Difference(path: inner, detail: "wanted \(field.value.excerpt), got nothing"))
      }
    }
    guard !rule.allowsMore else { return pairs }
    for field in gotFields where values[Array(field.key.utf8)] != nil {
      differences.append(
        Difference(path: "\(path).\(field.key)", detail: "not expected, got \(field.value.excerpt)"))
    }
    return pairs
  }
}
