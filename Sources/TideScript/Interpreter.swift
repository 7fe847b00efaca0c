import CLua
import TideBarrier
import TideGraph
import TideValue

/// A Lua state with the sandbox in it. Confined to one thread at a time.
final class Interpreter {
  /// What the state is at work on: what its functions may do depends on it.
  enum Work {
    case nothing
    case declaring(Declarer)
    case step(StepContext)
    case testing(TestWork)
  }

  let state: OpaquePointer
  let main: LuaStack
  let limits: ScriptLimits
  let output: @Sendable (String) -> Void
  var work = Work.nothing
  var chunks = ChunkTable()
  /// The last complaint of ours, by which an error that nobody caught is known again.
  var fault: ScriptFault?
  /// How the handles that steps have captured read; by the index of their expressions.
  var handleTitles: [UInt32: String] = [:]
  /// The script's texts, once it has declared.
  var sources = Sources()
  var captures = Captures()
  var lent = LentBuffers()
  /// The step's body that runs, which may wait; nil while any other function of the script runs.
  var body: StepBody?
  private(set) var epoch: UInt64 = 0
  /// What the state holds when nothing runs: what is much beyond it is garbage.
  private var settledMemory = 0

  /// Nil if there is no memory for a state.
  init?(limits: ScriptLimits, output: @escaping @Sendable (String) -> Void) {
    guard let state = clua_new(limits.memory, writeDouble), let pointer = clua_main(state) else { return nil }
    self.state = state
    self.main = LuaStack(pointer: pointer)
    self.limits = limits
    self.output = output
    clua_set_owner(state, Unmanaged.passUnretained(self).toOpaque())
    guard clua_open_sandbox(pointer) == LUA_OK else { return nil }
    installLibrary()
  }

  deinit {
    clua_close(state)
  }

  /// The interpreter whose state this is.
  static func of(_ pointer: OpaquePointer) -> Interpreter? {
    clua_owner(pointer).map { Unmanaged<Interpreter>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Frees the garbage that a large piece of work has left.
  func settle() {
    let garbage = 16 << 20
    guard clua_memory(state) > settledMemory + garbage else { return }
    clua_collect(state)
    settledMemory = clua_memory(state)
  }

  /// From here on what the state's earlier pieces of work have left suspended is refused.
  func beginWork(deadline: Int64 = 0) {
    epoch += 1
    clua_set_epoch(state, epoch)
    clua_restart(state, deadline > 0 ? deadline : limits.end?.nanoseconds ?? 0)
    fault = nil
  }

  /// The state is again at work on what was suspended.
  func goOn(with body: StepBody) {
    clua_set_epoch(state, body.epoch)
    clua_restart(state, limits.end?.nanoseconds ?? 0)
    fault = nil
  }
}

/// Writes the shortest text that reads back as the number.
private let writeDouble: clua_double_writer = { number, output in
  var text = number.description
  return text.withUTF8 { bytes in
    for (index, byte) in bytes.enumerated() { output?[index] = CChar(bitPattern: byte) }
    return Int32(bytes.count)
  }
}

/// Runs a function of ours that Lua has called, and makes a Lua error of its complaint.
func perform(
  _ pointer: OpaquePointer?, _ body: (Interpreter, LuaStack) throws(ScriptFault) -> Int32
) -> Int32 {
  guard let pointer, let interpreter = Interpreter.of(pointer) else { return 0 }
  let stack = LuaStack(pointer: pointer)
  do {
    return try body(interpreter, stack)
  } catch {
    interpreter.fault = error
    stack.push(error.message)
    return Int32(CLUA_ERROR)
  }
}
