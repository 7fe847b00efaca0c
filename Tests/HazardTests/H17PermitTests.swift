import Testing
import TideEngine
import TideFixtures
import TideGraph
import TideValue

/// A limit, once an error or a cancel passes through, has lost a permit.
@Suite struct H17PermitTests {
  @Test(arguments: 0..<20) func `H17 a permit comes back on every way out`(_ seed: Int) throws {
    var sketch = Sketch()
    let line = sketch.queue(width: 2)
    let no = sketch.input("no")
    var acts: [String: Act] = [:]
    for index in 0..<60 {
      let name = "\(index)"
      let when = index % 6 == 4 ? When(.value(of: no)) : nil
      let options = NodeOptions(when: when, timeout: .seconds(1), otherwise: index % 4 == 1 ? .null : nil, queue: line)
      _ = index % 2 == 0 ? sketch.step(name, [], options) : sketch.request(name, [], options)
      acts[name] = [.answer(.null), .fail("no"), .drop, .hold, .answer(.null), .twice(.null, .null)][index % 6]
    }
    let last = sketch.step("last", [], NodeOptions(queue: line))
    let world = World(sketch, acts, choices: SeededChoices(seed: UInt64(seed)), lanes: .chosen)
    let report = try world.run()
    #expect(report.ending(of: last).outcome == .ok)
    #expect(world.fakes.started.count == 51, "all but those that were skipped")
  }

  @Test func `H17 an inline node gives its permit back, also when it fails`() throws {
    var sketch = Sketch()
    let line = sketch.queue(width: 1)
    let bad = sketch.input("bad")
    for index in 0..<100 {
      let inputs: [Expression] = index % 2 == 0 ? [] : [.field(.value(of: bad), "missing")]
      _ = sketch.add("\(index)", .barrier(BarrierSpec(inputs: inputs)), NodeOptions(queue: line))
    }
    let report = try World(sketch).run()
    #expect(report.plan.nodeIDs.filter { report.ending(of: $0).outcome == .failed }.count == 50)
    #expect(report.plan.nodeIDs.filter { report.ending(of: $0).outcome == .ok }.count == 51)
  }

  @Test func `H17 requests give both of their permits back`() throws {
    var sketch = Sketch()
    let limit = NodeOptions(timeout: .seconds(1))
    for index in 0..<300 { _ = sketch.request("\(index)", [], limit, host: "h\(index % 3).test") }
    let acts = Dictionary(
      uniqueKeysWithValues: (0..<300).map { ("\($0)", [Act.fail("no"), .drop, .hold, .answer(.null)][$0 % 4]) })
    let world = World(sketch, acts)
    _ = try world.run()
    #expect(world.fakes.started.count == 300)
  }
}
