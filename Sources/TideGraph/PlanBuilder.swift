import TideValue

/// Takes a script's declarations one after the other and makes a plan of them. What is wrong is collected, not thrown:
/// a script's author sees all of it at once.
public struct PlanBuilder {
  public private(set) var diagnostics: [Diagnostic] = []
  public var sources: Sources
  private var nodes: [Node] = []
  private var queues: [Queue] = []
  private var names: [String: Place] = [:]

  public init(sources: Sources = Sources()) {
    self.sources = sources
  }

  /// What a declaration made.
  public enum Declared: Sendable {
    case node(NodeID)
    case queue(QueueID)
  }

  /// The verbs that exist.
  public static let verbs = [
    "input", "secret", "file", "request", "step", "merge", "sort", "filter", "map", "pick", "group", "distinct",
    "slice",
    "aggregate", "barrier", "fallback", "signal", "sleep", "queue",
  ]

  /// Takes a declaration in. Also a wrong one gets its place in the plan, so that the rest of the script can go on.
  public mutating func declare(_ declaration: Declaration) -> Declared {
    claimName(of: declaration)
    let (read, found) = read(declaration)
    diagnostics += found
    switch read {
    case .queue(let queue):
      queues.append(queue)
      return .queue(QueueID(queues.count - 1))
    case .node(let node):
      if let misplaced = cleanupNeeded(by: node) { diagnostics.append(misplaced) }
      nodes.append(node)
      return .node(NodeID(nodes.count - 1))
    }
  }

  private enum Read {
    case node(Node)
    case queue(Queue)
  }

  /// Apart from `declare`, since the reader holds this builder as it is now: were it still there when a node is
  /// appended, every declaration would copy all the nodes before it.
  private func read(_ declaration: Declaration) -> (Read, [Diagnostic]) {
    var reader = OptionReader(declaration, sources: sources, names: self)
    if declaration.verb == "queue" {
      let queue = reader.readQueue()
      return (.queue(queue), reader.diagnostics)
    }
    let verb = reader.readVerb()
    let options = reader.readNodeOptions()
    reader.finish()
    let node = Node(name: declaration.name, verb: verb, options: options, place: declaration.place)
    return (.node(node), reader.diagnostics)
  }

  public func name(of node: NodeID) -> String { nodes[node].name }
  public func place(of node: NodeID) -> Place { nodes[node].place }
  public func queueName(_ queue: QueueID) -> String { queues[Int(queue.index)].name }
  public var declaredNames: [String] { nodes.map(\.name) }

  public mutating func report(_ diagnostic: Diagnostic) {
    diagnostics.append(diagnostic)
  }

  /// What is wrong with how nodes wait for each other, and shows only when all are there.
  public var waitingMistakes: [Diagnostic] { WaitingCheck(nodes: nodes, queues: queues, sources: sources).run() }

  /// An ordinary node that waits for a cleanup node would never start.
  private func cleanupNeeded(by node: Node) -> Diagnostic? {
    guard node.options?.isAlways != true else { return nil }
    var cleanup: NodeID?
    node.forEachDependency { other, _ in
      if cleanup == nil, nodes[other].options?.isAlways == true { cleanup = other }
    }
    guard let cleanup else { return nil }
    return Diagnostic(
      .badValue,
      "\(node.verb.name) \"\(node.name)\": waits for '\(nodes[cleanup].name)', which starts only after every ordinary node has ended",
      at: sources.location(node.place), help: "give it always = true as well"
    ).noting(sources.location(nodes[cleanup].place), "'\(nodes[cleanup].name)' is declared with always = true")
  }

  /// The finished plan.
  ///
  /// - Throws: everything that was wrong.
  public consuming func finish(result: Plan.Result?) throws(Diagnostics) -> Plan {
    if result == nil {
      let file = sources.files.first
      let text = file?.text.utf8
      let breaks = text?.count { $0 == 0x0A } ?? 0
      let last = text?.last == 0x0A ? breaks : breaks + 1
      diagnostics.append(
        Diagnostic(
          .nothingReturned, "the script returns nothing",
          at: file.map { Location(file: $0.name, line: max(1, last)) },
          help: "end it with 'return' and the handle of the node whose value is the result, or a table of handles"))
    }
    // A queue that seems unused may be the one that an error is about.
    diagnostics += waitingMistakes.filter { $0.severity == .error }
    if diagnostics.contains(where: { $0.severity == .error }) { throw Diagnostics(diagnostics, sources: sources) }
    return Plan(nodes: nodes, queues: queues, result: result, sources: sources)
  }

  private mutating func claimName(of declaration: Declaration) {
    let location = sources.location(declaration.place)
    if declaration.name.isEmpty {
      diagnostics.append(Diagnostic(.badValue, "a name of a node can't be empty", at: location))
    }
    if let first = names[declaration.name] {
      let line = sources.location(first)
      let place = line.map { "\($0.file):\($0.line)" } ?? "an earlier line"
      diagnostics.append(
        Diagnostic(
          .duplicateName, "a second node named '\(declaration.name)': the first is at \(place)", at: location,
          help: "every node of a script has a name of its own"
        ).noting(line, "the first '\(declaration.name)'"))
    } else {
      names[declaration.name] = declaration.place
    }
  }
}
