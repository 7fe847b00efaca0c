import CLua
import TideGraph
import TideValue

extension Interpreter {
  /// What came of a script that declared.
  struct Declared {
    let plan: Plan
    let warnings: [Diagnostic]
    let hasFunctions: Bool
  }

  /// Runs a script that declares, and makes what its steps can reach read-only.
  ///
  /// - Throws: everything that is wrong with the script.
  func declare(_ source: ScriptSource) throws(Diagnostics) -> Declared {
    let declarer = Declarer(source: source)
    work = .declaring(declarer)
    defer {
      work = .nothing
      settle()
    }
    let declaring = WallDeadline(after: limits.declaringTime)
    beginWork(deadline: min(declaring, limits.end ?? declaring).nanoseconds)
    let file = declarer.builder.sources.add(name: source.name, text: source.text)
    let body: LuaStack
    do throws(ScriptFault) {
      try load(source.text, name: source.name, file: file, on: main)
      guard let pointer = clua_new_body(main.pointer) else { throw ScriptFault(.scriptError, outOfMemory().message) }
      body = LuaStack(pointer: pointer)
    } catch {
      throw failed(ScriptError(code: error.code, message: error.message, location: error.location), declarer)
    }
    var results: Int32 = 0
    guard clua_resume(body.pointer, main.pointer, 0, &results) == LUA_OK else {
      throw failed(error(in: body), declarer)
    }
    if clua_is_full(state) { throw failed(outOfMemory(), declarer) }
    declarer.close()
    let result = readResult(body, results, declarer)
    main.top = 0
    return try finish(declarer, result)
  }

  private func failed(_ error: ScriptError, _ declarer: Declarer) -> Diagnostics {
    let sources = declarer.builder.sources
    var diagnostic = error.diagnostic
    if let location = error.location, let word = namedWord(in: error.message) {
      diagnostic.location = sources.pinpoint(word, at: location)
    }
    return Diagnostics(declarer.builder.diagnostics + [diagnostic], sources: sources)
  }

  private func finish(
    _ declarer: Declarer, _ result: Plan.Result?
  ) throws(Diagnostics) -> Declared {
    do throws(ScriptFault) {
      let refused = try freeze(steps: declarer.functions, declarer: declarer)
      let order = refused.keys.sorted { ($0.file, $0.line) < ($1.file, $1.line) }
      for location in order { report(assignmentTo: refused[location] ?? "?", at: location, declarer) }
    } catch {
      throw failed(ScriptError(code: error.code, message: error.message), declarer)
    }
    let builder = declarer.builder
    let warnings = (builder.diagnostics + builder.waitingMistakes).filter { $0.severity == .warning }
    let plan = try builder.finish(result: result)
    sources = plan.sources
    return Declared(plan: plan, warnings: warnings, hasFunctions: !declarer.functions.isEmpty)
  }

  private func report(assignmentTo name: String, at location: Location, _ declarer: Declarer) {
    declarer.builder.report(
      Diagnostic(
        .forbidden, "a step assigns '\(name)', which it captured: what a step captures is read-only",
        at: declarer.builder.sources.pinpoint(name, at: location),
        help: "return the value instead, and give it to the next step as an input; or use a local of the step's own"))
  }
}
