import TideBarrier
import TideGraph
import TideValue

/// A workflow script that has declared: its plan, and what runs its functions.
///
/// Its functions run one at a time, on a lane of their own; while a step waits for something, others run. May be used from
/// any thread.
public final class Script: StepRunner, Sendable {
  public let plan: Plan
  /// What is suspicious, but no error.
  public let warnings: [Diagnostic]
  let bench: StepBench
  private let inbox: Inbox<StepMessage>
  /// Whether a run of the plan may call a function of the script: in a step, a condition, a filter or a map.
  public let hasFunctions: Bool
  /// The functions that are a step's `run`.
  private let bodies: Set<FunctionID>

  /// Reads a script and has it declare, on the calling thread.
  ///
  /// - Parameters:
  ///   - path: of the script's file; messages call it so, and `require` looks in its folder.
  ///   - executor: lends the lane that functions run on.
  ///   - output: takes the lines that the script prints while it declares.
  /// - Throws: everything that is wrong with the script, or why its file can't be read (T0404).
  public static func load(
    path: String, executor: any Executor, output: @escaping @Sendable (String) -> Void,
    limits: ScriptLimits = ScriptLimits()
  ) throws(Diagnostics) -> Script {
    let source: ScriptSource
    do throws(Diagnostic) {
      source = try ScriptSource(path: path)
    } catch {
      throw Diagnostics([error], sources: Sources())
    }
    return try load(source, executor: executor, output: output, limits: limits)
  }

  /// The same for a text. Without a folder it can't `require` files.
  public static func load(
    name: String, text: String, folder: String?, executor: any Executor,
    output: @escaping @Sendable (String) -> Void, limits: ScriptLimits = ScriptLimits()
  ) throws(Diagnostics) -> Script {
    try load(
      ScriptSource(name: name, text: text, folder: folder), executor: executor, output: output, limits: limits)
  }

  /// The same for a source that was read before.
  public static func load(
    _ source: ScriptSource, executor: any Executor, output: @escaping @Sendable (String) -> Void,
    limits: ScriptLimits = ScriptLimits()
  ) throws(Diagnostics) -> Script {
    guard let interpreter = Interpreter(limits: limits, output: output) else {
      throw Diagnostics(
        [Diagnostic(.scriptError, "not enough memory for a Lua state within \(limits.memory) bytes")],
        sources: Sources())
    }
    let declared = try interpreter.declare(source)
    return Script(
      plan: declared.plan, warnings: declared.warnings, hasFunctions: declared.hasFunctions, interpreter: interpreter,
      executor: executor)
  }

  private init(
    plan: Plan, warnings: [Diagnostic], hasFunctions: Bool, interpreter: Interpreter, executor: any Executor
  ) {
    self.plan = plan
    self.hasFunctions = hasFunctions
    self.warnings = warnings
    let bench = StepBench(interpreter, on: executor)
    self.bench = bench
    inbox = Inbox(on: executor) { messages in bench.receive(messages) }
    var bodies: Set<FunctionID> = []
    for node in plan.nodes { if case .step(let step) = node.verb { bodies.insert(step.function) } }
    self.bodies = bodies
  }

  /// Also for a function that is a condition of a node. A step's body may wait for what it asks of the context.
  public func run(
    _ function: FunctionID, arguments: [Value], context: StepContext,
    completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) -> any Abortable {
    start(function, .call(arguments: arguments), context, completion)
  }

  public func runEach(
    _ function: FunctionID, over list: Value, _ use: ItemUse, context: StepContext,
    completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) -> any Abortable {
    start(function, .each(list: list, use), context, completion)
  }

  private func start(
    _ function: FunctionID, _ work: StepRun.Work, _ context: StepContext,
    _ completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) -> StepRun {
    let run = StepRun(
      function, work, isBody: bodies.contains(function), context, on: bench, inbox, completion)
    inbox.post(.start(run))
    return run
  }
}
