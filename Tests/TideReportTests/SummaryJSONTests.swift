import Testing
import TideGraph
import TideValue

@testable import TideReport

struct SummaryJSONTests {
  @Test func `a run is summed up by name, in declared order`() throws {
    var script = Script()
    let api = try script.node("input", "api", [], ["default": .text("http://x")])
    let b = try script.node("request", "b", [], ["GET": .url(.node(api), .text("/b"))])
    let a = try script.node("request", "a", [], ["GET": .url(.node(api), .text("/a"))])
    let both = try script.node("merge", "both", [.node(a), .node(b)])
    let page = try script.node("sort", "page", [.node(both)], ["by": .text("t"), "otherwise": .list([])])
    var story = Story(try script.plan(page))
    story.tell(.runStarted)
    story.run(api, .ok)
    story.tell(.nodeStarted(Instance(b)), at: 0.25)
    story.tell(.attemptStarted(Instance(b), attempt: 1), at: 0.25)
    story.tell(.attemptStarted(Instance(b), attempt: 2), at: 100)
    story.run(a, .failed, Failure(.dns, "x can't be resolved"), from: 1, to: 7.05)
    story.run(b, .failed, Failure(.status, "answered 502", status: 502), to: 203.125)
    story.tell(.lateAnswer(Instance(b), attempt: 1), at: 204)
    story.run(both, .blocked, to: 204)
    story.run(page, .ok, to: 204, tookOtherwise: true)
    story.tell(.runEnded(.partial), at: 1204)
    let summary = SummaryJSON.value(of: story.record, plan: story.plan, missing: [page], exit: 0)
    #expect(
      String(decoding: summary.json(.pretty), as: UTF8.self) == """
        {
          "status": "partial",
          "exit": 0,
          "missing": [
            "page"
          ],
          "elapsed_ms": 1204,
          "nodes": {
            "api": {
              "outcome": "ok",
              "started_ms": 0,
              "ended_ms": 0,
              "attempts": 1,
              "error": null,
              "blamed": null
            },
            "b": {
              "outcome": "failed",
              "started_ms": 0.25,
              "ended_ms": 203.125,
              "attempts": 2,
              "error": {
                "kind": "status",
                "message": "answered 502",
                "status": 502
              },
              "blamed": null
            },
            "a": {
              "outcome": "failed",
              "started_ms": 1,
              "ended_ms": 7.05,
              "attempts": 1,
              "error": {
                "kind": "dns",
                "message": "x can't be resolved",
                "status": null
              },
              "blamed": null
            },
            "both": {
              "outcome": "blocked",
              "started_ms": null,
              "ended_ms": 204,
              "attempts": 0,
              "error": null,
              "blamed": "b"
            },
            "page": {
              "outcome": "ok",
              "started_ms": 0,
              "ended_ms": 204,
              "attempts": 1,
              "error": null,
              "blamed": "both"
            }
          }
        }
        """)
  }

  @Test func `a run that has not ended has nulls, and a status may be given from outside`() throws {
    var script = Script()
    let a = try script.node("step", "a", [], ["run": .function(FunctionID(0))])
    let story = Story(try script.plan(a))
    #expect(
      SummaryJSON.value(of: story.record, plan: story.plan, missing: [], exit: 130).description
        == #"{"status":null,"exit":130,"missing":[],"elapsed_ms":0,"nodes":{"a":{"outcome":null,"started_ms":null,"#
        + #""ended_ms":null,"attempts":0,"error":null,"blamed":null}}}"#)
    #expect(
      SummaryJSON.value(of: story.record, plan: story.plan, missing: [], exit: 130, status: .cancelled)["status"]?
        .string
        == "cancelled")
  }

  @Test(arguments: [
    (Duration.zero, "0"), (.milliseconds(12), "12"), (.microseconds(12_500), "12.5"), (.microseconds(125), "0.125"),
    (.microseconds(1_000_001), "1000.001"), (.nanoseconds(999), "0"), (.seconds(86_400), "86400000"),
    (.microseconds(-1_500), "-1.5"), (.microseconds(-500), "-0.5"),
  ])
  func `milliseconds have no useless digit`(duration: Duration, text: String) {
    #expect(SummaryJSON.milliseconds(duration).description == text)
  }
}
