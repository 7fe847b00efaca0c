import CLua
import TideGraph
import TideValue

extension Interpreter {
  func carryOut(_ run: StepRun) -> StepTurn {
    switch run.work {
    case .call(let arguments) where run.isBody: start(run, arguments)
    case .call(let arguments): .ended(self.run(run.function, arguments: arguments, context: run.context))
    case .each(let list, let use): .ended(Result { () throws(Failure) in try each(run, over: list, use) })
    }
  }

  /// Asks the function about one item after the other.
  private func each(_ run: StepRun, over list: Value, _ use: ItemUse) throws(Failure) -> Value {
    guard list.kind == .array || list.isNull else {
      throw Failure(.type, "its input is \(list.kind.name), where a list is expected")
    }
    if list.isNull { return .array([]) }
    // What an item has assigned is looked for after each, to say which it was.
    return captures.isEmpty ? try atOnce(run, over: list, use) : try oneByOne(run, over: list, use)
  }

  private func oneByOne(_ run: StepRun, over list: Value, _ use: ItemUse) throws(Failure) -> Value {
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
        throw error.naming(item: index)
      }
    }
    return .array(found)
  }

  /// All items in one coroutine, whose loop is in C.
  private func atOnce(_ run: StepRun, over list: Value, _ use: ItemUse) throws(Failure) -> Value {
    work = .step(run.context)
    defer { endStep() }
    guard main.reserve(8) else { throw failure(outOfMemory(), run.context) }
    clua_push_kept(main.pointer, Int32(truncatingIfNeeded: run.function.index))
    guard main.type(at: -1) == LUA_TFUNCTION else {
      throw Failure(.step, "the script has no such function", location: run.context.location)
    }
    let definition = definition(of: main)
    main.pop()
    clua_push_each(main.pointer)
    guard let pointer = clua_new_body(main.pointer) else { throw failure(outOfMemory(), run.context) }
    let body = LuaStack(pointer: pointer)
    clua_push_kept(pointer, Int32(truncatingIfNeeded: run.function.index))
    var loop = clua_each()
    loop.is_filter = use == .filter
    defer { clua_free(loop.output.bytes) }
    if let place = list.place {
      loop.source = lent.number(of: place.buffer, list, state)
      loop.offset = UInt32(truncatingIfNeeded: place.range.lowerBound)
      body.pushNil()
    } else {
      do throws(ConversionError) {
        try lend(list, to: body)
      } catch {
        throw Failure(error.isOutOfMemory ? .memory : .step, error.message, location: run.context.location)
      }
    }
    var results: Int32 = 0
    let status = withUnsafeMutablePointer(to: &loop) { loop in
      lua_pushlightuserdata(pointer, loop)
      return clua_resume(pointer, main.pointer, 3, &results)
    }
    guard status == LUA_OK, loop.outcome == Int32(CLUA_EACH_DONE) else {
      throw ending(of: body, status, loop, run, definition).naming(item: loop.index)
    }
    return try answer(of: &loop, over: list, use)
  }

  private func ending(
    of body: LuaStack, _ status: Int32, _ loop: clua_each, _ run: StepRun, _ definition: Location?
  ) -> Failure {
    if status == LUA_OK { return failure(returningOnTop: body, at: definition) }
    defer { clua_end_body(body.pointer) }
    if loop.outcome == Int32(CLUA_EACH_NO_VALUE), clua_stopped(state) != CLUA_OUT_OF_MEMORY {
      return noValue(body.shownString(at: -1) ?? "", at: definition)
    }
    return failure(error(in: body), run.context)
  }

  private func answer(of loop: inout clua_each, over list: Value, _ use: ItemUse) throws(Failure) -> Value {
    guard let bytes = loop.output.bytes else { return .array([]) }
    switch use {
    case .filter:
      var found: [Value] = []
      var index = 0
      list.forEachItem { item in
        if index < loop.output.count, bytes[index] != 0 { found.append(item) }
        index += 1
      }
      return .array(found)
    case .map:
      let buffer = Buffer(adopting: bytes, count: loop.output.count)
      loop.output.bytes = nil
      do {
        return try Value.parse(buffer)
      } catch {
        throw Failure(.type, "the step returned what is no value: \(error.message)")
      }
    }
  }
}

extension Failure {
  /// The failure of a function at an item of its list, from 1.
  fileprivate func naming(item index: Int) -> Failure {
    guard kind == .step else { return self }
    var failure = self
    failure.message = "item \(index): \(message)"
    return failure
  }
}
