import TideBarrier
import TideGraph
import TideValue

/// A plan written down in Swift, node by node. Functions are known by name: a step's is its own name.
struct Sketch {
  private(set) var nodes: [Node] = []
  private(set) var queues: [Queue] = []
  private(set) var functions: [String] = []
  var result: Plan.Result?

  var plan: Plan { Plan(nodes: nodes, queues: queues, result: result) }

  mutating func add(_ name: String, _ verb: Verb, _ options: NodeOptions? = nil) -> NodeID {
    nodes.append(Node(name: name, verb: verb, options: options))
    return NodeID(nodes.count - 1)
  }

  mutating func queue(
    _ name: String = "line", width: Int? = nil, rate: Queue.Rate? = nil, isPerHost: Bool = false,
    trip: Queue.Trip? = nil
  ) -> QueueID {
    queues.append(Queue(name: name, width: width, rate: rate, isPerHost: isPerHost, trip: trip))
    return QueueID(queues.count - 1)
  }

  mutating func fallback(_ name: String, _ inputs: [Expression], _ options: NodeOptions? = nil) -> NodeID {
    add(name, .fallback(FallbackSpec(inputs: inputs)), options)
  }

  mutating func signal(_ name: String, count: Int = 1, _ options: NodeOptions? = nil) -> NodeID {
    add(name, .signal(SignalSpec(count: count)), options)
  }

  mutating func sleep(_ name: String, _ seconds: Double, _ options: NodeOptions? = nil) -> NodeID {
    add(name, .sleep(.literal(Value(seconds) ?? .null)), options)
  }

  mutating func function(_ name: String) -> FunctionID {
    functions.append(name)
    return FunctionID(functions.count - 1)
  }

  mutating func input(_ name: String) -> NodeID { add(name, .input(InputSpec())) }

  mutating func step(_ name: String, _ uses: [NodeID] = [], _ options: NodeOptions? = nil) -> NodeID {
    add(name, .step(StepSpec(function: function(name), arguments: uses.map { .value(of: $0) })), options)
  }

  mutating func request(
    _ name: String, _ uses: [NodeID] = [], _ options: NodeOptions? = nil, host: String = "api.test",
    extract: String? = nil, expectation: TideGraph.Expectation = TideGraph.Expectation(), method: String = "GET",
    key: RequestSpec.IdempotencyKey? = nil
  ) -> NodeID {
    var parts: [TextPart] = [.text("http://\(host)/\(name)")]
    for use in uses { parts += [.text("/"), .joined(.value(of: use))] }
    var spec = RequestSpec(method: method, url: .text(parts))
    spec.idempotencyKey = key
    spec.extract = extract.flatMap { try? Path($0) }
    spec.expectation = expectation
    return add(name, .request(spec), options)
  }

  mutating func merge(
    _ name: String, _ inputs: [NodeID], wait: Wait = .all, _ options: NodeOptions? = nil
  ) -> NodeID {
    add(name, .merge(MergeSpec(inputs: inputs.map { .value(of: $0) }, wait: wait)), options)
  }

  mutating func barrier(
    _ name: String, _ inputs: [NodeID], wait: Wait = .all, cancelsRest: Bool = false, _ options: NodeOptions? = nil
  ) -> NodeID {
    let inputs = inputs.map { Expression.value(of: $0) }
    return add(name, .barrier(BarrierSpec(inputs: inputs, wait: wait, cancelsRest: cancelsRest)), options)
  }

  mutating func sort(
    _ name: String, _ input: NodeID, by key: String, limit: Int? = nil, _ options: NodeOptions? = nil
  ) throws -> NodeID {
    add(name, .sort(SortSpec(input: .value(of: input), keys: [try SortKey(key)], limit: limit)), options)
  }

  /// The script returns this node's value.
  mutating func returns(_ node: NodeID) {
    result = .expression(.value(of: node))
  }
}

/// A value written as JSON. For literals in tests.
func json(_ text: String) -> Value {
  do { return try Value.parse(text) } catch { preconditionFailure("no JSON: \(text): \(error)") }
}
