import TideGraph
import TideTest
import TideValue

/// A JSON object a line: one a test, one a file that failed as such, and the counts last.
struct JSONLinesTestReport: TestReport {
  private let write: @Sendable (String) -> Void

  init(_ write: @escaping @Sendable (String) -> Void) {
    self.write = write
  }

  func begin(files: Int) {}

  func take(_ result: TestFileResult) {
    for test in result.results { write("\(value(test))\n") }
    for failure in result.failures {
      let fields: [(key: String, value: Value)] = [
        ("file", Value(result.file)), ("outcome", Value("failed")), ("failures", .array([value(failure)])),
      ]
      write("\(Value.object(fields))\n")
    }
  }

  func end(_ totals: TestTotals) {
    let fields: [(key: String, value: Value)] = [
      ("tests", Value(totals.tests)), ("passed", Value(totals.passed)), ("failed", Value(totals.failures)),
      ("pending", Value(totals.pending)), ("not_run", Value(totals.notRun)), ("seed", Value("\(totals.seed)")),
      ("ms", milliseconds(totals.elapsed)),
    ]
    write("\(Value.object(fields))\n")
  }

  private func value(_ test: TestResult) -> Value {
    var fields: [(key: String, value: Value)] = [
      ("file", Value(test.file)), ("names", .array(test.names.map { Value($0) })),
      ("line", test.location.map { Value($0.line) } ?? .null),
    ]
    switch test.outcome {
    case .passed: fields.append(("outcome", Value("passed")))
    case .pending(let why):
      fields.append(("outcome", Value("pending")))
      fields.append(("why", why.map { Value($0) } ?? .null))
    case .failed(let failures):
      fields.append(("outcome", Value("failed")))
      fields.append(("failures", .array(failures.map { value($0) })))
    }
    fields.append(("ms", milliseconds(test.elapsed)))
    if !test.output.isEmpty { fields.append(("output", .array(test.output.map { Value($0) }))) }
    if !test.faults.isEmpty { fields.append(("faults", .array(test.faults.map { value($0) }))) }
    if test.orders > 0 { fields.append(("orders", Value(test.orders))) }
    return .object(fields)
  }

  private func value(_ failure: TestFailure) -> Value {
    var fields: [(key: String, value: Value)] = [("message", Value(failure.message))]
    if let location = failure.location {
      fields.append(("file", Value(location.file)))
      fields.append(("line", Value(location.line)))
    }
    if let help = failure.help { fields.append(("help", Value(help))) }
    return .object(fields)
  }

  private func value(_ table: FaultTable) -> Value {
    let rows = table.rows.map { row in
      let cells = zip(FaultTable.faults, row.cells).map { (key: $0.name, value: Value($1.rawValue)) }
      return Value.object([
        (key: "request", value: Value(row.request)), (key: "node", value: Value(row.node)),
        (key: "turn", value: Value(row.turn)), (key: "faults", value: .object(cells)),
      ])
    }
    return .object([(key: "script", value: Value(table.script)), (key: "rows", value: .array(rows))])
  }

  private func milliseconds(_ duration: Duration) -> Value { Value(duration.milliseconds) ?? .null }
}
