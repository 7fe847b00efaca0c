import CLua
import TideGraph
import TideValue

extension Interpreter {
  func carryOut(_ run: StepRun) -> Result<Value, Failure> {
    switch run.work {
    case .call(let arguments): self.run(run.function, arguments: arguments, context: run.context)
    case .each(let list, let use): Result { () throws(Failure) in try each(run, over: list, use) }
    }
  }

  /// Asks the function about one item after the other.
  private func each(_ run: StepRun, over list: Value, _ use: ItemUse) throws(Failure) -> Value {
    guard list.kind == .array || list.isNull else {
      throw Failure(.type, "its input is \(list.kind.name), where a list is expected")
    }
    var found: [Value] = []
    var index = 0
    try list.forEachItem { (item) throws(Failure) in
      index += 1
      do throws(Failure) {
        let answer = try self.run(run.function, arguments: [item], context: run.context).get()
        switch use {
        case .map: found.append(answer)
        case .filter: if !answer.isNull, answer.bool != false { found.append(item) }
        }
      } catch {
        guard error.kind == .step else { throw error }
        var failure = error
        failure.message = "item \(index): \(error.message)"
        throw failure
      }
    }
    return .array(found)
  }
}
