import TideBarrier
import TideGraph
import TideValue

/// Work on values, for a worker.
struct DataJob: Sendable {
  enum Task: Sendable {
    case merge([Value], names: [String])
    case sort(Value, SortSpec)
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
    case .merge(let lists, let names): .value(try merge(lists, names))
    case .sort(let list, let spec): .value(try sort(list, spec))
    case .read(let response, let spec, let wanted): .reading(try Reading(response, spec, wanted: wanted))
    }
  }

  private func merge(_ lists: [Value], _ names: [String]) throws(Failure) -> Value {
    do {
      return try concatenate(lists)
    } catch {
      let input = error.input ?? 0
      throw Failure(.type, "input \(input + 1) ('\(names[input])') is \(error.message)")
    }
  }

  private func sort(_ list: Value, _ spec: SortSpec) throws(Failure) -> Value {
    do {
      return try sorted(list, by: spec.keys, limit: spec.limit)
    } catch {
      throw Failure(.type, "\(error)")
    }
  }
}
