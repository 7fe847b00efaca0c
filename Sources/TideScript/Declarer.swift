import CLua
import TideGraph
import TideValue

/// What a handle's two numbers mean.
enum HandleKind: UInt32 {
  /// The value of the node with this index.
  case node
  /// One of the declarer's expressions.
  case expression
  /// The queue with this index.
  case queue
  /// `tide.VERB "name"` that has had no table yet: one of the declarer's openings.
  case opening
}

/// Collects what a script declares.
final class Declarer {
  /// `tide.VERB "name"`: what came of it.
  struct Opening {
    let verb: String
    let name: String
    let place: Place
    var declared: PlanBuilder.Declared?
  }

  var builder: PlanBuilder
  let source: ScriptSource
  private(set) var expressions: [Expression] = []
  private(set) var openings: [Opening] = []
  private(set) var requests: Set<NodeID> = []
  /// The functions that nodes were given, in the order of their declarations.
  private(set) var functions: [FunctionID] = []
  /// Openings without their table, in their order. The youngest is nearly always the one that gets it.
  private var unfinished: [Int] = []
  /// Files that are being loaded by `require`, and those that were.
  var loading: [String] = []
  var loaded: [String: String] = [:]

  init(source: ScriptSource) {
    self.source = source
    builder = PlanBuilder()
  }

  static func needsTable(_ verb: String) -> Bool { verb != "input" && verb != "secret" }

  /// Takes `tide.VERB "name"` in. An input that has had no table by now gets none any more.
  func open(_ verb: String, name: String, place: Place) -> Int {
    if let last = unfinished.last, !Declarer.needsTable(openings[last].verb) { declareWithoutTable(last) }
    openings.append(Opening(verb: verb, name: name, place: place))
    unfinished.append(openings.count - 1)
    return openings.count - 1
  }

  func declare(_ opening: Int, inputs: [Argument], options: [Argument.Entry]) -> PlanBuilder.Declared {
    let it = openings[opening]
    return finish(
      opening,
      Declaration(verb: it.verb, name: it.name, place: it.place, inputs: inputs, options: options, hasTable: true))
  }

  private func declareWithoutTable(_ opening: Int) {
    let it = openings[opening]
    _ = finish(opening, Declaration(verb: it.verb, name: it.name, place: it.place, hasTable: false))
  }

  private func finish(_ opening: Int, _ declaration: Declaration) -> PlanBuilder.Declared {
    if let place = unfinished.lastIndex(of: opening) { unfinished.remove(at: place) }
    let declared = builder.declare(declaration)
    if case .node(let node) = declared, declaration.verb == "request" { requests.insert(node) }
    openings[opening].declared = declared
    return declared
  }

  /// What an opening has become; an input without its table is declared now.
  func declared(_ opening: Int) -> PlanBuilder.Declared? {
    if openings[opening].declared == nil, !Declarer.needsTable(openings[opening].verb) {
      declareWithoutTable(opening)
    }
    return openings[opening].declared
  }

  /// The script has ended: whatever still waits for its table never gets it.
  func close() {
    for opening in unfinished {
      let it = openings[opening]
      guard Declarer.needsTable(it.verb) else {
        declareWithoutTable(opening)
        continue
      }
      builder.report(
        Diagnostic(
          .incomplete, "\(it.verb) \"\(it.name)\": its table is missing", at: builder.sources.location(it.place),
          help: "write tide.\(it.verb) \"\(it.name)\" { ... }, with its inputs and options"))
    }
    unfinished = []
  }

  func add(_ expression: Expression) -> UInt32 {
    expressions.append(expression)
    return UInt32(truncatingIfNeeded: expressions.count - 1)
  }

  /// Keeps the function on top for the run.
  func keep(_ stack: LuaStack) -> FunctionID {
    let function = FunctionID(Int(clua_keep(stack.pointer, -1)))
    functions.append(function)
    return function
  }

  /// What a handle stands for; nil for one of a queue, and for an opening that needs its table.
  func expression(of handle: clua_handle) -> Expression? {
    switch HandleKind(rawValue: handle.kind) {
    case .node: return .value(of: NodeID(Int(handle.index)))
    case .expression: return expressions[Int(handle.index)]
    case .opening:
      if case .node(let node)? = declared(Int(handle.index)) { return .value(of: node) }
      return nil
    case .queue, nil: return nil
    }
  }
}
