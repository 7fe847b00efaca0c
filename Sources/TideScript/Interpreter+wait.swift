import CLua
import TideBarrier
import TideGraph
import TideValue

/// What a turn of a run has come to.
enum StepTurn {
  case ended(Result<Value, Failure>)
  case suspended(StepBody)
}

/// Step bodies: each is a coroutine that is resumed from here, and so is each branch of its `tide.all`. None resumes
/// another one of them, so that however they nest, they lie beside each other.
extension Interpreter {
  /// Starts a step's body, and runs it until it ends or waits.
  func start(_ run: StepRun, _ arguments: [Value]) -> StepTurn {
    work = .step(run.context)
    do throws(Failure) {
      let (stack, definition) = try newBody(run.function, arguments, run.context)
      let body = StepBody(run, epoch: epoch, definition: definition)
      _ = body.add(Strand(stack: stack, parent: nil, state: .ready(Int32(arguments.count))))
      return proceed(body)
    } catch {
      endStep()
      return .ended(.failure(error))
    }
  }

  /// Goes on with a body some of whose strands were answered.
  func advance(_ body: StepBody) -> StepTurn {
    work = .step(body.run.context)
    swap(&lent, &body.lent)
    body.sortReady()
    return proceed(body)
  }

  private func proceed(_ body: StepBody) -> StepTurn {
    self.body = body
    defer { self.body = nil }
    while let number = body.nextReady() {
      if let result = resume(number, of: body) { return .ended(end(body, checked(result))) }
    }
    // Whoever runs next must not see what this one has assigned.
    if let changed = changedCapture() { return .ended(end(body, .failure(changed))) }
    if body.strands[StepBody.own]?.reference == 0 { body.hold(StepBody.own, as: clua_hold(main.pointer)) }
    swap(&lent, &body.lent)
    work = .nothing
    main.top = 0
    return .suspended(body)
  }

  private func end(_ body: StepBody, _ result: Result<Value, Failure>) -> Result<Value, Failure> {
    release(body)
    endStep()
    return result
  }

  /// Lets go of a body that is suspended: nothing more of it runs.
  func abandon(_ body: StepBody) {
    release(body)
    body.lent.giveBack(state)
    settle()
  }

  private func release(_ body: StepBody) {
    for number in body.strands.keys.sorted() { _ = body.remove(number).map { letGo(of: $0) } }
  }

  private func letGo(of strand: Strand) {
    if strand.reference != 0 { clua_release(main.pointer, strand.reference) }
  }

  /// Resumes a strand. The body's result, if that is known now.
  private func resume(_ number: UInt32, of body: StepBody) -> Result<Value, Failure>? {
    guard let strand = body.strands[number] else { return nil }
    let arguments: Int32
    do throws(Failure) {
      arguments = try prepare(strand, of: body)
    } catch {
      return .failure(error)
    }
    body.current = number
    body.set(number, .running)
    var results: Int32 = 0
    let status = clua_resume(strand.stack.pointer, main.pointer, arguments, &results)
    if status == LUA_YIELD {
      // What it waits for was noted by the function that yielded.
      clua_take_yield(state)
      strand.stack.pop(results)
      return nil
    }
    guard let parent = strand.parent else {
      return ending(of: strand.stack, status, results, body.run.context, at: body.definition)
    }
    if status != LUA_OK {
      // A stop, or the want of memory, is no error of one branch.
      if clua_stopped(state) != CLUA_RUNS { return .failure(failure(error(in: strand.stack), body.run.context)) }
      return fail(parent, of: body, becauseOf: strand)
    }
    guard keepsValue(strand.stack, results) else { return fail(parent, of: body, becauseOf: strand) }
    body.set(number, .ended)
    return join(parent, of: body)
  }

  /// Leaves the first value of a branch on top; false, and leaves the error there, if it returned nil and one.
  private func keepsValue(_ stack: LuaStack, _ results: Int32) -> Bool {
    guard results > 0 else {
      stack.pushNil()
      return true
    }
    let first = stack.absolute(-results)
    let isError = results > 1 && stack.isNone(at: first) && !stack.isNone(at: first + 1)
    stack.top = isError ? first + 1 : first
    return !isError
  }

  /// Pushes what a strand is resumed with, and counts it.
  ///
  /// - Throws: the failure of the whole body, for want of memory.
  private func prepare(_ strand: Strand, of body: StepBody) throws(Failure) -> Int32 {
    switch strand.state {
    case .ready(let count, let raises):
      if raises { clua_raise_on_resume(state) }
      return count
    case .answered(.slept, _): return 0
    case .answered(.fetched(let result), let place):
      do throws(ConversionError) {
        guard strand.stack.reserve(16) else { throw ConversionError(message: "the step's calls are nested too deep") }
        let count = try push(result, on: strand.stack, askedAt: place, by: body)
        guard !clua_is_full(state) else { throw ConversionError(message: "", isOutOfMemory: true) }
        return count
      } catch {
        if error.isOutOfMemory { throw failure(outOfMemory(at: chunks.location(place)), body.run.context) }
        strand.stack.push(error.message)
        clua_raise_on_resume(state)
        return 1
      }
    case .running, .waiting, .joining, .ended: return 0
    }
  }

  /// One branch more has ended: its parent goes on when all have, with their values.
  private func join(_ parent: UInt32, of body: StepBody) -> Result<Value, Failure>? {
    guard let strand = body.strands[parent], case .joining(let branches, let left) = strand.state else { return nil }
    guard left <= 1 else {
      body.set(parent, .joining(branches, left: left - 1))
      return nil
    }
    guard let count = Int32(exactly: branches.count), strand.stack.reserve(count + 4) else {
      return .failure(failure(outOfMemory(), body.run.context))
    }
    for branch in branches {
      guard let ended = body.remove(branch) else { continue }
      lua_xmove(ended.stack.pointer, strand.stack.pointer, 1)
      letGo(of: ended)
    }
    body.set(parent, .ready(count))
    return nil
  }

  /// A branch has failed, with its error on top: the others are stopped, then its parent raises the error.
  private func fail(_ parent: UInt32, of body: StepBody, becauseOf failed: Strand) -> Result<Value, Failure>? {
    guard let strand = body.strands[parent], case .joining(let branches, _) = strand.state,
      strand.stack.reserve(4)
    else { return .failure(failure(outOfMemory(), body.run.context)) }
    lua_xmove(failed.stack.pointer, strand.stack.pointer, 1)
    var stopped = branches
    while let number = stopped.popLast() {
      guard let branch = body.remove(number) else { continue }
      if case .joining(let inner, _) = branch.state { stopped += inner }
      clua_end_body(branch.stack.pointer)
      letGo(of: branch)
    }
    // What was closed on the way may have been stopped in turn.
    if clua_stopped(state) != CLUA_RUNS { return .failure(failure(error(in: strand.stack), body.run.context)) }
    body.set(parent, .ready(1, raises: true))
    return nil
  }
}
