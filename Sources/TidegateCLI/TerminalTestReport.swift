import TideGraph
import TideReport
import TideTest

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// For people: a line a file, what failed with its place, the tables of faults, and the counts at the end.
struct TerminalTestReport: TestReport {
  private let seed: UInt64
  private let write: @Sendable (String) -> Void
  private let text: DiagnosticText
  /// Whether the file before has more than its one line.
  private var hasDetails = false

  init(seed: UInt64, _ write: @escaping @Sendable (String) -> Void) {
    self.seed = seed
    self.write = write
    text = DiagnosticText(isColoured: Standard.isColorful && isatty(1) == 1)
  }

  func begin(files: Int) {}

  mutating func take(_ result: TestFileResult) {
    guard !result.results.isEmpty || !result.failures.isEmpty else { return }
    if hasDetails { write("\n") }
    hasDetails = result.hasFailed || result.results.contains { !$0.faults.isEmpty }
    let count = result.results.count
    write("\(result.hasFailed ? "FAIL" : "ok  ")  \(result.file) (\(count) \(count == 1 ? "test" : "tests"))\n")
    for test in result.results { write(test, result.sources) }
    for failure in result.failures { write(failure, of: result.file, result.sources) }
  }

  private func write(_ test: TestResult, _ sources: Sources) {
    for table in test.faults {
      write("\n  \(test.name): \(table.script)\n" + table.lines.map { "    \($0)\n" }.joined())
    }
    switch test.outcome {
    case .passed: break
    case .pending(let why): write("      pending: \(test.name)\(why.map { " (\($0))" } ?? "")\n")
    case .failed(let failures):
      for failure in failures { write(failure, of: test.name, sources) }
      if !test.output.isEmpty { write("   printed:\n" + test.output.map { "     \($0)\n" }.joined()) }
    }
  }

  private func write(_ failure: TestFailure, of name: String, _ sources: Sources) {
    let diagnostic = Diagnostic(.testFailed, "\(name)\n\(failure.message)", at: failure.location, help: failure.help)
    write("\n" + text.render(diagnostic, sources: sources))
    if let details = failure.diagnostics { write("\n" + text.render(details)) }
  }

  func end(_ totals: TestTotals) {
    write("\(hasDetails ? "\n" : "")\(totals.sentence) (\(totals.elapsed.readable), seed \(seed))\n")
  }
}
