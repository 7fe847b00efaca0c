import TideGraph
import TideValue

/// The first place at which two values differ.
public struct ValueDifference: Equatable, Sendable, CustomStringConvertible {
  /// `data[2].name`, counted from 1 as Lua does; empty if the values differ as a whole.
  public let path: String
  /// What stands there; "nothing" where nothing does.
  public let expected: String
  public let actual: String

  public var description: String {
    (path.isEmpty ? "" : "at \(path)\n") + "expected: \(expected)\nactual:   \(actual)"
  }
}

extension Value {
  /// As messages show it: the beginning of a long one.
  public var shortened: String {
    let text = description
    return text.utf8.count <= 400 ? text : "\(text.prefix(300))... (\(text.utf8.count) bytes)"
  }

  /// Nil for equal values. An empty list and an empty object are equal: a Lua table says nothing else.
  public func firstDifference(from actual: Value) -> ValueDifference? {
    difference(from: actual, at: "")
  }

  private func difference(from actual: Value, at path: String) -> ValueDifference? {
    let isEmptyTable = isTable && actual.isTable && count == 0 && actual.count == 0
    if isEmptyTable { return nil }
    switch (kind, actual.kind) {
    case (.array, .array):
      let (left, right) = (items, actual.items)
      for (index, item) in left.enumerated() {
        let place = "\(path)[\(index + 1)]"
        guard index < right.count else { return missing(item, nil, at: place) }
        if let found = item.difference(from: right[index], at: place) { return found }
      }
      return right.count > left.count ? missing(nil, right[left.count], at: "\(path)[\(left.count + 1)]") : nil
    case (.object, .object):
      for field in fields {
        let place = path.isEmpty ? field.key : "\(path).\(field.key)"
        guard let other = actual[field.key] else { return missing(field.value, nil, at: place) }
        // Of equal keys the last counts.
        if let found = (self[field.key] ?? field.value).difference(from: other, at: place) { return found }
      }
      for field in actual.fields where self[field.key] == nil {
        return missing(nil, field.value, at: path.isEmpty ? field.key : "\(path).\(field.key)")
      }
      return nil
    default:
      return self == actual ? nil : ValueDifference(path: path, expected: shortened, actual: actual.shortened)
    }
  }

  private var isTable: Bool { kind == .array || kind == .object }

  private func missing(_ expected: Value?, _ actual: Value?, at path: String) -> ValueDifference {
    ValueDifference(
      path: path, expected: expected?.shortened ?? "nothing", actual: actual?.shortened ?? "nothing")
  }
}
