import CLua
import TideGraph
import TideValue

/// What `tide.fetch` returns, and how the error among it is known again.
extension Interpreter {
  /// Pushes the value, or nil and the error; gives their number.
  func push(
    _ result: Result<Value, Failure>, on stack: LuaStack, askedAt place: clua_place, by body: StepBody
  ) throws(ConversionError) -> Int32 {
    switch result {
    case .success(let value):
      // Null is tide.null, and so never reads as a failure.
      try lend(value, to: stack)
      return 1
    case .failure(var failure):
      failure.location = chunks.location(place)
      body.lastFailure = failure
      stack.pushNil()
      try push(failure, on: stack)
      return 2
    }
  }

  /// `{ kind, message, status, body, attempts }`, which reads as its message.
  private func push(_ failure: Failure, on stack: LuaStack) throws(ConversionError) {
    lua_createtable(stack.pointer, 0, 5)
    let table = stack.top
    stack.push(failure.kind.description)
    stack.setRaw("kind", in: table)
    stack.push(failure.message)
    stack.setRaw("message", in: table)
    lua_pushinteger(stack.pointer, lua_Integer(failure.attempts))
    stack.setRaw("attempts", in: table)
    if let status = failure.status {
      lua_pushinteger(stack.pointer, lua_Integer(status))
      stack.setRaw("status", in: table)
    }
    if let body = failure.body {
      try lend(body, to: stack)
      stack.setRaw("body", in: table)
    }
    clua_mark(stack.pointer, table, Int32(CLUA_MT_FAILURE))
  }

  /// The failure that an error's table on top stands for, if a `tide.fetch` gave it.
  func passedOn(in stack: LuaStack, message: String) -> Failure? {
    guard let text = stack.field("kind", ofTableAt: -1, { $0.string(at: -1) }) else { return nil }
    if let last = body?.lastFailure, last.kind.description == text, last.message == message { return last }
    var failure = Failure(Failure.Kind(text), message)
    failure.status = stack.field("status", ofTableAt: -1) { stack in
      clua_is_integer(stack.pointer, -1) ? Int(clua_to_integer(stack.pointer, -1)) : nil
    }
    failure.body = stack.field("body", ofTableAt: -1) { $0.isNone(at: -1) ? nil : try? $0.value(at: -1) }
    return failure
  }
}

extension Failure {
  /// Of a request, as the failure of the step that passes it on: `tide.error` and `retry` see the status and the kind
  /// that it had. How a node as a whole ends is not the script's to say.
  func asStepFailure(at place: Location?) -> Failure {
    var failure = self
    failure.location = location ?? place
    failure.attempts = 1
    if !Failure.kindsOfRequests.contains(kind) { failure.kind = .step }
    return failure
  }

  private static let kindsOfRequests: Set<Kind> = [
    .dns, .connect, .tls, .timeout, .reset, .truncated, .malformed, .tooLarge, .redirects, .request, .status,
    .expectation, .body, .missing, .type, .unmatched, .lost, .tripped, .queue,
  ]
}
