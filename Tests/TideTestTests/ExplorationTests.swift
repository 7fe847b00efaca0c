import Testing
import TideBarrier
import TideEngine
import TideFixtures
import TideGraph
import TideTest
import TideValue

/// Every order and every fault of small plans.
@Suite struct ExplorationTests {
  @Test(arguments: [(1, 1), (2, 2), (3, 6), (5, 120), (7, 5040)])
  func `all orders of a gather are tried, and give the same`(_ count: Int, _ orders: Int) {
    let summary = Gather(count).exploration.orders()
    #expect(summary.runs == orders)
    #expect(summary.isExhaustive)
    #expect(summary.findings.isEmpty)
  }

  @Test func `beyond the limit seeds go on`() {
    let summary = Gather(8).exploration.orders(limit: 100, seeds: 0..<50)
    #expect(summary.runs == 150)
    #expect(!summary.isExhaustive)
    #expect(summary.findings.isEmpty)
  }

  @Test func `when enough is found nothing more is tried`() {
    var exploration = Gather(5).exploration
    exploration.isOver = { true }
    let summary = exploration.orders()
    #expect(summary.runs == 10)
    #expect(summary.findings.count == 10)
    #expect(!summary.isExhaustive)
    #expect(summary.findings.first?.description.hasPrefix("the run was stopped: its time was over\n") == true)
  }

  @Test func `each of the orders is another one`() {
    let exploration = Gather(3).exploration
    var arrivals = Set<[String]>()
    for first in 0..<3 {
      for second in 0..<2 {
        let run = exploration.replay(.choices([first, second]))
        arrivals.insert(run.arrivals.map { run.asks[$0].subject })
      }
    }
    #expect(arrivals.count == 6)
  }

  @Test func `a slow answer comes at any time, unless delays are kept`() {
    var gather = Gather(2)
    gather.replies["r0"] = [Reply(content: .body("[0]"), delay: .seconds(60))]
    var exploration = gather.exploration
    #expect(exploration.orders().runs == 2)
    exploration.keepsDelays = true
    #expect(exploration.orders().runs == 1)
    #expect(exploration.replay(.choices([])).report?.elapsed == .seconds(60))
  }

  @Test func `every fault at every step of every order is survived`() {
    var exploration = Gather(2, wait: .settled, NodeOptions(retry: Retry(times: 1))).exploration
    exploration.faults = Fault.all
    exploration.maximumFaults = 1
    let summary = exploration.orders(limit: 20_000)
    #expect(summary.isExhaustive)
    #expect(summary.runs > 2 * 2 * Fault.all.count)
    #expect(summary.findings.map(\.description) == [])
  }

  @Test(arguments: 0..<20) func `two faults in a plan of everything are survived`(_ part: UInt64) {
    var gather = Gather(3, wait: .atLeast(1), cancelsRest: true)
    let first = gather.request("first", NodeOptions(retry: Retry(times: 2)))
    let second = gather.request("second")
    let either = gather.add("either", .fallback(FallbackSpec(inputs: [.value(of: first), .value(of: second)])))
    let last = gather.step("last", [either], 0, NodeOptions(timeout: .seconds(5), otherwise: .null))
    _ = gather.request("cleanup", NodeOptions(isAlways: true))
    gather.result = .expression(.value(of: last))
    var exploration = gather.exploration
    exploration.faults = Fault.all
    let summary = exploration.random(part * 50..<part * 50 + 50)
    #expect(summary.runs == 50)
    #expect(summary.findings.map(\.description) == [])
  }

  @Test func `a run that waits for what never comes is cancelled, and ends`() {
    let run = Gather(2).exploration.replay(.fault(.never, ask: 1))
    #expect(run.report?.status == .cancelled)
    #expect(run.wasCancelled)
    #expect(run.complaints == [])
  }

  @Test func `a signal that nobody gives ends the run as it should`() {
    var gather = Gather(1)
    _ = gather.add("approved", .signal(SignalSpec(count: 2)))
    var exploration = gather.exploration
    exploration.signals = [("approved", Value(1))]
    let run = exploration.replay(.choices([]))
    #expect(run.report?.status == .failed)
    #expect(run.report?.failure(of: NodeID(2))?.kind == .signal)
    exploration.signals.append(("approved", Value(2)))
    #expect(exploration.replay(.choices([])).report?.value(of: NodeID(2)) == Value(2))
  }

  @Test func `the table of faults says how the run ends with each`() {
    let table = Gather(2, wait: .settled).exploration.eachFault([.refused, .status(500), .twice, .late, .cancel])
    #expect(table.map(\.ask.subject) == ["GET http://api.test/r0", "GET http://api.test/r1"])
    for row in table {
      #expect(row.runs.prefix(4).map { $0.report?.status } == [.partial, .partial, .ok, .ok])
      #expect(row.runs.flatMap(\.complaints) == [])
      #expect(row.runs.map { $0.faults.map(\.subject) } == Array(repeating: [row.ask.subject], count: 5))
    }
  }
}
