import TideEngine
import TideGraph
import TideScript
import TideValue

/// Runs the workflows of one test file's tests.
final class TestRuns: TestHost {
  private let folder: String
  private let options: TestOptions
  private(set) var snapshots: Snapshots
  /// When the test that runs is stopped.
  private var end: WallDeadline
  private var runs: [(trial: WorkflowTrial, observation: Observation)] = []
  private var tables: [FaultTable] = []
  private var orders = 0
  private var failures: [TestFailure] = []

  init(file: String, _ options: TestOptions) {
    folder = file.lastIndex(of: "/").map { String(file[..<$0]) }.map { $0.isEmpty ? "/" : $0 } ?? "."
    self.options = options
    snapshots = Snapshots(besideFile: file, isUpdating: options.updatesSnapshots)
    end = WallDeadline(after: options.limit)
  }

  /// Forgets the test before.
  func begin() {
    runs = []
    tables = []
    orders = 0
    failures = []
    end = WallDeadline(after: options.limit)
  }

  /// What the test that has just ended has shown beside itself.
  func takeFindings() -> (tables: [FaultTable], orders: Int, failures: [TestFailure]) { (tables, orders, failures) }

  func run(script: String, options given: Value) throws(TestComplaint) -> (run: Value, number: Int) {
    let path = joined(folder, script)
    let slash = path.lastIndex(of: "/")
    let files = options.files(slash.map { String(path[...$0]) } ?? ".")
    let trial = try WorkflowTrial(
      script: path, try TestRunOptions(given, folder: folder), files: files, end: end)
    let (observation, transport) = trial.run()
    guard observation.report != nil, observation.complaints.isEmpty else {
      throw TestComplaint("\(path): \(observation.complaints.joined(separator: "; "))")
    }
    runs.append((trial, observation))
    if options.checksFaults, !observation.requests.isEmpty { try checkFaults(trial, observation, script) }
    if options.checksOrders { try checkOrders(trial, script) }
    return (observation.value(transport, printed: trial.printed), runs.count)
  }

  private func checkFaults(_ trial: WorkflowTrial, _ observation: Observation, _ script: String) throws(TestComplaint) {
    let table = FaultTable(trial, of: observation, script: script)
    tables.append(table)
    guard !table.complaints.isEmpty else { return }
    if end.hasPassed { throw TestComplaint("the faults of \(script) could not all be tried: the time was over") }
    failures.append(
      TestFailure(
        "\(script) does not end as it must under a fault\n\(table.complaints.prefix(5).joined(separator: "\n"))",
        help: "this is a defect of tidegate"))
  }

  private func checkOrders(_ trial: WorkflowTrial, _ script: String) throws(TestComplaint) {
    let seeds = min(options.seed, .max - 1000)
    let summary = trial.orders(seeds: seeds..<(seeds + 1000))
    orders += summary.runs
    guard let finding = summary.findings.first else { return }
    if end.hasPassed { throw TestComplaint("the orders of \(script) could not all be tried: the time was over") }
    failures.append(
      TestFailure("\(script) depends on the order in which its answers arrive\n\(finding)"))
  }

  /// Each request of the nodes fails in each way; once by itself, and once with all others that ask for the same.
  func survives(run number: Int, nodes names: [String]) throws(TestComplaint) -> String? {
    guard runs.indices.contains(number - 1) else { throw TestComplaint("the run is one of another test") }
    let (trial, observation) = runs[number - 1]
    var lost: [String] = []
    for name in names {
      let node = try trial.plan.node(named: name)
      let requests = observation.requests
      let own = requests.filter { $0.node == node }.map(\.ask)
      guard !own.isEmpty else {
        throw TestComplaint(
          "'\(name)' has sent no request in this run, so that none can fail", help: "name a node that sends one")
      }
      let others = Set(requests.filter { $0.node != node }.map { observation.asks[$0.ask].subject })
      for (fault, word) in FaultTable.faults {
        var draws = own.map { Fate.Draw.single(fault, ask: $0) }
        for subject in Set(own.map { observation.asks[$0].subject }).sorted() where !others.contains(subject) {
          draws.append(.every(fault, subject: subject))
        }
        if let run = draws.lazy.map({ trial.run($0) }).first(where: { $0.cell != .ok && $0.cell != .partial }) {
          lost.append("\(name), \(word): \(run.whyNot)")
        }
      }
    }
    if end.hasPassed { throw TestComplaint("the faults could not all be tried: the time was over") }
    return lost.isEmpty ? nil : "the result does not survive\n" + lost.map { "  \($0)" }.joined(separator: "\n")
  }

  func snapshot(_ value: Value, name: String) throws(TestComplaint) -> String? {
    try snapshots.check(value, name: name)
  }
}

extension Observation {
  /// Why the run is neither ok nor partial.
  fileprivate var whyNot: String {
    guard let report, complaints.isEmpty else { return complaints.joined(separator: "; ") }
    let failed = report.verdict.unhandled.first { report.failure(of: $0) != nil } ?? report.verdict.unhandled.first
    let reason = failed.map { node in
      "'\(plan.nodes[node].name)' \(report.failure(of: node)?.message ?? report.ending(of: node).outcome.name)"
    }
    return "\(report.status.rawValue): \(reason ?? report.failure?.message ?? "nobody says why")"
  }
}
