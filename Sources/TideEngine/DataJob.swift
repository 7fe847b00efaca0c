import TideBarrier
import TideGraph
import TideValue

/// Work on values, for a worker.
struct DataJob: Sendable {
  enum Task: Sendable {
    case merge([Value], MergeSpec, names: [String])
    case sort(Value, SortSpec)
    case data(Value, DataSpec.Operation, where: [TideValue.Requirement])
    case file(FileSpec, path: String, any FileSource)
    case read(Response, RequestSpec, wanted: [Value])
  }

  let task: Task
  let ticket: Ticket<WorkResult>

  func run() {
    do {
      ticket.settle(try result())
    } catch {
      ticket.settle(.failure(error))
    }
  }

  private func result() throws(Failure) -> WorkResult {
    switch task {
    case .merge(let inputs, let spec, let names): .value(try merge(inputs, spec, names))
    case .sort(let list, let spec): .value(try ofList { try sorted(list, by: spec.keys, limit: spec.limit) })
    case .data(let list, let operation, let tests):
      .value(try ofList { try operation.applied(to: list, where: tests) })
    case .file(let spec, let path, let files): .value(try spec.decoded(try files.read(path), path: path))
    case .read(let response, let spec, let wanted): .reading(try Reading(response, spec, wanted: wanted))
    }
  }

  private func ofList(_ work: () throws -> Value) throws(Failure) -> Value {
    do { return try work() } catch { throw Failure(error, naming: { _ in "the list" }) }
  }

  private func merge(_ inputs: [Value], _ spec: MergeSpec, _ names: [String]) throws(Failure) -> Value {
    do {
      var inputs = inputs
      if let tag = spec.tag {
        for index in inputs.indices where !inputs[index].isNull {
          inputs[index] = try tagged(inputs[index], field: tag, value: Value(names[index]), of: index)
        }
      }
      return try spec.how.applied(to: inputs)
    } catch {
      throw Failure(error, naming: { "input \($0 + 1) ('\(names[$0])')" })
    }
  }

  private func tagged(_ list: Value, field: String, value: Value, of input: Int) throws(DataError) -> Value {
    do {
      return try TideValue.tagged(list, field: field, value: value)
    } catch {
      throw DataError(error.kind, input: input, item: error.item, path: error.path, error.message)
    }
  }
}

extension MergeSpec.How {
  /// - Parameter inputs: in declared order; null for one that is missing.
  fileprivate func applied(to inputs: [Value]) throws(DataError) -> Value {
    switch self {
    case .concat: return try concatenate(inputs)
    case .union(let keys, let collision): return try TideValue.union(inputs, keys: keys, collision: collision)
    case .join(let keys, let keep, let collision):
      return try TideValue.join(inputs, keys: keys, keep: keep, collision: collision)
    case .zip(let lengths): return try zipped(inputs, lengths: lengths)
    case .deep(let collision): return try deepMerged(inputs.filter { !$0.isNull }, collision: collision)
    case .object(let names): return .object(Swift.zip(names, inputs).map { (key: $0, value: $1) })
    }
  }
}

extension DataSpec.Operation {
  fileprivate func applied(to list: Value, where tests: [TideValue.Requirement]) throws -> Value {
    switch self {
    case .filter: try TideValue.filtered(list, where: tests)
    case .map(let fields): try mapped(list, fields: fields)
    // The script's function made the list already.
    case .mapEach: list
    case .pick(let paths, let missing): try picked(list, paths, missing: missing)
    case .group(let paths): try grouped(list, by: paths)
    case .distinct(let paths): try TideValue.distinct(list, by: paths)
    case .slice(let offset, let limit): try sliced(list, offset: offset, limit: limit)
    case .aggregate(let by, let aggregates): try aggregated(list, by: by, aggregates)
    }
  }
}

extension Failure {
  /// - Parameter name: of an input, by its place.
  fileprivate init(_ error: any Error, naming name: (Int) -> String) {
    if let failure = error as? Failure {
      self = failure
    } else if let error = error as? DataError {
      self.init(error.kind == .missing ? .missing : .type, error.description(naming: name))
    } else {
      self.init(.type, "\(error)")
    }
  }
}
