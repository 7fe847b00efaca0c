import TideGraph
import TideReport
import TideValue
import Tidegate

/// Tells how a run ended: its result on stdout, what went wrong on stderr, all of it in the summary.
struct RunEnding {
  private let report: RunReport
  private let record: RunRecord
  private let options: RunOptions

  init(_ report: RunReport, record: RunRecord, _ options: RunOptions) {
    self.report = report
    self.record = record
    self.options = options
  }

  func conclude() -> ExitCode {
    explain()
    let code = printResult()
    return writeSummary(code)
  }

  private var exitCode: ExitCode {
    switch report.status {
    case .ok: .ok
    case .partial: options.isStrict ? .failed : .ok
    case .failed: .failed
    case .cancelled: .interrupted
    }
  }

  private func explain() {
    let text = FailureText(of: record, plan: report.plan, verdict: report.verdict)
    if report.status != .cancelled {
      Console.show(text.diagnostics)
      if let failure = report.failure { Console.show(diagnostic(failure)) }
    }
    if isPartial, let missing = text.partialWarning?.trimmingPrefix("warning: ") {
      if options.isStrict { Console.error(String(missing)) } else { Console.warning(String(missing)) }
    }
    if let cleanup = text.cleanupWarning {
      if options.isStrict { Console.error(cleanup) } else { Console.warning(cleanup) }
    }
    let shown = secretsInResult
    if !shown.isEmpty { Console.warning("the result holds what is secret: \(shown.joined(separator: ", "))") }
  }

  /// Whether there is a result with a gap that was not told as a failure.
  private var isPartial: Bool {
    report.result != nil && !Set(report.verdict.missing).isSubset(of: report.verdict.unhandled)
  }

  private func diagnostic(_ failure: Failure) -> Diagnostic {
    var diagnostic = Diagnostic(.nodeFailed, failure.message, at: failure.location, help: failure.help)
    let running = report.plan.nodeIDs.filter { record[$0].started != nil && record[$0].outcome == .cancelled }
    if failure.kind == .timeout, !running.isEmpty {
      let names = running.prefix(8).map { "'\(report.plan.nodes[$0].name)'" } + (running.count > 8 ? ["..."] : [])
      diagnostic.notes.append("was at work: \(names.joined(separator: ", "))")
    }
    return diagnostic
  }

  /// Names of nodes whose value is a secret and stands in what is printed.
  private var secretsInResult: [String] {
    guard report.result != nil else { return [] }
    let secrets = report.plan.secretNodes
    guard !secrets.isEmpty else { return [] }
    var found: Set<NodeID> = []
    report.plan.result?.forEachNode { node in
      if secrets.contains(node), report.ending(of: node).outcome == .ok { found.insert(node) }
    }
    return found.sorted().map { "'\(report.plan.nodes[$0].name)'" }
  }

  private func printResult() -> ExitCode {
    guard let result = report.result else { return exitCode }
    do {
      if let file = options.out {
        try file.write { (writer) throws(DataError) in try options.format.write(result, to: &writer) }
        return exitCode
      }
      let output = FileOutput(1)
      var writer = ByteWriter { output.write($0) }
      try options.format.write(result, to: &writer)
      writer.flush()
      return Standard.exitCode(after: exitCode, output)
    } catch let problem as AtomicFile.Problem {
      Console.show(unwritable("result", options.outPath, problem.reason))
    } catch {
      Console.error("the result can't be written as \(options.format.rawValue): \(error)")
    }
    return exitCode == .ok ? .failed : exitCode
  }

  private func writeSummary(_ code: ExitCode) -> ExitCode {
    guard let summary = options.summary else { return code }
    let value = SummaryJSON.value(
      of: record, plan: report.plan, missing: report.verdict.missing, exit: Int(code.rawValue), status: report.status)
    do {
      try summary.write { writer in
        value.write(to: &writer, style: .pretty)
        writer.append(UInt8(ascii: "\n"))
      }
      return code
    } catch {
      Console.show(unwritable("summary", options.summaryPath, (error as? AtomicFile.Problem)?.reason ?? "\(error)"))
      return code == .ok ? .usage : code
    }
  }
}
