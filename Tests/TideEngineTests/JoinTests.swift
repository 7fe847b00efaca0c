import Testing
import TideGraph

@testable import TideEngine

/// The join alone: what it is told, and what it decides.
@Suite struct JoinTests {
  struct Told: CustomTestStringConvertible {
    let wait: Wait?
    let inputs: [Outcome?]
    var needs: [Outcome?] = []
    var after: [Outcome?] = []
    let decision: Join.Decision

    var testDescription: String { "\(wait.map { "\($0)" } ?? "no join"), \(inputs), \(needs), \(after)" }

    /// Nil outcomes are those that have not ended.
    var edges: [(need: Need, outcome: Outcome?)] {
      inputs.map { (.input, $0) } + needs.map { (.success, $0) } + after.map { (.end, $0) }
    }
  }

  /// What a join decides last, when it is told in this order and asked after each.
  private func decide(_ wait: Wait?, _ edges: [(need: Need, outcome: Outcome?)]) -> Join.Decision {
    let dependencies = edges.enumerated().map { Plan.Edge(NodeID($0.offset), $0.element.need) }
    var join = Join(dependencies: dependencies[...])
    var decision = join.decide(wait)
    for edge in edges {
      guard let outcome = edge.outcome else { continue }
      join.take(edge.need, outcome)
      let next = join.decide(wait)
      if decision == .wait { decision = next } else { #expect(next == .wait, "decided twice") }
    }
    return decision
  }

  private static let plain = [
    Told(wait: nil, inputs: [], decision: .open),
    Told(wait: nil, inputs: [], needs: [nil], decision: .wait),
    Told(wait: nil, inputs: [], needs: [.ok], decision: .open),
    Told(wait: nil, inputs: [], needs: [.ok, nil], decision: .wait),
    Told(wait: nil, inputs: [], needs: [.failed], decision: .end(.blocked)),
    Told(wait: nil, inputs: [], needs: [.failed, nil], decision: .end(.blocked)),
    Told(wait: nil, inputs: [], needs: [.blocked], decision: .end(.blocked)),
    Told(wait: nil, inputs: [], needs: [.skipped], decision: .end(.skipped)),
    Told(wait: nil, inputs: [], needs: [.skipped, nil], decision: .wait),
    Told(wait: nil, inputs: [], needs: [.skipped, .ok], decision: .end(.skipped)),
    Told(wait: nil, inputs: [], needs: [.skipped, .failed], decision: .end(.blocked)),
    Told(wait: nil, inputs: [], needs: [.cancelled], decision: .end(.cancelled)),
    Told(wait: nil, inputs: [], after: [.failed, .skipped, .blocked, .cancelled], decision: .open),
    Told(wait: nil, inputs: [], needs: [.ok], after: [nil], decision: .wait),
  ]

  private static let all = [
    Told(wait: .all, inputs: [], decision: .open),
    Told(wait: .all, inputs: [nil], decision: .wait),
    Told(wait: .all, inputs: [.ok, .ok], decision: .open),
    Told(wait: .all, inputs: [.ok, nil], decision: .wait),
    Told(wait: .all, inputs: [.failed, nil], decision: .end(.blocked)),
    Told(wait: .all, inputs: [.ok, .blocked], decision: .end(.blocked)),
    Told(wait: .all, inputs: [.skipped, .skipped], decision: .open),
    Told(wait: .all, inputs: [.skipped, .ok], decision: .open),
    Told(wait: .all, inputs: [.skipped, .failed], decision: .end(.blocked)),
    Told(wait: .all, inputs: [.ok, .cancelled], decision: .end(.cancelled)),
    Told(wait: .all, inputs: [.ok], needs: [.skipped], decision: .end(.skipped)),
    Told(wait: .all, inputs: [.failed], needs: [.skipped], decision: .end(.blocked)),
    Told(wait: .all, inputs: [.ok], needs: [.failed], decision: .end(.blocked)),
    Told(wait: .all, inputs: [.ok], after: [nil], decision: .wait),
    Told(wait: .all, inputs: [.ok], after: [.failed], decision: .open),
  ]

  private static let settled = [
    Told(wait: .settled, inputs: [], decision: .open),
    Told(wait: .settled, inputs: [.ok, .failed], decision: .open),
    Told(wait: .settled, inputs: [.failed, nil], decision: .wait),
    Told(wait: .settled, inputs: [.ok, nil], decision: .wait),
    Told(wait: .settled, inputs: [.failed, .blocked], decision: .failed),
    Told(wait: .settled, inputs: [.skipped, .failed], decision: .failed),
    Told(wait: .settled, inputs: [.skipped, .skipped], decision: .open),
    Told(wait: .settled, inputs: [.skipped, .ok, .failed], decision: .open),
    Told(wait: .settled, inputs: [.cancelled, .ok], decision: .open),
    Told(wait: .settled, inputs: [.ok], needs: [.failed], decision: .end(.blocked)),
    Told(wait: .settled, inputs: [.failed], needs: [.failed], decision: .end(.blocked)),
    Told(wait: .settled, inputs: [.failed], needs: [.ok], decision: .failed),
    Told(wait: .settled, inputs: [.failed], needs: [nil], decision: .wait),
    Told(wait: .settled, inputs: [.ok], needs: [.cancelled], decision: .end(.cancelled)),
  ]

  private static let counted = [
    Told(wait: .atLeast(0), inputs: [nil], decision: .open),
    Told(wait: .atLeast(-1), inputs: [], decision: .open),
    Told(wait: .atLeast(1), inputs: [], decision: .failed),
    Told(wait: .atLeast(3), inputs: [nil, nil], decision: .failed),
    Told(wait: .atLeast(.max), inputs: [nil, nil], decision: .failed),
    Told(wait: .atLeast(1), inputs: [.ok, nil, nil], decision: .open),
    Told(wait: .atLeast(2), inputs: [.ok, nil, nil], decision: .wait),
    Told(wait: .atLeast(2), inputs: [.ok, .failed, nil], decision: .wait),
    Told(wait: .atLeast(2), inputs: [.ok, .failed, .blocked, nil, nil], decision: .wait),
    Told(wait: .atLeast(2), inputs: [.failed, .failed, nil], decision: .failed),
    Told(wait: .atLeast(2), inputs: [.skipped, nil, nil], decision: .wait),
    Told(wait: .atLeast(2), inputs: [.skipped, .ok], decision: .failed),
    Told(wait: .atLeast(1), inputs: [.skipped, .skipped], decision: .failed),
    Told(wait: .atLeast(1), inputs: [.ok, nil], needs: [nil], decision: .wait),
    Told(wait: .atLeast(1), inputs: [.ok, nil], needs: [.skipped], decision: .end(.skipped)),
    Told(wait: .atLeast(1), inputs: [.failed], needs: [.failed], decision: .end(.blocked)),
  ]

  @Test(arguments: plain) func `a node waits for its needs and what it comes after`(_ told: Told) {
    #expect(decide(told.wait, told.edges) == told.decision)
  }

  @Test(arguments: all) func `a join of all opens when all succeeded`(_ told: Told) {
    #expect(decide(told.wait, told.edges) == told.decision)
  }

  @Test(arguments: settled) func `a join that settles opens when all ended and one succeeded`(_ told: Told) {
    #expect(decide(told.wait, told.edges) == told.decision)
  }

  @Test(arguments: counted) func `a join of N opens as soon as N succeeded`(_ told: Told) {
    #expect(decide(told.wait, told.edges) == told.decision)
  }

  @Test(arguments: plain + all + settled + counted.filter { $0.inputs.count < 2 })
  func `the order in which a join is told changes nothing`(_ told: Told) {
    for order in permutations(of: told.edges) { #expect(decide(told.wait, order) == told.decision) }
  }

  @Test func `a join that is closed decides nothing more`() {
    var join = Join(dependencies: [])
    join.close()
    #expect(join.decide(nil) == .wait)
    #expect(join.decided != .wait)
  }

  @Test func `what is kept of every node stays small`() {
    #expect(MemoryLayout<Join>.stride == 16)
    #expect(MemoryLayout<NodeState>.stride == 40)
    #expect(MemoryLayout<Message>.stride <= 48)
  }
}

/// All orders of at most a handful of things.
func permutations<T>(of items: [T]) -> [[T]] {
  guard let first = items.first else { return [[]] }
  return permutations(of: Array(items.dropFirst())).flatMap { rest in
    (0...rest.count).map { place in Array(rest[..<place]) + [first] + Array(rest[place...]) }
  }
}
