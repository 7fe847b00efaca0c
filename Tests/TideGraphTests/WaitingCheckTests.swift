import Testing
import TideValue

@testable import TideGraph

/// Waits that can't be right, found before the run.
@Suite struct WaitingCheckTests {
  private func mistakes(_ script: Script) -> [String] {
    script.builder.waitingMistakes.map { "\($0.location?.line ?? 0) \($0.severity) \($0.message)" }
  }

  @Test func `a queue that nobody uses is warned of`() {
    var script = Script()
    _ = script.declare("queue", "used", [], ["width": .number(1)])
    _ = script.declare("queue", "idle", [], ["width": .number(1)])
    script.node("step", "a", [], ["run": .run, "queue": .queue(QueueID(0))])
    #expect(mistakes(script) == ["2 warning queue \"idle\" is never used"])
  }

  @Test func `a queue that a step may use when it fetches is not warned of`() {
    var script = Script("tide.fetch { GET = url, queue = idle }")
    _ = script.declare("queue", "idle", [], ["width": .number(1)])
    #expect(mistakes(script) == [])
  }

  @Test func `an ordinary node that waits for cleanup would never start`() {
    var script = Script()
    let tidy = script.node("step", "tidy", [], ["run": .run, "always": .bool(true)])
    script.node("step", "more", [.node(tidy)], ["run": .run, "always": .bool(true)])
    script.node("step", "a", [], ["run": .run, "after": .list([.node(tidy)])])
    #expect(
      script.complaints == [
        "3 step \"a\": waits for 'tidy', which starts only after every ordinary node has ended (give it always = true as well)"
      ])
  }

  @Test func `an input that needs one that is tried after it would never start`() {
    var script = Script()
    let b = script.node("request", "b", [], ["GET": .text("http://x")])
    let a = script.node("request", "a", [], ["GET": .text("http://x"), "needs": .list([.node(b)])])
    script.node("fallback", "item", [.node(a), .node(b)])
    #expect(mistakes(script) == ["3 error fallback \"item\": 'b' waits for 'a' to fail, which waits for it"])
  }

  @Test func `two fallbacks that hold each other up would never end`() {
    var script = Script()
    let b = script.node("request", "b", [], ["GET": .text("http://x")])
    let d = script.node("request", "d", [], ["GET": .text("http://x")])
    let a = script.node("request", "a", [], ["GET": .text("http://x"), "after": .list([.node(d)])])
    let c = script.node("request", "c", [], ["GET": .text("http://x"), "after": .list([.node(b)])])
    script.node("fallback", "f", [.node(a), .node(b)])
    script.node("fallback", "g", [.node(c), .node(d)])
    #expect(mistakes(script).map { $0.prefix(18) } == ["5 error fallback \""])
  }

  @Test func `an input that is tried twice is refused`() {
    var script = Script()
    let a = script.node("request", "a", [], ["GET": .text("http://x")])
    let b = script.node("request", "b", [], ["GET": .text("http://x")])
    script.node("fallback", "f", [.node(a), .node(b)])
    script.node("fallback", "g", [.node(a), .node(b)])
    #expect(
      mistakes(script) == ["4 error fallback \"g\": 'b' is tried twice: it is an input of a fallback already"])
  }

  @Test func `a fallback that is tried in another one is warned of`() {
    var script = Script()
    let request: KeyValuePairs<String, Argument> = ["GET": .text("http://x")]
    let names = ["a", "b", "c"].map { script.node("request", $0, [], request) }
    let inner = script.node("fallback", "inner", [.node(names[1]), .node(names[2])])
    script.node("fallback", "outer", [.node(names[0]), .node(inner)])
    #expect(
      mistakes(script) == [
        "5 warning fallback \"outer\": its input 'inner' is a fallback, whose own first input starts at once"
      ])
  }

  @Test func `who uses an input beside its fallback is warned`() {
    var script = Script()
    let a = script.node("request", "a", [], ["GET": .text("http://x")])
    let b = script.node("request", "b", [], ["GET": .text("http://x")])
    let f = script.node("fallback", "f", [.node(a), .node(b)])
    script.node("step", "s", [.node(b), .node(a), .node(f)], ["run": .run])
    #expect(mistakes(script) == ["4 warning step \"s\": uses 'b', which is skipped unless 'a' fails"])
  }

  @Test func `a plain value that is not last makes the rest useless`() {
    var script = Script()
    let a = script.node("request", "a", [], ["GET": .text("http://x")])
    script.node("fallback", "f", [.number(1), .node(a), .number(2)])
    script.node("fallback", "empty")
    #expect(
      script.complaints.map { $0.prefix(78) }
        == [
          "2 fallback \"f\": input [1] is a plain value, which never fails: what comes after",
          "3 fallback \"empty\": has no inputs, and could never give anything (list what to ",
        ].map { $0.prefix(78) })
  }

  @Test(
    arguments: [
      ("signal", [], ["count": .number(0)], "signal \"x\": 'count' is 0: a whole number, 1 to 2147483647, is expected"),
      ("signal", [.number(1)], [:], "signal \"x\": takes no inputs, and has 1"),
      (
        "sleep", [], [:],
        "sleep \"x\": takes one length of time, and has 0 inputs (write tide.sleep \"x\" { \"5s\", after = { other } })"
      ),
      (
        "sleep", [.text("-5s")], [:],
        "sleep \"x\": '[1]' is \"-5s\": a length of time above zero is expected (write \"500ms\", \"5s\", \"2m\", \"1h\", or a number of seconds)"
      ),
    ] as [(String, [Argument], KeyValuePairs<String, Argument>, String)])
  func `signal and sleep check what they are given`(
    verb: String, inputs: [Argument], options: KeyValuePairs<String, Argument>, expected: String
  ) {
    var script = Script()
    script.node(verb, "x", inputs, options)
    #expect(script.complaints == ["1 " + expected])
  }
}
