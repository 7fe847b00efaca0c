import TideGraph
import TideTest

/// Tells what came of tests, while they run.
protocol TestReport: Sendable {
  mutating func begin(files: Int)
  /// File by file, in the order of their names.
  mutating func take(_ result: TestFileResult)
  mutating func end(_ totals: TestTotals)
}

/// How many there were of what.
struct TestTotals: Sendable {
  var seed: UInt64
  var tests = 0
  var passed = 0
  /// Tests that failed, and files that could not be loaded or left.
  var failures = 0
  var pending = 0
  var notRun = 0
  var snapshotsWritten = 0
  var orders = 0
  var elapsed = Duration.zero

  init(seed: UInt64) {
    self.seed = seed
  }

  mutating func take(_ result: TestFileResult) {
    for test in result.results {
      tests += 1
      orders += test.orders
      switch test.outcome {
      case .passed: passed += 1
      case .failed: failures += 1
      case .pending: pending += 1
      }
    }
    failures += result.failures.count
    notRun += result.notRun
    snapshotsWritten += result.snapshotsWritten
  }

  /// `5 tests: 3 passed, 1 failed, 1 pending`.
  var sentence: String {
    var parts = ["\(passed) passed", "\(failures) failed", "\(pending) pending"]
    if notRun > 0 { parts.append("\(notRun) not run") }
    if orders > 0 { parts.append("\(orders) orders tried") }
    if snapshotsWritten > 0 { parts.append("\(snapshotsWritten) snapshots written") }
    return "\(tests) \(tests == 1 ? "test" : "tests"): \(parts.joined(separator: ", "))"
  }
}

/// What `--report` names.
enum TestReportFormat: String, CaseIterable {
  case terminal, tap, junit, github, jsonl

  init(_ invocation: Invocation) throws(Stop) {
    guard let text = invocation.value(of: .testReport) else {
      self = .terminal
      return
    }
    guard let format = TestReportFormat(rawValue: text) else {
      let known = TestReportFormat.allCases.map(\.rawValue)
      throw .usage(
        "'--report \(text)' is no format",
        help: didYouMean(text, among: known) ?? "one of: \(known.joined(separator: ", "))")
    }
    self = format
  }

  func report(seed: UInt64, _ write: @escaping @Sendable (String) -> Void) -> any TestReport {
    switch self {
    case .terminal: TerminalTestReport(seed: seed, write)
    case .tap: TapTestReport(seed: seed, write)
    case .junit: JUnitTestReport(seed: seed, write)
    case .github: GitHubTestReport(write)
    case .jsonl: JSONLinesTestReport(write)
    }
  }
}

extension TestFailure {
  /// The message, with what helps, in lines.
  var lines: [String] {
    var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if let help { lines.append("help: \(help)") }
    return lines
  }
}

extension FaultTable {
  /// A line a request under a line of the faults.
  var lines: [String] {
    let labels = rows.map { $0.turn > 1 ? "\($0.node) #\($0.turn)" : $0.node }
    let first = (labels.map(\.count) + [7]).max() ?? 7
    func line(_ label: String, _ cells: [String]) -> String {
      var text = label + String(repeating: " ", count: first - label.count)
      for (cell, fault) in zip(cells, FaultTable.faults) {
        text += "  " + cell + String(repeating: " ", count: max(0, max(7, fault.name.count) - cell.count))
      }
      while text.last == " " { text.removeLast() }
      return text
    }
    return [line("request", FaultTable.faults.map(\.name))]
      + zip(labels, rows).map { line($0, $1.cells.map(\.rawValue)) }
  }
}
