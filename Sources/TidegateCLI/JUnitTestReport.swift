import TideGraph
import TideTest

/// JUnit's XML, as CI servers read it: written as a whole at the end.
struct JUnitTestReport: TestReport {
  private let seed: UInt64
  private let write: @Sendable (String) -> Void
  private var suites = ""

  init(seed: UInt64, _ write: @escaping @Sendable (String) -> Void) {
    self.seed = seed
    self.write = write
  }

  func begin(files: Int) {}

  mutating func take(_ result: TestFileResult) {
    var totals = TestTotals(seed: seed)
    totals.take(result)
    let elapsed = result.results.reduce(Duration.zero) { $0 + $1.elapsed }
    let file = JUnitTestReport.escaped(result.file)
    suites += "  <testsuite name=\"\(file)\" tests=\"\(totals.tests + result.failures.count)\" "
    suites += "failures=\"\(totals.failures - result.failures.count)\" errors=\"\(result.failures.count)\" "
    suites += "skipped=\"\(totals.pending)\" time=\"\(JUnitTestReport.seconds(elapsed))\">\n"
    for test in result.results { add(test) }
    for failure in result.failures {
      suites += "    <testcase classname=\"\(file)\" name=\"\(file)\" time=\"0\">\n"
      add("error", failure)
      suites += "    </testcase>\n"
    }
    suites += "  </testsuite>\n"
  }

  private mutating func add(_ test: TestResult) {
    let line = test.location.map { " line=\"\($0.line)\"" } ?? ""
    suites += "    <testcase classname=\"\(JUnitTestReport.escaped(test.file))\" "
    suites += "name=\"\(JUnitTestReport.escaped(test.name))\" file=\"\(JUnitTestReport.escaped(test.file))\"\(line) "
    suites += "time=\"\(JUnitTestReport.seconds(test.elapsed))\""
    var inner = ""
    swap(&inner, &suites)
    switch test.outcome {
    case .passed: break
    case .pending(let why): suites += "      <skipped message=\"\(JUnitTestReport.escaped(why ?? "pending"))\"/>\n"
    case .failed(let failures): for failure in failures { add("failure", failure) }
    }
    let output = test.output + test.faults.flatMap { ["faults: \($0.script)"] + $0.lines }
    if !output.isEmpty {
      suites += "      <system-out>\(JUnitTestReport.escaped(output.joined(separator: "\n")))</system-out>\n"
    }
    swap(&inner, &suites)
    suites += inner.isEmpty ? "/>\n" : ">\n\(inner)    </testcase>\n"
  }

  private mutating func add(_ element: String, _ failure: TestFailure) {
    var text = failure.lines
    if let location = failure.location { text.append("at \(location.file):\(location.line)") }
    suites += "      <\(element) message=\"\(JUnitTestReport.escaped(failure.lines.first ?? ""))\">"
    suites += "\(JUnitTestReport.escaped(text.joined(separator: "\n")))</\(element)>\n"
  }

  func end(_ totals: TestTotals) {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tidegate\" tests=\"\(totals.tests)\" "
    text += "failures=\"\(totals.failures)\" skipped=\"\(totals.pending)\" "
    text += "time=\"\(JUnitTestReport.seconds(totals.elapsed))\">\n"
    write(text + suites + "</testsuites>\n")
  }

  private static func seconds(_ duration: Duration) -> String {
    let thousandths = Int(duration.milliseconds.rounded())
    let digits = String(thousandths % 1000)
    return "\(thousandths / 1000).\(String(repeating: "0", count: 3 - digits.count))\(digits)"
  }

  /// Characters that XML 1.0 does not have (section 2.2) are replaced.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n": result += "&#10;"
      case "\t": result += "&#9;"
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
