import TideGraph
import TideValue

/// What two values that should be equal differ in, place by place; at most a hundred differences. Without recursion: a
/// body may be nested deeper than a worker's stack would bear.
func jsonDifferences(wanted: Value, got: Value) -> [Difference] {
  var differences: [Difference] = []
  var pending = [Pair(path: "json", wanted: wanted, got: got)]
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

  /// Compares what stands here; gives what lies deeper.
  func compare(_ differences: inout [Difference]) -> [Pair] {
    switch (wanted.kind, got.kind) {
    case (.object, .object): return compareFields(&differences)
    case (.array, .array): return compareItems(&differences)
    default:
      if wanted.kind != got.kind || wanted != got {
        differences.append(Difference(path: path, detail: "wanted \(wanted.excerpt), got \(got.excerpt)"))
      }
      return []
    }
  }

  private func compareItems(_ differences: inout [Difference]) -> [Pair] {
    let (wanted, got) = (wanted.items, got.items)
    if wanted.count != got.count {
      let items = wanted.count == 1 ? "1 item" : "\(wanted.count) items"
      differences.append(Difference(path: path, detail: "wanted \(items), got \(got.count)"))
    }
    return zip(wanted, got).enumerated().map { index, items in
      Pair(path: "\(path)[\(index + 1)]", wanted: items.0, got: items.1)
    }
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
        pairs.append(Pair(path: inner, wanted: field.value, got: value))
      } else {
        differences.append(Difference(path: inner, detail: "wanted \(field.value.excerpt), got nothing"))
      }
    }
    for field in gotFields where values[Array(field.key.utf8)] != nil {
      differences.append(
        Difference(path: "\(path).\(field.key)", detail: "not expected, got \(field.value.excerpt)"))
    }
    return pairs
  }
}
