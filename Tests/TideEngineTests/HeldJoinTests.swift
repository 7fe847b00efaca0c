import Testing
import TideFixtures
import TideGraph

@testable import TideEngine

/// A node that is held until its turn comes (an input of a fallback, cleanup): how it ends does not depend on whether what
/// it needs was faster than its turn.
@Suite struct HeldJoinTests {
  @Test(arguments: [Outcome.ok, .failed, .blocked, .skipped, .cancelled])
  func `nothing is decided before the turn, whatever a need says`(_ outcome: Outcome) {
    let edges = [Plan.Edge(NodeID(0), .success)]
    var join = Join(dependencies: edges[...], isHeld: true)
    #expect(join.decide(nil) == .wait)
    join.take(.success, outcome)
    #expect(join.decide(nil) == .wait)
    join.release()
    let decision: Join.Decision =
      switch outcome {
      case .ok: .open
      case .failed, .blocked: .end(.blocked)
      case .skipped: .end(.skipped)
      case .cancelled: .end(.cancelled)
      }
    #expect(join.decide(nil) == decision)
  }

  @Test(arguments: [
    (false, "need=failed first=ok second=skipped either=ok"),
    (true, "need=failed first=failed second=blocked<need either=failed"),
  ])
  func `an input whose need failed is skipped in every order if its turn never comes`(
    _ firstFails: Bool, _ summary: String
  ) throws {
    var sketch = Sketch()
    let need = sketch.step("need")
    let first = sketch.step("first")
    let second = sketch.step("second", [need])
    let either = sketch.add(
      "either", .fallback(FallbackSpec(inputs: [.value(of: first), .value(of: second)])))
    sketch.returns(either)
    var acts: [String: Act] = ["need": .fail("no")]
    if firstFails { acts["first"] = .fail("no") }
    var summaries = Set<String>()
    var statuses = Set<RunStatus>()
    try forEachOrder { choices in
      let report = try World(sketch, acts, choices: choices).run()
      summaries.insert(report.summary)
      statuses.insert(report.status)
    }
    #expect(summaries == [summary])
    #expect(statuses == [.failed])
  }
}

/// An input that is the first of one fallback and a later one of another.
@Suite struct SharedInputTests {
  @Test func `only the fallback that holds an input spares it`() throws {
    var sketch = Sketch()
    let failing = sketch.step("failing")
    let shared = sketch.step("shared")
    let good = sketch.step("good")
    let inner = sketch.add("inner", .fallback(FallbackSpec(inputs: [.value(of: shared)])))
    _ = sketch.add("spares", .fallback(FallbackSpec(inputs: [.value(of: good), .value(of: inner)])))
    let holds = sketch.add("holds", .fallback(FallbackSpec(inputs: [.value(of: failing), .value(of: shared)])))
    sketch.returns(holds)
    try forEachOrder { choices in
      let world = World(sketch, ["failing": .fail("no")], choices: choices)
      let report = try world.run()
      #expect(report.summary == "failing=failed shared=ok good=ok inner=skipped spares=ok holds=ok")
      #expect(report.status == .ok)
    }
  }
}

/// An input of a fallback that is cleanup waits for both: for all ordinary nodes, and for its turn.
@Suite struct HeldCleanupTests {
  @Test(arguments: [
    (false, "first=ok second=skipped either=ok"), (true, "first=failed second=ok either=ok"),
  ])
  func `cleanup waits for its turn`(_ firstFails: Bool, _ summary: String) throws {
    let cleanup = NodeOptions(isAlways: true)
    var sketch = Sketch()
    let first = sketch.step("first", [], cleanup)
    let second = sketch.step("second", [], cleanup)
    _ = sketch.add(
      "either", .fallback(FallbackSpec(inputs: [.value(of: first), .value(of: second)])), cleanup)
    try forEachOrder { choices in
      let world = World(sketch, firstFails ? ["first": .fail("no")] : [:], choices: choices)
      let report = try world.run()
      #expect(report.summary == summary)
      #expect(world.fakes.started == (firstFails ? ["first", "second"] : ["first"]))
    }
  }

  @Test func `cleanup whose turn has come waits for the ordinary nodes, and for its needs`() throws {
    let cleanup = NodeOptions(isAlways: true)
    var sketch = Sketch()
    let first = sketch.step("first")
    let need = sketch.step("need", [], cleanup)
    let second = sketch.step("second", [need], cleanup)
    _ = sketch.step("slow")
    _ = sketch.add(
      "either", .fallback(FallbackSpec(inputs: [.value(of: first), .value(of: second)])), cleanup)
    try forEachOrder { choices in
      let world = World(sketch, ["first": .fail("no")], choices: choices)
      let report = try world.run()
      #expect(report.summary == "first=failed need=ok second=ok slow=ok either=ok")
      #expect(world.fakes.started == ["first", "slow", "need", "second"])
    }
  }
}
