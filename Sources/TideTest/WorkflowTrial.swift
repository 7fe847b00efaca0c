import TideBarrier
import TideEngine
import TideFixtures
import TideGraph
import TideScript
import TideValue

/// A workflow with what a test gives it: it can be run as often as one likes, in other orders and with other faults.
struct WorkflowTrial {
  let plan: Plan
  /// What was printed while the script declared.
  let printed: [String]
  private let base: Exploration
  private let script: Script
  private let executor: SimulatedExecutor
  private let sent: Locked<FixtureTransport?>

  /// Where the wall clock of every run begins: 2024-01-01T00:00:00Z.
  static let start: Int64 = 1_704_067_200_000_000_000

  /// - Throws: what is wrong with the script, or with what it is given.
  init(
    script path: String, _ options: TestRunOptions, files: any FileSource, end: WallDeadline
  ) throws(TestComplaint) {
    guard let fixtures = options.fixtures else { throw TestComplaint("there are no fixtures") }
    executor = SimulatedExecutor(choices: ScriptedChoices())
    let printed = Locked<[String]>([])
    let limits = ScriptLimits(end: end)
    let source: ScriptSource
    do throws(Diagnostics) {
      source = try readSource(path)
      script = try Script.load(
        source, executor: executor, output: { line in printed.withLock { $0.append(line) } }, limits: limits)
    } catch {
      throw .invalid("\(path) is invalid", error)
    }
    self.printed = printed.withLock { $0 }
    let (plan, inputs) = try WorkflowTrial.prepare(script.plan, path, options)
    self.plan = plan
    let sent = Locked<FixtureTransport?>(nil)
    self.sent = sent
    base = WorkflowTrial.exploration(of: plan, inputs, options, files, end) { executor in
      let transport = FixtureTransport(fixtures, executor: executor)
      sent.withLock { $0 = transport }
      return transport
    } steps: { [script] executor in
      guard script.hasFunctions else { return script }
      // What declared once declares again, and the same.
      return (try? Script.load(source, executor: executor, output: { _ in }, limits: limits)) ?? script
    }
  }

  /// The plan with its stubs, and the values that it is given.
  private static func prepare(
    _ original: Plan, _ path: String, _ options: TestRunOptions
  ) throws(TestComplaint) -> (Plan, [NodeID: Value]) {
    let (plan, stubs) = try original.overriding(options.overrides)
    for signal in options.signals where !plan.signals.contains(where: { plan.nodes[$0].name == signal.name }) {
      let known = plan.signals.map { plan.nodes[$0].name }
      throw TestComplaint(
        "\(path) has no signal '\(signal.name)'",
        help: didYouMean(signal.name, among: known)
          ?? (known.isEmpty ? "it has none" : "there are: \(known.joined(separator: ", "))"))
    }
    do throws(Diagnostics) {
      let inputs = try original.bind(options.inputs.adding(stubs, of: original))
      return (plan, inputs.merging(stubs) { $1 })
    } catch {
      throw .invalid("\(path) is given what it can't take", error)
    }
  }

  private static func exploration(
    of plan: Plan, _ inputs: [NodeID: Value], _ options: TestRunOptions, _ files: any FileSource, _ end: WallDeadline,
    transport: @escaping @Sendable (any Executor) -> any Transport,
    steps: @escaping @Sendable (any Executor) -> any StepRunner
  ) -> Exploration {
    var exploration = Exploration(plan, inputs: inputs, transport: transport, stepRunner: steps)
    exploration.keepsDelays = true
    exploration.signals = options.signals
    exploration.isOver = { end.hasPassed }
    let timeout = options.timeout
    exploration.configure = { configuration in
      configuration.timeout = timeout
      configuration.files = files
      configuration.startedAt = WorkflowTrial.start
    }
    return exploration
  }

  /// The run of the test itself, with nothing wrong. Once.
  func run() -> (Observation, FixtureTransport?) {
    var exploration = base
    exploration.stepRunner = { [script] _ in script }
    let voyage = Voyage(exploration, .nothing, on: executor)
    voyage.sail()
    return (voyage.observation(.choices([])), sent.withLock { $0 })
  }

  /// The run with something that goes wrong.
  func run(_ draw: Fate.Draw) -> Observation {
    let voyage = Voyage(base, ScriptedChoices(), draw)
    voyage.sail()
    return voyage.observation(.choices([]))
  }

  /// Every order in which answers can come, whatever their delays; if these are too many, those of the seeds.
  ///
  /// Seven requests at once come in 5,040 orders.
  func orders(atMost limit: Int = 6_000, seeds: Range<UInt64>) -> Exploration.Summary {
    var exploration = base
    exploration.keepsDelays = false
    let choices = ScriptedChoices()
    Voyage(exploration, choices, .nothing).sail()
    var count = 1
    for choice in choices.made where count <= limit { count *= choice.count }
    return count <= limit ? exploration.orders(limit: limit, seeds: seeds) : exploration.random(seeds)
  }
}

private func readSource(_ path: String) throws(Diagnostics) -> ScriptSource {
  do throws(Diagnostic) {
    return try ScriptSource(path: path)
  } catch {
    throw Diagnostics([error], sources: Sources())
  }
}

extension TestComplaint {
  static func invalid(_ what: String, _ diagnostics: Diagnostics) -> TestComplaint {
    let first = diagnostics.all.first { $0.severity == .error }
    if let first, first.code == .unreadable {
      return TestComplaint("there is no script to run: \(first.message)", help: first.help)
    }
    let place = first?.location.map { " (\($0.file):\($0.line))" } ?? ""
    return TestComplaint(
      first.map { "\(what): \($0.message)\(place)" } ?? what, help: first?.help, diagnostics: diagnostics)
  }
}

extension GivenInputs {
  /// An input or a secret that is overridden need not be given.
  fileprivate func adding(_ stubs: [NodeID: Value], of plan: Plan) -> GivenInputs {
    var copy = self
    for (node, value) in stubs {
      let name = plan.nodes[node].name
      switch plan.nodes[node].verb {
      case .input: copy.inputs[name] = copy.inputs[name] ?? .value(value)
      case .secret: copy.secrets[name] = copy.secrets[name] ?? ""
      default: break
      }
    }
    return copy
  }
}

extension Plan {
  /// The plan with some nodes that have their value from the start, and do and wait for nothing.
  fileprivate func overriding(
    _ overrides: [(name: String, value: Value)]
  ) throws(TestComplaint) -> (Plan, [NodeID: Value]) {
    if overrides.isEmpty { return (self, [:]) }
    var nodes = nodes
    var stubs: [NodeID: Value] = [:]
    for (name, value) in overrides {
      let node = try self.node(named: name)
      stubs[node] = value
      let isSecret = secretNodes.contains(node)
      nodes[node] = Node(
        name: name, verb: .input(InputSpec()), options: isSecret ? NodeOptions(isSecret: true) : nil,
        place: nodes[node].place)
    }
    return (Plan(nodes: nodes, queues: queues, result: result, sources: sources), stubs)
  }

  func node(named name: String) throws(TestComplaint) -> NodeID {
    if let node = nodeIDs.first(where: { nodes[$0].name == name }) { return node }
    let known = nodes.map(\.name)
    throw TestComplaint(
      "the script has no node '\(name)'",
      help: didYouMean(name, among: known) ?? "there are: \(known.prefix(20).joined(separator: ", "))")
  }
}
