import Glibc
import TideHTTP
import Tidegate

/// Rounds of workflows that run at once, with a look at the process after each.
final class Soak {
  static let runsInRound = 24

  let ledger = Ledger(capacity: 1 << 23)
  let baseline: Sample
  var course = Course(capacity: 1 << 16)
  var total = Witness.Account()
  var sends = 0
  var statuses: [String: Int] = [:]
  var runs = 0
  var cancels = 0
  let port: UInt16

  let transport: CurlTransport
  private let executor = DispatchExecutor()
  private let folder: String
  private var chance: Chance
  private var workflows: [Workflow] = []
  private let watch: Watch

  init(port: UInt16, seed: UInt64, folder: String) {
    self.port = port
    self.folder = folder
    chance = Chance(seed: seed)
    watch = Watch()
    var options = CurlTransport.Options()
    options.usesEnvironmentProxies = false
    transport = CurlTransport(options: options)
    executor.after(.zero) {}
    usleep(50_000)
    baseline = .now()
  }

  func run(for length: Duration) throws {
    let end = ContinuousClock.now + length
    var rounds = 0
    repeat {
      if rounds % 10 == 0 { try load() }
      try round()
      rounds += 1
      watch.pass(rounds)
    } while ContinuousClock.now < end
    workflows = []
    transport.shutdown()
    watch.stop()
  }

  /// Workflows come and go too.
  private func load() throws {
    workflows = try ["gather", "lines", "steps"].map {
      try Workflow(path: "\(folder)/\($0).lua", executor: executor)
    }
  }

  private func round() throws {
    let started = try (0..<Self.runsInRound).map { _ in try Sortie(workflows[chance.below(workflows.count)], self) }
    for sortie in started {
      let report = try sortie.run.completion.wait(allowingMainQueue: true)
      take(sortie.account(report), report)
    }
    // A request that was stopped ends a little after its run.
    for _ in 0..<5_000 where ledger.open > 0 { usleep(1_000) }
    if ledger.open > 0 { total.complaints.append("\(ledger.open) requests have not ended 5 s after their runs") }
    usleep(20_000)
    course.take()
  }

  private func take(_ account: Witness.Account, _ report: RunReport) {
    runs += 1
    statuses[report.status.rawValue, default: 0] += 1
    total.attempts += account.attempts
    total.tripped += account.tripped
    total.late += account.late
    total.nodesEnded += account.nodesEnded
    for index in account.endings.indices { total.endings[index] += account.endings[index] }
    if total.complaints.count < 20 { total.complaints += account.complaints }
  }

  /// A run on its way, with what is to happen to it from outside.
  private struct Sortie {
    let run: Run
    let witness: Witness
    let network: CountedTransport
    private var timers: [any Timer] = []
    private var endsAtOnce = false

    init(_ workflow: Workflow, _ soak: Soak) throws {
      let executor = soak.executor
      network = CountedTransport(soak.transport, soak.ledger)
      witness = Witness(workflow.plan)
      let timeout: Duration? = soak.chance.happens(0.1) ? .milliseconds(soak.chance.below(400) + 1) : nil
      let run = try Engine(executor: executor, transport: network).start(
        workflow, inputs: soak.inputs(of: workflow.plan), timeout: timeout, sinks: [witness])
      self.run = run
      if soak.chance.happens(0.15) {
        soak.cancels += 1
        endsAtOnce = soak.chance.happens(0.3)
        let delay = Duration.milliseconds(soak.chance.below(400))
        timers.append(executor.after(delay) { [endsAtOnce] in endsAtOnce ? run.cancelAtOnce() : run.cancel() })
      }
      let isSignalled = soak.chance.happens(0.8)
      timers.append(
        executor.after(.milliseconds(soak.chance.below(200))) {
          if isSignalled { run.signal("go") } else { run.endSignals() }
        })
    }

    func account(_ report: RunReport) -> Witness.Account {
      for timer in timers { timer.cancel() }
      return witness.account(report, sent: network.count, hadCleanup: !endsAtOnce)
    }
  }

  private func inputs(of plan: Plan) -> GivenInputs {
    let all = ["a": "http://127.0.0.1:\(port)", "b": "http://127.0.0.2:\(port)", "nobody": "http://127.0.0.1:1"]
    var given = GivenInputs()
    for node in plan.nodes {
      if case .input = node.verb, let url = all[node.name] { given.inputs[node.name] = .text(url) }
    }
    return given
  }
}

/// Random numbers from a seed (SplitMix64).
struct Chance {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ count: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(count)).high) }

  mutating func happens(_ share: Double) -> Bool { Double(next() >> 11) * 0x1p-53 < share }
}
