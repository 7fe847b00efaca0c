import TideGraph
import TideTest
import TideValue

/// TAP 14 (https://testanything.org/tap-version-14-specification.html).
struct TapTestReport: TestReport {
  private let seed: UInt64
  private let write: @Sendable (String) -> Void
  private var number = 0

  init(seed: UInt64, _ write: @escaping @Sendable (String) -> Void) {
    self.seed = seed
    self.write = write
  }

  func begin(files: Int) {
    write("TAP version 14\n# seed \(seed)\n")
  }

  mutating func take(_ result: TestFileResult) {
    for test in result.results {
      number += 1
      let title = "\(number) - \(TapTestReport.escaped("\(test.file): \(test.name)"))"
      switch test.outcome {
      case .passed: write("ok \(title)\n")
      case .pending(let why): write("ok \(title) # SKIP \(TapTestReport.escaped(why ?? "pending"))\n")
      case .failed(let failures):
        write("not ok \(title)\n")
        if let first = failures.first { write(first) }
      }
      for table in test.faults { write((["faults: \(table.script)"] + table.lines).map { "# \($0)\n" }.joined()) }
    }
    for failure in result.failures {
      number += 1
      write("not ok \(number) - \(TapTestReport.escaped(result.file))\n")
      write(failure)
    }
  }

  func end(_ totals: TestTotals) {
    write("1..\(number)\n# \(totals.sentence)\n")
  }

  /// Texts of YAML as JSON writes them, which are both.
  private func write(_ failure: TestFailure) {
    var text = "  ---\n  message: \(Value(failure.lines.joined(separator: "\n")))\n  severity: fail\n"
    if let location = failure.location {
      text += "  at:\n    file: \(Value(location.file))\n    line: \(location.line)\n"
    }
    write(text + "  ...\n")
  }

  /// A `#` would begin a directive.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\", "#": result += "\\\(character)"
      case _ where character.isNewline: result += " "
      default: result.append(character)
      }
    }
    return result
  }
}
