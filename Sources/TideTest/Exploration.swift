import TideBarrier
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// Runs a plan again and again on a simulated executor, in other orders and with other faults, and checks what must hold
/// of every run: each node ends once, nothing hangs, every permit, barrier and timer comes home, attempts are numbered
/// without a gap, and the same answers give the same bytes, except where the plan itself races.
///
/// Nothing here touches the network or the clock. Everything happens on the caller's thread; explorations of different
/// threads have nothing to do with each other.
public struct Exploration: Sendable {
  public let plan: Plan
  /// A value for every node that is given from outside.
  public let inputs: [NodeID: Value]
  /// Makes what answers the requests of one run. It must answer by the executor that it is given.
  public let transport: @Sendable (any Executor) -> any Transport
  /// Makes what runs the functions of one run.
  public var stepRunner: @Sendable (any Executor) -> any StepRunner
  /// What may go wrong, in the runs of ``orders(limit:seeds:)`` and in those of a seed.
  public var faults: [Fault] = []
  /// How much goes wrong in one run at most.
  public var maximumFaults = 2
  /// Of the asks of a seed's run, one in so many goes wrong.
  public var odds = 4
  /// Whether delays of answers are as they are written down. If not, an answer may come at any time, and before any other.
  public var keepsDelays = false
  /// Whether a lane may be slow as well: many more orders, which differ in nothing that a user could cause.
  public var slowLanes = false
  /// What the outside signals, under the names of the nodes, each in its order.
  public var signals: [(name: String, value: Value)] = []
  /// Whether the outside says, when everything has come to rest, that no signal comes any more.
  public var endsSignals = true
  /// Sets what else a run is made of: its files, its time limit, its seed.
  public var configure: @Sendable (inout RunConfiguration) -> Void = { _ in }
  /// Whether there is no time left, which is asked before every step: then the run is given up.
  public var isOver: @Sendable () -> Bool = { false }
  /// A run that takes more steps than this never ends.
  public var maximumSteps = 1_000_000

  public init(
    _ plan: Plan, inputs: [NodeID: Value] = [:], transport: @escaping @Sendable (any Executor) -> any Transport,
    stepRunner: @escaping @Sendable (any Executor) -> any StepRunner
  ) {
    self.plan = plan
    self.inputs = inputs
    self.transport = transport
    self.stepRunner = stepRunner
  }
}

extension Exploration {
  /// What a number of runs showed.
  public struct Summary: Sendable {
    /// How many runs there were.
    public internal(set) var runs = 0
    /// Whether they were all that there can be.
    public internal(set) var isExhaustive = false
    /// What was wrong, the first few.
    public internal(set) var findings: [Finding] = []

    static let maximumFindings = 10

    var isFull: Bool { findings.count >= Summary.maximumFindings }
  }

  /// Runs the plan in every order in which its answers can come, and with every choice of ``faults``; if these are more
  /// than `limit`, in the first `limit` of them and then by `seeds`.
  ///
  /// Seven requests at once come in 5,040 orders.
  public func orders(limit: Int = 6_000, seeds: Range<UInt64> = 0..<1_000) -> Summary {
    var comparison = Comparison()
    var last: [ScriptedChoices.Choice] = []
    let runs: Int
    do {
      runs = try forEachOrder(limit: limit) { choices in
        guard !comparison.summary.isFull, let choices = choices as? ScriptedChoices else { throw EnoughFound() }
        comparison.take(observe(along: choices, allFaults))
        last = choices.made
      }
    } catch {
      return comparison.summary
    }
    // The very last of all orders takes the last possibility everywhere.
    comparison.summary.isExhaustive = runs < limit || last.allSatisfy { $0.picked + 1 == $0.count }
    guard !comparison.summary.isExhaustive else { return comparison.summary }
    for seed in seeds where !comparison.summary.isFull { comparison.take(replay(.seed(seed))) }
    return comparison.summary
  }

  /// No further order would tell anything.
  private struct EnoughFound: Error {}

  /// Runs the plan once by each seed, with ``faults``.
  public func random(_ seeds: Range<UInt64>) -> Summary {
    var comparison = Comparison()
    for seed in seeds where !comparison.summary.isFull { comparison.take(replay(.seed(seed))) }
    return comparison.summary
  }

  /// Lets each thing that the plan asks for go wrong in each of these ways, one at a time: the rows and columns of a table
  /// of ask by fault, row by row. The first run of the plan, with nothing wrong, says what is asked for; what only a
  /// failure leads to (a fallback's second input) is no row.
  public func eachFault(_ faults: [Fault] = Fault.all) -> [(ask: Ask, runs: [Observation])] {
    let asks = replay(.choices([])).asks
    return asks.indices.map { number in (asks[number], faults.map { replay(.fault($0, ask: number)) }) }
  }

  /// Takes the way of an earlier run again. The same exploration gives the same run, to the last event.
  public func replay(_ trail: Trail) -> Observation {
    switch trail {
    case .choices(let picked): return observe(along: ScriptedChoices(picked), allFaults)
    case .seed(let seed):
      let choices = SeededChoices(seed: seed)
      return observe(
        choices, { trail }, .chosen(faults, by: choices, odds: max(1, odds), most: maximumFaults))
    case .fault(let fault, let ask): return observe(ScriptedChoices(), { trail }, .single(fault, ask: ask))
    }
  }

  /// Without odds, so that nothing is tried twice: each ask goes wrong or does not.
  private func allFaults(_ choices: any Choices) -> Fate.Draw {
    faults.isEmpty ? .nothing : .chosen(faults, by: choices, odds: 2, most: maximumFaults)
  }

  private func observe(along choices: ScriptedChoices, _ draw: (any Choices) -> Fate.Draw) -> Observation {
    observe(choices, { .choices(choices.made.map(\.picked)) }, draw(choices))
  }

  private func observe(_ choices: any Choices, _ trail: () -> Trail, _ draw: Fate.Draw) -> Observation {
    let voyage = Voyage(self, choices, draw)
    voyage.sail()
    return voyage.observation(trail())
  }
}
