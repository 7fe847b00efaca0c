import Foundation
import TideFixtures
import Testing
import Tidegate

@Suite struct EngineTests {
  private func workflow(_ text: String, on engine: Engine) throws -> Workflow {
    try Workflow(source: text, executor: engine.executor)
  }

  private func engine(_ fixtures: String = "[]") throws -> Engine {
    Engine(fixtures: try Fixtures.parse(file: "fixtures.json", text: fixtures))
  }

  private static let greeting = """
    local tide = require "tidegate"
    local name = tide.input "name"
    return tide.request "greet" { GET = "http://a.test/hello", query = { name = name } }

    """

  private static let twoGreetings = """
    [ { "request": { "url": "/hello", "query": { "name": "a" } }, "response": { "json": "hello a" } },
      { "request": { "url": "/hello", "query": { "name": "b" } }, "response": { "json": "hello b", "delay": "5ms" } } ]
    """

  @Test func `a workflow runs to its result`() async throws {
    let engine = try engine(Self.twoGreetings)
    let workflow = try workflow(Self.greeting, on: engine)
    #expect(workflow.plan.nodes.map(\.name) == ["name", "greet"])
    #expect(workflow.warnings == [])
    let run = try engine.start(workflow, inputs: GivenInputs(inputs: ["name": .text("a")]))
    let report = await run.completion.value()
    #expect(report.status == .ok)
    #expect(report.result == Value("hello a"))
  }

  @Test func `one workflow serves many runs at once`() async throws {
    let engine = try engine(Self.twoGreetings)
    let workflow = try workflow(Self.greeting, on: engine)
    let runs = try (0..<50).map { index in
      try engine.start(workflow, inputs: GivenInputs(inputs: ["name": .value(Value(index % 2 == 0 ? "a" : "b"))]))
    }
    for (index, run) in runs.enumerated() {
      #expect(await run.completion.value().result == Value(index % 2 == 0 ? "hello a" : "hello b"))
    }
  }

  @Test func `a missing input is thrown, and nothing starts`() throws {
    let engine = try engine()
    let workflow = try workflow(Self.greeting, on: engine)
    let heard = Heard()
    do {
      _ = try engine.start(workflow, sinks: [heard])
      Issue.record("it started")
    } catch {
      #expect(error.all.map(\.code) == [.missingInput])
    }
    #expect(heard.events.withLock(\.count) == 0)
  }

  @Test func `a script with an error is no workflow`() throws {
    let engine = try engine()
    do {
      _ = try workflow("return nowhere", on: engine)
      Issue.record("it loaded")
    } catch let error as Diagnostics {
      #expect(error.all.map(\.code) == [.undefinedName])
    }
  }

  @Test func `a secret comes from its variable, and no sink hears it`() async throws {
    let engine = try engine()
    let workflow = try workflow(
      """
      local tide = require "tidegate"
      local key = tide.secret "tidegate_test_key"
      return tide.step "use" { key, run = function(key)
        tide.log("the key is " .. key)
        tide.fail("no door for " .. key)
      end }

      """, on: engine)
    setenv("TIDEGATE_TEST_KEY", "open sesame", 1)
    defer { unsetenv("TIDEGATE_TEST_KEY") }
    let heard = Heard()
    let report = await (try engine.start(workflow, sinks: [heard])).completion.value()
    let use = try #require(workflow.plan.nodeIDs.last)
    #expect(report.failure(of: use)?.message == "no door for ***")
    let events = heard.events.withLock { $0 }
    let logged = events.compactMap { event -> String? in
      if case .log(_, let text) = event.kind { text } else { nil }
    }
    #expect(logged == ["the key is ***"])
    let failures = events.compactMap { event -> String? in
      if case .nodeEnded(_, _, let failure?, _, _) = event.kind { failure.message } else { nil }
    }
    #expect(failures == ["no door for ***"])
  }

  @Test func `a run ends at its time limit`() async throws {
    let engine = try engine(#"[ { "request": { "url": "/hello" , "query": true }, "failure": "never" } ]"#)
    let workflow = try workflow(Self.greeting, on: engine)
    let inputs = GivenInputs(inputs: ["name": .text("a")])
    let report = await (try engine.start(workflow, inputs: inputs, timeout: .milliseconds(20))).completion.value()
    #expect(report.status == .failed)
    #expect(report.failure?.kind == .timeout)
  }

  @Test func `jobs are one a core, or as many as are asked for, and never none`() throws {
    let fixtures = try Fixtures.parse(file: "fixtures.json", text: "[]")
    #expect(Engine(fixtures: fixtures).jobs == ProcessInfo.processInfo.activeProcessorCount)
    #expect(Engine(fixtures: fixtures, jobs: 3).jobs == 3)
    #expect(Engine(fixtures: fixtures, jobs: 0).jobs == 1)
  }
}

private final class Heard: EventSink {
  let events = Locked<[RunEvent]>([])

  func receive(_ batch: [RunEvent]) {
    events.withLock { $0 += batch }
  }
}
