import Testing
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// Every order in which concurrent nodes can end gives the same bytes.
@Suite struct OrderTests {
  /// What must not depend on an order.
  private struct Seen: Equatable {
    let result: String?
    let status: RunStatus
    let summary: String
    let messages: [String?]
    let missing: [NodeID]

    init(_ report: RunReport) {
      result = report.result?.description
      status = report.status
      summary = report.summary
      messages = report.plan.nodeIDs.map { report.failure(of: $0)?.message }
      missing = report.verdict.missing
    }
  }

  /// Requests that answer with lists, some of which fail; joined in every way that does not race.
  private static func sketch(_ count: Int) throws -> Sketch {
    var sketch = Sketch()
    let requests = (0..<count).map { sketch.request("r\($0)", extract: $0 % 2 == 0 ? "items" : nil) }
    let merged = sketch.merge("merged", requests, wait: .settled)
    let page = try sketch.sort("page", merged, by: "t")
    let all = sketch.barrier("all", requests, NodeOptions(otherwise: json("[]")))
    let settled = sketch.barrier("settled", requests, wait: .settled)
    let uses = sketch.step("uses", requests)
    let after = sketch.step("after", [], NodeOptions(after: requests + [uses]))
    let errors = requests.map { Expression.question(.error, $0) } + [.question(.error, uses)]
    let ask = sketch.add("ask", .step(StepSpec(function: sketch.function("ask"), arguments: errors)))
    sketch.result = .table(
      [page, all, settled, uses, after, ask].map { (sketch.nodes[Int($0.index)].name, .expression(.value(of: $0))) })
    return sketch
  }

  private static func acts(_ count: Int, failing: Int) -> [String: Act] {
    var acts: [String: Act] = ["ask": .compute { .success(.array($0)) }]
    for index in 0..<count {
      let items = #"[{"t":\#(index % 2),"id":\#(index)},{"t":1,"id":"\#(index)b"}]"#
      let body = index % 2 == 0 ? #"{"items":\#(items)}"# : items
      acts["r\(index)"] = failing >> index & 1 == 1 ? .fail("r\(index) is down") : .respond(200, body)
    }
    return acts
  }

  @Test(arguments: [(2, 0), (2, 1), (2, 3), (3, 0), (3, 2), (3, 5), (3, 7)])
  func `every order of everything gives the same end`(_ count: Int, _ failing: Int) throws {
    let sketch = try Self.sketch(count)
    var first: Seen?
    let orders = try forEachOrder(limit: 20_000) { choices in
      let world = World(sketch, Self.acts(count, failing: failing), choices: choices)
      let seen = Seen(try world.run())
      if let first { #expect(seen == first, "\(choices)") } else { first = seen }
    }
    #expect(orders > 1)
  }

  /// With 4 and 5 requests all that follows would multiply the orders: only how the requests end is chosen.
  @Test(arguments: [(2, 0), (3, 2), (4, 0), (4, 6), (4, 15), (5, 0), (5, 1), (5, 20)])
  func `every order of the requests' ends gives the same end`(_ count: Int, _ failing: Int) throws {
    let sketch = try Self.sketch(count)
    var first: Seen?
    var starts = Set<[String]>()
    for order in permutations(of: Array(0..<count)) {
      var acts = Self.acts(count, failing: failing)
      for (place, index) in order.enumerated() { acts["r\(index)"] = acts["r\(index)"]?.after(.seconds(place + 1)) }
      let world = World(sketch, acts, choices: ScriptedChoices())
      let seen = Seen(try world.run())
      starts.insert(world.lines.filter { $0.hasPrefix("r") && $0.contains("attempt 1 ") })
      if let first { #expect(seen == first, "\(order)") } else { first = seen }
    }
    #expect(starts.count == (1...count).reduce(1, *), "each order was another one")
  }

  @Test(arguments: 2...5) func `every order of a plain gather gives the same bytes`(_ count: Int) throws {
    var sketch = Sketch()
    let requests = (0..<count).map { sketch.request("r\($0)") }
    sketch.returns(try sketch.sort("page", sketch.merge("merged", requests), by: "t"))
    var results = Set<String>()
    let orders = try forEachOrder { choices in
      var acts: [String: Act] = [:]
      for index in 0..<count { acts["r\(index)"] = .respond(200, #"[{"t":1,"id":\#(index)}]"#) }
      results.insert(try World(sketch, acts, choices: choices).run().result?.description ?? "none")
    }
    #expect(orders == (1...count).reduce(1, *))
    #expect(results == ["[" + (0..<count).map { #"{"t":1,"id":\#($0)}"# }.joined(separator: ",") + "]"])
  }

  @Test(arguments: 0..<100) func `a slow lane changes nothing either`(_ seed: Int) throws {
    let count = 2 + seed % 4
    let sketch = try Self.sketch(count)
    let acts = Self.acts(count, failing: seed / 4)
    let straight = Seen(try World(sketch, acts).run())
    let choices = SeededChoices(seed: UInt64(seed))
    #expect(Seen(try World(sketch, acts, choices: choices, lanes: .chosen).run()) == straight, "\(choices)")
  }

  @Test(arguments: 2...4) func `a join of N keeps its promise in every order`(_ count: Int) throws {
    var sketch = Sketch()
    let requests = (0..<count).map { sketch.request("r\($0)") }
    let two = sketch.barrier("two", requests, wait: .atLeast(2))
    sketch.returns(two)
    var results = Set<String>()
    try forEachOrder { choices in
      let report = try World(sketch, choices: choices).run()
      let values = report.result?.items ?? []
      #expect(report.status == .ok)
      #expect(values.count == count)
      #expect(values.filter { !$0.isNull }.count == 2)
      for (index, value) in values.enumerated() { #expect(value.isNull || value == Value("r\(index)")) }
      results.insert(report.result?.description ?? "none")
    }
    #expect(results.count == count * (count - 1) / 2)
  }

  @Test(arguments: 0..<8) func `a join of N out of reach fails in every order`(_ failing: Int) throws {
    var sketch = Sketch()
    let requests = (0..<3).map { sketch.request("r\($0)") }
    let need = sketch.step("need")
    _ = sketch.barrier("two", requests, wait: .atLeast(2), NodeOptions(needs: [need]))
    var acts: [String: Act] = ["need": .fail("no")]
    for index in 0..<3 where failing >> index & 1 == 1 { acts["r\(index)"] = .fail("no") }
    var summaries = Set<String>()
    try forEachOrder { summaries.insert(try World(sketch, acts, choices: $0).run().summary) }
    #expect(summaries.count == 1, "blocked by its need, whichever is known first")
    #expect(summaries.first?.contains(" two=blocked<") == true)
  }
}

extension Act {
  /// The same, at a later time.
  func after(_ delay: Duration) -> Act {
    switch self {
    case .answer(let value, _): .answer(value, after: delay)
    case .fail(let message, _): .fail(message, after: delay)
    case .respond(let status, let body, let type, _): .respond(status, body, type: type, after: delay)
    default: self
    }
  }
}
