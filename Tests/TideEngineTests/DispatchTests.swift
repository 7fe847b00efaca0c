import Testing
import TideBarrier
import TideEngine
import TideGraph
import TideValue

/// The same engine on real threads.
@Suite struct DispatchTests {
  private func run(
    _ sketch: Sketch, _ acts: [String: Act] = [:], _ configure: (inout RunConfiguration) -> Void = { _ in }
  ) async -> (report: RunReport, fakes: Fakes, recorder: Recorder) {
    let executor = DispatchExecutor()
    let fakes = Fakes(executor, functions: sketch.functions, acts: acts)
    let recorder = Recorder()
    var configuration = RunConfiguration(executor: executor, transport: fakes, stepRunner: fakes)
    configuration.sinks = [recorder]
    configure(&configuration)
    let report = await Run.start(sketch.plan, configuration).completion.value()
    #expect(complaints(about: recorder.events, of: report.plan) == [])
    return (report, fakes, recorder)
  }

  @Test func `a gather of 1,000 requests gives its bytes in declared order, 20 times`() async throws {
    var sketch = Sketch()
    let requests = (0..<1000).map { sketch.request("\($0)", host: "h\($0 % 50).test") }
    sketch.returns(sketch.barrier("all", requests))
    let wanted = (0..<1000).map { "\($0)" }
    for _ in 0..<20 {
      let (report, fakes, _) = await run(sketch)
      #expect(report.result?.items.map(\.string) == wanted)
      #expect(fakes.most <= 64)
    }
  }

  @Test func `layers of joins open in time`() async throws {
    var sketch = Sketch()
    var layer = (0..<50).map { sketch.step("0.\($0)") }
    for level in 1..<40 {
      layer = layer.indices.map { sketch.step("\(level).\($0)", [layer[$0], layer[($0 + 1) % 50]]) }
    }
    sketch.returns(sketch.barrier("all", layer))
    let (report, fakes, _) = await run(sketch)
    #expect(report.status == .ok)
    #expect(fakes.started.count == 2000)
    #expect(report.result?.count == 50)
  }

  @Test func `a queue of width 1 stays serial on threads`() async throws {
    var sketch = Sketch()
    let line = sketch.queue(width: 1)
    let names = (0..<200).map { "\($0)" }
    for name in names { _ = sketch.step(name, [], NodeOptions(queue: line)) }
    let (_, fakes, _) = await run(sketch)
    #expect(fakes.started == names)
    #expect(fakes.most == 1)
  }

  @Test func `failures, late answers and limits end as they do on virtual time`() async throws {
    var sketch = Sketch()
    let a = sketch.request("a", [], NodeOptions(timeout: .milliseconds(1), otherwise: Value("late")))
    let b = sketch.request("b")
    let c = sketch.step("c", [b], NodeOptions(otherwise: Value("instead")))
    let d = sketch.step("d")
    sketch.returns(sketch.barrier("all", [a, c, d]))
    let acts = ["a": Act.hold, "b": .fail("no"), "d": .twice(Value(1), Value(2))]
    let (report, fakes, _) = await run(sketch, acts)
    #expect(report.result == json(#"["late","instead",1]"#))
    #expect(report.summary == "a=ok+ b=failed c=ok+<b d=ok all=ok")
    #expect(fakes.aborted == ["a"])
  }

  @Test func `cancelling from another thread, at any moment, ends the run`() async throws {
    var sketch = Sketch()
    var last = sketch.step("0")
    for index in 1..<200 { last = sketch.step("\(index)", [last]) }
    let plan = sketch.plan
    for round in 0..<50 {
      let executor = DispatchExecutor()
      let fakes = Fakes(executor, functions: sketch.functions, acts: [:])
      let run = Run.start(plan, RunConfiguration(executor: executor, transport: fakes, stepRunner: fakes))
      executor.after(.microseconds(round * 20)) { run.cancel() }
      let report = await run.completion.value()
      let outcomes = plan.nodeIDs.map { report.ending(of: $0).outcome }
      let ended = outcomes.prefix { $0 == .ok }.count
      #expect(outcomes.dropFirst(ended).allSatisfy { $0 == .cancelled })
      #expect((report.status == .cancelled) == (ended < 200))
    }
  }

  @Test func `many runs share an executor`() async throws {
    var sketch = Sketch()
    sketch.returns(sketch.barrier("all", (0..<100).map { sketch.step("\($0)") }))
    let plan = sketch.plan
    let executor = DispatchExecutor()
    let fakes = Fakes(executor, functions: sketch.functions, acts: [:])
    let runs = (0..<20).map { _ in
      Run.start(plan, RunConfiguration(executor: executor, transport: fakes, stepRunner: fakes))
    }
    for run in runs { #expect(await run.completion.value().result?.count == 100) }
  }
}
