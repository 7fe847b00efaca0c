import TideFixtures
import TideGraph
import TideTest
import TideValue

/// Requests at once, their lists merged and sorted: the plan that most tests explore.
struct Gather {
  var nodes: [Node] = []
  var replies: [String: [Reply]] = [:]
  var result: Plan.Result?

  var plan: Plan { Plan(nodes: nodes, result: result) }

  mutating func add(_ name: String, _ verb: Verb, _ options: NodeOptions? = nil) -> NodeID {
    nodes.append(Node(name: name, verb: verb, options: options))
    return NodeID(nodes.count - 1)
  }

  mutating func request(_ name: String, _ options: NodeOptions? = nil) -> NodeID {
    replies[name] = replies[name] ?? [Reply(content: .body(#"[{"id":"\#(name)","t":1}]"#))]
    return add(name, .request(RequestSpec(method: "GET", url: .literal(Value("http://api.test/\(name)")))), options)
  }

  mutating func step(_ name: String, _ uses: [NodeID], _ function: Int, _ options: NodeOptions? = nil) -> NodeID {
    add(name, .step(StepSpec(function: FunctionID(function), arguments: uses.map { .value(of: $0) })), options)
  }

  /// `count` requests, and a page of what they say.
  init(_ count: Int, wait: Wait = .all, cancelsRest: Bool = false, _ options: NodeOptions? = nil) {
    let requests = (0..<count).map { request("r\($0)", options) }
    let merged = add(
      "merged",
      .merge(MergeSpec(inputs: requests.map { .value(of: $0) }, wait: wait, cancelsRest: cancelsRest)))
    result = .expression(.value(of: merged))
  }

  var exploration: Exploration {
    let replies = replies
    return Exploration(
      plan, transport: { ScriptedWorld(replies, on: $0) }, stepRunner: { ScriptedWorld(replies, on: $0) })
  }
}
