import TideGraph
import TideValue

/// What the verbs on data make of their lists, by the functions of TideValue and without the engine's workers.
enum Data {
  static func sorted(_ list: Value, _ spec: SortSpec) throws(Failure) -> Value {
    try failing { try TideValue.sorted(list, by: spec.keys, limit: spec.limit) }
  }

  static func merged(_ inputs: [Value], _ spec: MergeSpec, _ names: [String]) throws(Failure) -> Value {
    try failing {
      var inputs = inputs
      if let tag = spec.tag {
        for index in inputs.indices where !inputs[index].isNull {
          inputs[index] = try tagged(inputs[index], field: tag, value: Value(names[index]))
        }
      }
      switch spec.how {
      case .concat: return try concatenate(inputs)
      case .union(let keys, let collision): return try union(inputs, keys: keys, collision: collision)
      case .join(let keys, let keep, let collision):
        return try join(inputs, keys: keys, keep: keep, collision: collision)
      case .zip(let lengths): return try zipped(inputs, lengths: lengths)
      case .deep(let collision): return try deepMerged(inputs.filter { !$0.isNull }, collision: collision)
      case .object(let names): return .object(zip(names, inputs).map { (key: $0, value: $1) })
      }
    }
  }

  static func applied(
    _ operation: DataSpec.Operation, to list: Value, _ tests: [TideValue.Requirement]
  ) throws(Failure) -> Value {
    try failing {
      switch operation {
      case .filter: try filtered(list, where: tests)
      case .map(let fields): try mapped(list, fields: fields)
      case .mapEach: list
      case .pick(let paths, let missing): try picked(list, paths, missing: missing)
      case .group(let paths): try grouped(list, by: paths)
      case .distinct(let paths): try distinct(list, by: paths)
      case .slice(let offset, let limit): try sliced(list, offset: offset, limit: limit)
      case .aggregate(let by, let aggregates): try aggregated(list, by: by, aggregates)
      }
    }
  }

  private static func failing(_ work: () throws -> Value) throws(Failure) -> Value {
    do { return try work() } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure((error as? DataError)?.kind == .missing ? .missing : .type, "\(error)")
    }
  }
}
