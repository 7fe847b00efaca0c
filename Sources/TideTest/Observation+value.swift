import TideEngine
import TideFixtures
import TideGraph
import TideValue

extension Observation {
  /// The run as a test sees it: `status`, `result`, `nodes`, `requests`, `elapsed`, `log`, `missing`, `unused`.
  ///
  /// - Parameter printed: lines of the time when the script declared.
  func value(_ transport: FixtureTransport?, printed: [String]) -> Value {
    let attempts = attempts
    var fields: [(key: String, value: Value)] = []
    fields.append(("status", Value(report?.status.rawValue ?? "never ended")))
    if let result = report?.result { fields.append(("result", result)) }
    if let failure = report?.failure { fields.append(("error", failure.value)) }
    fields.append(("elapsed", seconds(report?.elapsed ?? .zero)))
    fields.append(
      ("nodes", .object(plan.nodeIDs.map { (plan.nodes[$0].name, value(of: $0, attempts: attempts[$0] ?? 0)) })))
    fields.append(("requests", .array((transport?.log ?? []).map(\.value))))
    fields.append(("unused", .array((transport?.unused ?? []).map { Value($0.title) })))
    fields.append(("missing", .array((report?.verdict.missing ?? []).map { Value(plan.nodes[$0].name) })))
    fields.append(("log", .array((printed + logged).map { Value($0) })))
    return .object(fields)
  }

  private func value(of node: NodeID, attempts: Int) -> Value {
    guard let report else { return .object([(key: "outcome", value: Value("never ended"))]) }
    let ending = report.ending(of: node)
    var fields: [(key: String, value: Value)] = [("outcome", Value(ending.outcome.name))]
    if ending.outcome == .ok { fields.append(("value", report.value(of: node))) }
    if ending.tookOtherwise { fields.append(("took_otherwise", Value(true))) }
    if let failure = report.failure(of: node) { fields.append(("error", failure.value)) }
    if let blamed = report.blamed(for: node) { fields.append(("blamed", Value(plan.nodes[blamed].name))) }
    fields.append(("attempts", Value(attempts)))
    return .object(fields)
  }

  /// The number of the last attempt; 1 for what starts and knows no attempts. What never started is not among them.
  private var attempts: [NodeID: Int] {
    var counts: [NodeID: Int] = [:]
    for event in events {
      switch event.kind {
      case .nodeStarted(let instance) where instance.path == .root: counts[instance.node, default: 0] += 0
      case .attemptStarted(let instance, let attempt) where instance.path == .root: counts[instance.node] = attempt
      default: break
      }
    }
    return counts.mapValues { max(1, $0) }
  }

  private var logged: [String] {
    events.compactMap { event in if case .log(_, let line) = event.kind { line } else { nil } }
  }
}

private func seconds(_ duration: Duration) -> Value {
  let (seconds, attoseconds) = duration.components
  return Value(Double(seconds) + Double(attoseconds) / 1e18) ?? .null
}

extension Failure {
  /// `{ kind, message, status, body, attempts }`, as `tide.error` gives it.
  fileprivate var value: Value {
    var fields: [(key: String, value: Value)] = [
      ("kind", Value(kind.description)), ("message", Value(message)), ("attempts", Value(attempts)),
    ]
    if let status { fields.append(("status", Value(status))) }
    if let body { fields.append(("body", body)) }
    return .object(fields)
  }
}

extension FixtureTransport.Made {
  fileprivate var value: Value {
    var fields: [(key: String, value: Value)] = [("method", Value(method)), ("url", Value(url))]
    if let exchange { fields.append(("exchange", Value(exchange))) }
    return .object(fields)
  }
}
