import TideGraph
import TideReport
import TideValue

/// Declares nodes one a line, as a script would.
struct Script {
  private var builder: PlanBuilder
  private let file: Int
  private var line = 0

  init(_ name: String = "shares.lua", text: String = "") {
    var sources = Sources()
    file = sources.add(name: name, text: text)
    builder = PlanBuilder(sources: sources)
  }

  /// A node, or a wrong script, on `line`, or the next one.
  mutating func node(
    _ verb: String, _ name: String, _ inputs: [Argument] = [], _ options: KeyValuePairs<String, Argument> = [:],
    line: Int? = nil
  ) throws -> NodeID {
    guard case .node(let node) = declare(verb, name, inputs, options, line) else { throw NotANode() }
    return node
  }

  mutating func queue(_ name: String, width: Int, line: Int? = nil) throws -> QueueID {
    guard case .queue(let queue) = declare("queue", name, [], ["width": .value(Value(width))], line) else {
      throw NotANode()
    }
    return queue
  }

  private mutating func declare(
    _ verb: String, _ name: String, _ inputs: [Argument], _ options: KeyValuePairs<String, Argument>, _ line: Int?
  ) -> PlanBuilder.Declared {
    self.line = line ?? self.line + 1
    return builder.declare(
      Declaration(
        verb: verb, name: name, place: Place(file: file, line: self.line), inputs: inputs,
        options: options.map { Argument.Entry(key: $0.key, value: $0.value) }))
  }

  func plan(_ result: Plan.Result) throws -> Plan { try builder.finish(result: result) }
  func plan(_ result: NodeID) throws -> Plan { try plan(.expression(.value(of: result))) }
}

struct NotANode: Error {}

extension Argument {
  static func text(_ text: String) -> Argument { .value(Value(text)) }
  static func number(_ number: Int) -> Argument { .value(Value(number)) }
  static func node(_ node: NodeID) -> Argument { .expression(.value(of: node)) }
  static func url(_ parts: TextPart...) -> Argument { .expression(.text(parts)) }
}

extension TextPart {
  static func node(_ node: NodeID) -> TextPart { .joined(.value(of: node)) }
}

/// How the nodes of a plan ended, as the events of a run.
struct Story {
  let plan: Plan
  private(set) var record: RunRecord

  init(_ plan: Plan) {
    self.plan = plan
    record = RunRecord(of: plan)
  }

  mutating func tell(_ kind: RunEvent.Kind, at milliseconds: Double = 0) {
    record.take(RunEvent(time: .microseconds(Int64(milliseconds * 1000)), kind: kind))
  }

  /// A node that starts and ends.
  mutating func run(
    _ node: NodeID, _ outcome: Outcome, _ failure: Failure? = nil, from start: Double = 0, to end: Double = 0,
    tookOtherwise: Bool = false
  ) {
    if outcome == .ok || outcome == .failed { tell(.nodeStarted(Instance(node)), at: start) }
    tell(.nodeEnded(Instance(node), outcome, failure, blamed: nil, tookOtherwise: tookOtherwise), at: end)
  }

  var verdict: Verdict {
    Verdict(of: plan, wasCancelled: false, ranOutOfTime: false, ending: record.ending)
  }

  var failures: FailureText { FailureText(of: record, plan: plan, verdict: verdict) }

  /// As the command prints them.
  var text: String { DiagnosticText().render(failures.diagnostics) }
}
