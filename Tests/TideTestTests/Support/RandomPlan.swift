import TideEngine
import TideFixtures
import TideGraph
import TideTest
import TideValue

/// A plan that a seed draws, with all that it is answered.
struct RandomPlan: Sendable {
  let seed: UInt64
  var nodes: [Node] = []
  var queues: [Queue] = []
  var result: Plan.Result?
  var inputs: [NodeID: Value] = [:]
  var signals: [(name: String, value: Value)] = []
  var replies: [String: [Reply]] = [:]

  var plan: Plan { Plan(nodes: nodes, queues: queues, result: result) }

  init(seed: UInt64) {
    self.seed = seed
    var drawing = Drawing(seed)
    drawing.draw(into: &self)
  }

  /// An exploration of it; what else there is to choose, its seed chooses.
  var exploration: Exploration {
    let replies = replies
    var exploration = Exploration(
      plan, inputs: inputs, transport: { ScriptedWorld(replies, on: $0) },
      stepRunner: { ScriptedWorld(replies, on: $0) })
    exploration.signals = signals
    exploration.keepsDelays = seed % 3 != 0
    exploration.slowLanes = seed % 2 == 0
    let jitter = seed
    exploration.configure = { configuration in
      configuration.seed = jitter
      configuration.maximumRequests = 8
      configuration.maximumRequestsToOrigin = 3
      configuration.timeout = jitter % 20 == 7 ? .milliseconds(40) : nil
    }
    return exploration
  }
}
