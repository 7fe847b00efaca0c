import CLua
import TideGraph
import TideValue

extension Interpreter {
  /// Runs a function of the script to its end. What it did to the state is undone.
  func run(_ function: FunctionID, arguments: [Value], context: StepContext) -> Result<Value, Failure> {
    work = .step(context)
    defer { endStep() }
    return checked(
      Result { () throws(Failure) in
        let body = try newBody(function, arguments, context)
        let definition = body.definition
        var results: Int32 = 0
        let status = clua_resume(body.stack.pointer, main.pointer, Int32(arguments.count), &results)
        return try ending(of: body.stack, status, results, context, at: definition).get()
      })
  }

  /// A coroutine on top of the main stack, with its arguments, and the first line of its function.
  func newBody(
    _ function: FunctionID, _ arguments: [Value], _ context: StepContext
  ) throws(Failure) -> (stack: LuaStack, definition: Location?) {
    guard main.reserve(8) else { throw failure(outOfMemory(), context) }
    clua_push_kept(main.pointer, Int32(truncatingIfNeeded: function.index))
    guard main.type(at: -1) == LUA_TFUNCTION, let pointer = clua_new_body(main.pointer) else {
      throw Failure(.step, "the script has no such function", location: context.location)
    }
    let body = LuaStack(pointer: pointer)
    let definition = definition(of: body)
    do throws(ConversionError) {
      try push(arguments, on: body)
    } catch {
      throw Failure(error.isOutOfMemory ? .memory : .step, error.message, location: context.location)
    }
    return (body, definition)
  }

  /// What a coroutine that is not suspended has come to.
  func ending(
    of body: LuaStack, _ status: Int32, _ results: Int32, _ context: StepContext, at definition: Location?
  ) -> Result<Value, Failure> {
    if status == LUA_OK { return answer(body, results, at: definition) }
    let failed = failure(error(in: body), context)
    clua_end_body(body.pointer)
    return .failure(failed)
  }

  /// The result, unless the function has assigned what it captured. That is undone.
  func checked(_ result: Result<Value, Failure>) -> Result<Value, Failure> {
    changedCapture().map { .failure($0) } ?? result
  }

  func changedCapture() -> Failure? {
    guard !captures.isEmpty, let changed = captures.restore(main) else { return nil }
    return failure(changed)
  }

  /// Nothing of the step is left.
  func endStep() {
    work = .nothing
    main.top = 0
    lent.giveBack(state)
    settle()
  }

  private func push(_ arguments: [Value], on body: LuaStack) throws(ConversionError) {
    guard let count = Int32(exactly: arguments.count), body.reserve(count + 8) else {
      throw ConversionError(message: "too many inputs: \(arguments.count)")
    }
    for argument in arguments { try lend(argument, to: body) }
    guard !clua_is_full(state) else {
      throw ConversionError(message: outOfMemory().message, isOutOfMemory: true)
    }
  }

  /// `return v`, `return`, or `return nil, err`.
  private func answer(_ body: LuaStack, _ count: Int32, at definition: Location?) -> Result<Value, Failure> {
    guard count > 0 else { return .success(.null) }
    let first = body.absolute(-count)
    if count > 1, body.isNone(at: first), !body.isNone(at: first + 1) {
      body.top = first + 1
      return .failure(failure(returningOnTop: body, at: definition))
    }
    do throws(ConversionError) {
      return .success(try body.value(at: first, isVerbatim: true))
    } catch {
      return .failure(noValue(error.message, at: definition))
    }
  }

  func noValue(_ message: String, at definition: Location?) -> Failure {
    if clua_stopped(state) == CLUA_ABORTED { return .stopped }
    return Failure(.type, "the step returned what is no value: \(message)", location: definition)
  }

  /// The failure of a function that returned the error on top.
  func failure(returningOnTop body: LuaStack, at definition: Location?) -> Failure {
    clua_restart(state, 0)
    return failure(returned(in: body), location: definition)
  }

  /// An error that was returned rather than raised: without a place of its own.
  private func returned(in body: LuaStack) -> ScriptError {
    var error = error(in: body)
    if body.type(at: -1) != LUA_TSTRING, body.type(at: -1) != LUA_TTABLE {
      error.message = body.scalarText(at: -1) ?? body.noun(at: -1)
    }
    return error
  }

  func failure(_ error: ScriptError, _ context: StepContext) -> Failure {
    failure(error, location: context.location)
  }

  private func failure(_ error: ScriptError, location: Location?) -> Failure {
    if error.wasStopped { return .stopped }
    if let passed = error.passedOn { return passed.asStepFailure(at: error.location ?? location) }
    var place = error.location ?? location
    if let known = place, let word = namedWord(in: error.message) {
      place = sources.pinpoint(word, at: known, isUsed: true)
    }
    return Failure(
      error.isOutOfMemory ? .memory : .step, error.message, body: error.data, location: place, help: error.help)
  }

  private func failure(_ changed: Captures.Variable) -> Failure {
    Failure(
      .step, "the step assigned '\(changed.name)', which was captured: what a step captures is read-only",
      location: changed.location,
      help: "return the value instead, and give it to the next step as an input")
  }

  /// The first line of the function on top of a coroutine.
  func definition(of body: LuaStack) -> Location? {
    var first: Int32 = 0
    var last: Int32 = 0
    let chunk = clua_chunk(body.pointer, -1, &first, &last)
    return chunks.location(clua_place(chunk: chunk, line: first))
  }
}
