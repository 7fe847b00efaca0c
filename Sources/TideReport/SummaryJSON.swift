import TideGraph
import TideValue

/// The summary of a run, for programs.
///
/// An object of `status`, `exit`, `missing` (names), `elapsed_ms` and `nodes`: under each node's name, in declared order,
/// `outcome`, `started_ms`, `ended_ms`, `attempts`, `error` (`{kind, message, status}`) and `blamed` (a name). What is not
/// so is null. Times are milliseconds since the run's start, to the microsecond.
public enum SummaryJSON {
  /// - Parameters:
  ///   - missing: the gaps in the result, as the verdict tells them.
  ///   - exit: the command's exit code.
  ///   - status: in place of the record's, if the command judges otherwise.
  public static func value(
    of record: RunRecord, plan: Plan, missing: [NodeID], exit: Int, status: RunStatus? = nil
  ) -> Value {
    let status = status ?? record.status
    var names: [String] = []
    var nodes: [(key: String, value: Value)] = []
    for node in plan.nodeIDs {
      names.append(plan.nodes[node].name)
      nodes.append((plan.nodes[node].name, value(of: node, in: record, plan)))
    }
    return .object([
      ("status", status.map { Value($0.rawValue) } ?? .null), ("exit", Value(exit)),
      ("missing", .array(missing.map { Value(names[$0]) })), ("elapsed_ms", milliseconds(record.elapsed)),
      ("nodes", .object(nodes)),
    ])
  }

  private static func value(of node: NodeID, in record: RunRecord, _ plan: Plan) -> Value {
    let own = record[node]
    let blamed = plan.blame(for: node) { record.ending(of: $0) }
    return .object([
      ("outcome", own.outcome.map { Value($0.name) } ?? .null),
      ("started_ms", own.started.map { milliseconds($0) } ?? .null),
      ("ended_ms", own.ended.map { milliseconds($0) } ?? .null),
      ("attempts", Value(own.attempts)),
      ("error", own.failure.map { value(of: $0) } ?? .null),
      ("blamed", blamed.map { Value(plan.nodes[$0].name) } ?? .null),
    ])
  }

  private static func value(of failure: Failure) -> Value {
    .object([
      ("kind", Value(failure.kind.description)), ("message", Value(failure.message)),
      ("status", failure.status.map { Value($0) } ?? .null),
    ])
  }

  /// `12`, `12.5`, `0.125`: never an exponent, never a useless zero.
  static func milliseconds(_ duration: Duration) -> Value {
    let (seconds, attoseconds) = duration.components
    guard abs(seconds) < Int64.max / 1_000_000 - 1 else { return Value(duration.milliseconds) ?? .null }
    let micros = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    let (whole, rest) = micros.magnitude.quotientAndRemainder(dividingBy: 1000)
    guard rest > 0 else { return Value(micros / 1000) }
    var digits = String(rest + 1000).dropFirst()
    while digits.hasSuffix("0") { digits.removeLast() }
    return Value(numberText: "\(micros < 0 ? "-" : "")\(whole).\(digits)") ?? .null
  }
}
