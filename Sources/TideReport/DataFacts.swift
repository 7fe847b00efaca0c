import TideGraph
import TideValue

extension MergeSpec.How {
  /// How inputs become one value, if not by one list after the other.
  var fact: String? {
    switch self {
    case .concat: nil
    case .union(let keys, _): keys.isEmpty ? "without repeats" : "without repeats of \(keys.list)"
    case .join(let keys, let keep, _): "joined by \(keys.list), \(keep.rawValue)"
    case .zip: "item by item"
    case .deep: "object into object"
    case .object(let names): "as \(names.joined(separator: ", "))"
    }
  }
}

extension DataSpec.Operation {
  /// What is done to each item or to the list.
  var fact: String? {
    switch self {
    case .filter(.function), .mapEach: "by a function"
    case .filter(.paths(let requirements)): "where \(requirements.map { "\($0.path)" }.joined(separator: ", "))"
    case .map(let fields): fields.map { "\($0.name) = \($0.path)" }.joined(separator: ", ")
    case .pick(let paths, _): paths.list
    case .group(let paths): "by \(paths.list)"
    case .distinct(let paths): paths.isEmpty ? nil : "by \(paths.list)"
    case .slice(let offset, let limit): "from item \(offset)\(limit.map { ", \($0) of them" } ?? "")"
    case .aggregate(let by, let aggregates):
      "\(aggregates.map(\.name).joined(separator: ", "))\(by.isEmpty ? "" : " by \(by.list)")"
    }
  }
}

extension [Path] {
  fileprivate var list: String { map { "\($0)" }.joined(separator: ", ") }
}

extension [[Path]] {
  fileprivate var list: String { map(\.list).joined(separator: " = ") }
}
