import CLua
import TideGraph
import TideValue

/// A test file in a Lua state of its own: its tests, run one after the other.
///
/// Confined to one thread at a time. Nothing of a test's can reach the network, the clock or the disk but by its host.
public final class TestState {
  /// One `it`, or one `pending`.
  public struct Test: Sendable {
    /// Of its blocks, from the outermost, and its own.
    public let names: [String]
    public let location: Location?
    public let isPending: Bool
    /// Numbers of its blocks and its own, by which one of two of the same name is told from the other.
    public let place: [Int]
  }

  private let interpreter: Interpreter
  private let work: TestWork
  private var hooks: [String: Int32] = [:]

  /// Loads a test file: what stands outside of its tests runs now.
  ///
  /// - Parameter limits: of the state; `end` is that of the loading alone.
  /// - Throws: what is wrong with the file.
  public init(_ source: ScriptSource, host: any TestHost, limits: ScriptLimits) throws(Diagnostics) {
    let work = TestWork(source: source, host: host)
    self.work = work
    guard let interpreter = Interpreter(limits: limits, output: { _ in }) else {
      let message = "not enough memory for a Lua state within \(limits.memory) bytes"
      throw Diagnostics([Diagnostic(.scriptError, message)], sources: Sources())
    }
    self.interpreter = interpreter
    interpreter.work = .testing(work)
    do throws(ScriptFault) {
      let file = work.declarer.builder.sources.add(name: source.name, text: source.text)
      interpreter.beginWork(deadline: limits.end?.nanoseconds ?? 0)
      try openLibrary()
      try interpreter.load(source.text, name: source.name, file: file, on: interpreter.main)
    } catch {
      let found = Diagnostic(error.code, error.message, at: error.location, help: error.help)
      throw Diagnostics([found], sources: sources)
    }
    if let failure = resume() {
      let found = Diagnostic(.scriptError, failure.message, at: failure.location, help: failure.help)
      throw Diagnostics([found] + (failure.diagnostics?.all ?? []), sources: sources)
    }
    call("close_declaring", 0)
  }

  /// In the order of the file.
  public var tests: [Test] { work.tests }

  /// The texts of the file and of what it requires.
  public var sources: Sources { work.declarer.builder.sources }

  /// Runs a test, with the `before_each` and `after_each` around it, and the `setup` of its blocks if these are new.
  ///
  /// - Parameter limit: of real time. What runs longer is stopped.
  /// - Returns: how it ended, and the lines that it printed.
  public func run(_ index: Int, limit: Duration) -> (outcome: TestOutcome, output: [String]) {
    work.begin()
    if tests[index].isPending { return (.pending(nil), []) }
    let end = WallDeadline(after: limit)
    var failures: [TestFailure] = []
    if let failure = call("before", index, end) ?? call("body", index, end) { failures.append(failure) }
    let isPending = failures.count == 1 && work.pendingReason != nil
    if isPending { failures = [] }
    if end.hasPassed, !isPending {
      failures = [TestState.tooLong(limit, failures.first?.location ?? tests[index].location)]
    }
    // Whoever cleans up gets a time of his own.
    if let failure = call("after", index, WallDeadline(after: limit)) { failures.append(failure) }
    if !failures.isEmpty { return (.failed(failures), work.output) }
    return (isPending ? .pending(work.pendingReason) : .passed, work.output)
  }

  /// Runs the `teardown` of the blocks that end before this test; of all that are open, if it is nil.
  public func leaveBlocks(before next: Int?, limit: Duration) -> TestFailure? {
    call("leave", next ?? -1, WallDeadline(after: limit))
  }

  private static func tooLong(_ limit: Duration, _ location: Location?) -> TestFailure {
    TestFailure(
      "the test ran longer than \(limit.readable), which is the limit, and was stopped", at: location,
      help: "is there a loop without an end? --limit gives a test more time", isTimeout: true)
  }
}

extension TestState {
  @discardableResult
  private func call(_ hook: String, _ index: Int, _ end: WallDeadline? = nil) -> TestFailure? {
    guard let function = hooks[hook] else { return TestFailure("the library has no \(hook)") }
    clua_restart(interpreter.state, end?.nanoseconds ?? 0)
    interpreter.fault = nil
    work.complaint = nil
    interpreter.main.top = 0
    clua_push_kept(interpreter.main.pointer, function)
    return resume { lua_pushinteger($0.pointer, lua_Integer(index + 1)) }
  }

  /// Runs the function on top of the main stack to its end; nil if it ended well.
  private func resume(_ pushArgument: ((LuaStack) -> Void)? = nil, _ take: (LuaStack) -> Void = { _ in })
    -> TestFailure?
  {
    defer {
      interpreter.main.top = 0
      interpreter.settle()
    }
    guard let pointer = clua_new_body(interpreter.main.pointer) else {
      return TestFailure(interpreter.outOfMemory().message)
    }
    let body = LuaStack(pointer: pointer)
    pushArgument?(body)
    var results: Int32 = 0
    if clua_resume(pointer, interpreter.main.pointer, pushArgument == nil ? 0 : 1, &results) == LUA_OK {
      take(body)
      return clua_is_full(interpreter.state) ? TestFailure(interpreter.outOfMemory().message) : nil
    }
    let isTimeout = Int(clua_stopped(interpreter.state)) == CLUA_TIMED_OUT
    var error = interpreter.error(in: body)
    // What went wrong in the library did so on behalf of a line of the test's.
    if error.location?.file == TestLibrary.name { error.location = interpreter.testLocation(body, work) }
    clua_end_body(pointer)
    var failure = TestFailure(error.message, at: error.location, help: error.help, isTimeout: isTimeout)
    if let complaint = work.complaint, complaint.message == error.message {
      failure.diagnostics = complaint.diagnostics
    }
    return failure
  }

  private func openLibrary() throws(ScriptFault) {
    let name = TestLibrary.name
    work.libraryFile = work.declarer.builder.sources.add(name: name, text: TestLibrary.text)
    try interpreter.load(TestLibrary.text, name: name, file: work.libraryFile, on: interpreter.main)
    let failure = resume({ $0.pushTestFunctions() }) { body in
      for hook in ["before", "body", "after", "leave", "close_declaring"] {
        hooks[hook] = body.field(hook, ofTableAt: -1) { clua_keep($0.pointer, -1) }
      }
      body.pop()
      for global in TestLibrary.globals {
        body.push(global)
        lua_rawget(body.pointer, -2)
        clua_set_global(body.pointer, global)
      }
      clua_set_module(body.pointer, name, resolveModule)
    }
    if let failure { throw ScriptFault(.scriptError, failure.message) }
  }
}
