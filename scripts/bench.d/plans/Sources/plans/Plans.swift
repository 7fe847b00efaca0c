import TideBarrier
import TideEngine
import TideGraph

/// Runs one plan of no-ops and prints what it took: nanoseconds and CPU nanoseconds a node, and
/// bytes a node of the plan, of the run at its peak beside the plan, and of what is left of it while its report is kept.
///
///     plans wide|chain|layered inline|async|workers COUNT
@main struct Plans {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let shape = Shape(rawValue: arguments[1]), ["inline", "async", "workers"].contains(arguments[2]),
      let count = Int(arguments[3]), count > 0
    else {
      print("usage: plans \(Shape.allCases.map(\.rawValue).joined(separator: "|")) inline|async|workers COUNT")
      return
    }
    let executor = DispatchExecutor()
    let steps: any StepRunner = arguments[2] == "workers" ? WorkerSteps(on: executor) : NoSteps()
    let configuration = RunConfiguration(executor: executor, transport: NoTransport(), stepRunner: steps)
    let empty = Memory.allocated
    let plan = shape.plan(count: count, isAsynchronous: arguments[2] != "inline")
    let planned = Memory.allocated
    Memory.forgetPeak()
    let resident = Memory.resident

    let clock = ContinuousClock()
    let cpu = cpuTime()
    let start = clock.now
    let report = try Run.start(plan, configuration).completion.wait(allowingMainQueue: true)
    let time = clock.now - start
    let work = cpuTime() - cpu

    let peak = Memory.peak - resident
    let left = Memory.allocated - planned
    withExtendedLifetime(plan) {}
    guard report.status == .ok, report.plan.nodeIDs.allSatisfy({ report.ending(of: $0).outcome == .ok }) else {
      fatalError("the run ended \(report.status)")
    }
    let nanoseconds = Double(time.components.seconds) * 1e9 + Double(time.components.attoseconds) / 1e9
    print(nanoseconds / Double(count), work / Double(count), (planned - empty) / count, peak / count, left / count)
  }
}
