import TideGraph
import TideValue

/// What went wrong in a run, as diagnostics: one for each failure that nobody handled.
public struct FailureText: Sendable {
  let plan: Plan
  let record: RunRecord
  private let verdict: Verdict
  /// Of each node that was blocked, the failure at the root of it.
  private let roots: [NodeID: NodeID]

  public init(of record: RunRecord, plan: Plan, verdict: Verdict) {
    self.plan = plan
    self.record = record
    self.verdict = verdict
    var roots: [NodeID: NodeID] = [:]
    // Who is to blame is declared earlier, so that its own root is known by then.
    for node in plan.nodeIDs {
      if let blamed = plan.blame(for: node, ending: record.ending) { roots[node] = roots[blamed] ?? blamed }
    }
    self.roots = roots
  }

  /// The unhandled failures, in declared order. What a failure blocks is told with it; a blocked node has a diagnostic of
  /// its own only where the failure behind it was handled.
  public var diagnostics: Diagnostics {
    let unhandled = Set(verdict.unhandled)
    var blockedBy: [NodeID: [NodeID]] = [:]
    for node in verdict.unhandled {
      if let root = roots[node] { blockedBy[root, default: []].append(node) }
    }
    var all: [Diagnostic] = []
    for node in verdict.unhandled {
      if record[node].outcome == .failed {
        all.append(failed(node, blocks: blockedBy[node] ?? []))
      } else if let root = roots[node], !unhandled.contains(root) {
        all.append(blocked(node, by: root))
      }
    }
    return Diagnostics(all, sources: plan.sources)
  }

  /// `warning: the result lacks 'reward' (answered 502): it is partial`; nil if it lacks nothing.
  public var partialWarning: String? {
    guard !verdict.missing.isEmpty else { return nil }
    let missing = verdict.missing.map { node in
      "'\(plan.nodes[node].name)'\(reason(for: node).map { " (\($0))" } ?? "")"
    }
    return "warning: the result lacks \(missing.enumeration): it is partial".oneLine
  }

  /// `cleanup failed: 'logout' (answered 500)`; nil if all of it did its work.
  public var cleanupWarning: String? {
    guard !verdict.failedCleanup.isEmpty else { return nil }
    let failed = verdict.failedCleanup.map { node in
      "'\(plan.nodes[node].name)'\(reason(for: node).map { " (\($0))" } ?? "")"
    }
    return "cleanup failed: \(failed.enumeration)".oneLine
  }

  private func failed(_ node: NodeID, blocks: [NodeID]) -> Diagnostic {
    let declared = plan.sources.location(plan.nodes[node].place)
    let failure = record[node].failure
    let code: Diagnostic.Code = failure?.location == nil ? .nodeFailed : .stepError
    var diagnostic = Diagnostic(
      code, failure?.message ?? "it failed", at: failure?.location ?? declared, help: failure?.help)
    diagnostic.context = context(of: node, declared: declared, shown: diagnostic.location)
    var facts: [String] = []
    if let status = failure?.status { facts.append("status: \(status)") }
    if record[node].attempts > 1 { facts.append("attempts: \(record[node].attempts)") }
    if !facts.isEmpty { diagnostic.notes.append(facts.joined(separator: ", ")) }
    diagnostic.notes += chain(through: node, blocks: blocks)
    return diagnostic
  }

  private func blocked(_ node: NodeID, by root: NodeID) -> Diagnostic {
    let declared = plan.sources.location(plan.nodes[node].place)
    let reason = record[root].failure.map { " (\($0.message))" } ?? ""
    var diagnostic = Diagnostic(
      .nodeFailed, "\(title(node)) is blocked: '\(plan.nodes[root].name)' failed\(reason)", at: declared,
      help:
        "the failure of '\(plan.nodes[root].name)' is handled; this block is not: give it 'otherwise', or ask about it")
    diagnostic.notes = chain(through: root, blocks: [node])
    return diagnostic
  }

  /// `in step "joined", declared at :24`; the place only if it is not the one that is shown.
  private func context(of node: NodeID, declared: Location?, shown: Location?) -> String {
    guard let declared, declared != shown else { return "in \(title(node))" }
    let file = declared.file == shown?.file ? "" : declared.file
    return "in \(title(node)), declared at \(file):\(declared.line)"
  }

  private func title(_ node: NodeID) -> String { "\(plan.nodes[node].verb.name) \"\(plan.nodes[node].name)\"" }

  private func reason(for node: NodeID) -> String? {
    if let failure = record[node].failure { return failure.message }
    guard let root = roots[node] else { return nil }
    let reason = record[root].failure.map { ": \($0.message)" } ?? ""
    return "blocked by '\(plan.nodes[root].name)'\(reason)"
  }
}
