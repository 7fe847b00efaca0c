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
    ticket.settle(.value(Result { () throws(Failure) in try result() }))
  }

  private func result() throws(Failure) -> Value {
    switch task {
    case .merge(let lists, let names):
      do {
        return try concatenate(lists)
      } catch {
        throw Failure(
          .type, "input \(error.input + 1) ('\(names[error.input])') is \(error.kind.name), where a list is expected")
      }
    case .sort(let list, let spec):
      do {
        return try sorted(list, by: spec.keys, limit: spec.limit)
      } catch {
        throw Failure(.type, "\(error)")
      }
    case .read(let response, let spec, let wanted): return try spec.accept(response, wanted: wanted)
    }
  }
}
