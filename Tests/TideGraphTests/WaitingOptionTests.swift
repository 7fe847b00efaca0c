import Testing
import TideValue

@testable import TideGraph

/// The options that say how a node waits, tries again and gives up.
@Suite struct WaitingOptionTests {
  @Test(
    arguments: [
      (.number(3), nil, "3 +0.2s x2 <30s ±"),
      (
        .fields(["times": .number(5), "wait": .text("1s"), "factor": .number(3), "max": .text("1m")]), nil,
        "5 +1s x3 <60s ±"
      ),
      (.fields(["times": .number(1), "wait": .text("40s"), "jitter": .bool(false)]), nil, "1 +40s x2 <40s"),
      (.number(-1), "2 request \"x\": 'retry' is -1: a whole number, 0 to 1000000, is expected", ""),
      (.bool(true), "2 request \"x\": 'retry' is a boolean, where a whole number is expected", ""),
      (.number(1 << 40), "2 request \"x\": 'retry' is 1099511627776: a whole number, 0 to 1000000, is expected", ""),
      (
        .fields(["wait": .text("1s")]),
        "2 request \"x\": 'retry.times' is missing (say when it ends: times = 3 is three more attempts)", ""
      ),
      (
        .fields(["times": .number(1), "wait": .text("0s")]),
        "2 request \"x\": 'retry.wait' is \"0s\": a length of time above zero is expected (write \"500ms\", \"5s\", \"2m\", \"1h\", or a number of seconds)",
        ""
      ),
      (
        .fields(["times": .number(1), "wait": .text("300y")]),
        "2 request \"x\": 'retry.wait' is \"300y\": a length of time above zero is expected (write \"500ms\", \"5s\", \"2m\", \"1h\", or a number of seconds)",
        ""
      ),
      (
        .fields(["times": .number(1), "wait": .text("10s"), "max": .text("5s")]),
        "2 request \"x\": 'retry.max' (5s) is shorter than 'retry.wait'", ""
      ),
      (
        .fields(["times": .number(1), "factor": .number(0)]),
        "2 request \"x\": 'retry.factor' is not a number from 1 to 1000 (factor = 2 doubles every wait)", ""
      ),
      (
        .fields(["times": .number(1), "on": .list([.text("timeuot")])]),
        "2 request \"x\": 'retry.on' holds \"timeuot\" (did you mean 'timeout'?)", ""
      ),
      (
        .fields(["times": .number(1), "on": .number(42)]),
        "2 request \"x\": 'retry.on' is 42 (write a status (200), a class (\"2xx\"), or a list of these)", ""
      ),
      (
        .fields(["tims": .number(1), "times": .number(1)]),
        "2 request \"x\": unknown option 'retry.tims' (did you mean 'times'?)", ""
      ),
    ] as [(Argument, String?, String)])
  func `a retry says how often, how long and after what`(_ written: Argument, complaint: String?, expected: String)
    throws
  {
    var script = Script()
    script.node("input", "u")
    let node = script.node("request", "x", [], ["GET": .text("http://x"), "retry": written])
    #expect(script.complaints == (complaint.map { [$0] } ?? []))
    guard complaint == nil else { return }
    let retry = try #require(try script.plan(node).nodes[1].options?.retry)
    #expect(
      "\(retry.times) +\(retry.wait.seconds == 0.2 ? "0.2" : retry.wait.readable.dropLast().description)s x\(Int(retry.factor)) <\(retry.maximum.readable)\(retry.hasJitter ? " ±" : "")"
        == expected)
  }

  @Test func `what is retried on is statuses, classes and groups`() throws {
    var script = Script()
    let node = script.node(
      "request", "x", [],
      [
        "GET": .text("http://x"),
        "retry": .fields(["times": .number(1), "on": .list([.number(429), .text("5xx"), .text("connect")])]),
      ])
    let causes = try #require(try script.plan(node).nodes[0].options?.retry).causes
    #expect(causes.statuses == [429...429, 500...599])
    #expect(causes.groups == [.connect])
  }

  @Test func `a plain retry of a POST is warned of, and one with a key is not`() {
    var script = Script()
    script.node("request", "a", [], ["POST": .text("http://x"), "retry": .number(2)])
    script.node("request", "b", [], ["POST": .text("http://x"), "retry": .number(2), "idempotency_key": .bool(true)])
    script.node(
      "request", "c", [],
      ["PATCH": .text("http://x"), "retry": .fields(["times": .number(2), "methods": .text("any")])])
    #expect(
      script.complaints == [
        "1 request \"a\": POST is repeated only when the server was not reached: it may have acted on anything else "
          + "(give it an idempotency_key (true makes one up), or say retry = { methods = \"any\", ... })"
      ])
    #expect(script.builder.diagnostics.map(\.severity) == [.warning])
  }

  @Test(
    arguments: [
      (
        "merge", "retry", .number(1),
        "'retry' means nothing here: doing it again would end the same way (it goes with request and step)"
      ),
      (
        "fallback", "queue", .queue(QueueID(0)),
        "a fallback only contains others, and takes no permit (give the queue to the requests that are its inputs)"
      ),
    ] as [(String, String, Argument, String)])
  func `an option that means nothing is refused`(_ verb: String, key: String, value: Argument, expected: String) {
    var script = Script()
    let input = script.node("input", "i")
    script.node(verb, "x", [.node(input)], [key == "retry" ? "retry" : "queue": value])
    #expect(script.complaints == ["2 \(verb) \"x\": \(expected)"])
  }

  @Test(
    arguments: [
      ([("rate", .text("10/s"))], "100ms 1", nil),
      ([("rate", .text("100/m")), ("burst", .number(5))], "600ms 5", nil),
      ([("rate", .text("5/10s"))], "2s 1", nil),
      ([("rate", .text("10"))], "", "'rate' is \"10\""),
      ([("rate", .text("0/s"))], "", "'rate' is \"0/s\""),
      ([("rate", .text("-1/s"))], "", "'rate' is \"-1/s\""),
      ([("rate", .text("1/0s"))], "", "'rate' is \"1/0s\""),
      ([("rate", .number(10))], "", "'rate' is a number"),
      ([("width", .number(1)), ("burst", .number(5))], "", "'burst' means nothing without 'rate'"),
      ([("width", .number(1)), ("per", .text("hsot"))], "", "'per' is \"hsot\""),
      ([("trip", .fields(["after": .number(0), "rest": .text("1s")]))], "", "'trip.after' is 0"),
      ([("trip", .fields(["after": .number(5)]))], "", "'trip.rest' is missing"),
      ([("trip", .number(5))], "", "'trip' is a number"),
      ([("width", .number(-1))], "", "'width' is -1"),
    ] as [([(String, Argument)], String, String?)])
  func `a queue has a width, a rate or a trip`(
    _ options: [(String, Argument)], expected: String, complaint: String?
  ) throws {
    var reader = OptionReader(
      Declaration(
        verb: "queue", name: "q", place: .none, options: options.map { Argument.Entry(key: $0.0, value: $0.1) }),
      sources: Sources(), names: PlanBuilder())
    let queue = reader.readQueue()
    if let complaint {
      #expect(reader.diagnostics.count == 1)
      #expect(reader.diagnostics.first?.message.hasPrefix("queue \"q\": \(complaint)") == true)
    } else {
      #expect(reader.diagnostics.isEmpty)
      #expect("\(queue.rate?.interval.readable ?? "") \(queue.rate?.burst ?? 0)" == expected)
    }
  }

  @Test(arguments: [
    ("120", 120), ("0", 0), (" 7 ", 7), ("99999999999999999999", 1 << 31),
    ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sun, 06 Nov 1994 08:49:57 GMT", 20),
    ("Sunday, 06-Nov-94 08:50:37 GMT", 60), ("Sun Nov  6 08:49:47 1994", 10),
    ("Thu, 29 Feb 1996 00:00:00 GMT", 41_440_223),
  ])
  func `Retry-After is a number of seconds or a date`(text: String, seconds: Int) {
    let now: Int64 = 784_111_777 * 1_000_000_000
    #expect(RetryAfter.delay(text, now: now) == .seconds(seconds))
  }

  @Test(arguments: [
    "", " ", "-1", "1.5", "soon", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 25:00:00 GMT", "Sun, 06 Nvo 1994 08:49:37 GMT",
    "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "1,2",
  ])
  func `what is neither of the two is no Retry-After`(text: String) {
    #expect(RetryAfter.delay(text, now: 0) == nil)
  }
}
