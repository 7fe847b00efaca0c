import Testing
import TideBarrier
import TideFixtures
import TideGraph
import TideValue

@testable import TideScript

private let busy = Failure(
  .status, "the status is 503, where 2xx is expected", status: 503, body: Value("busy"), help: "try later")

@Suite struct FetchTests {
  @Test func `a step gets the value of what it fetches, and goes on`() throws {
    let stage = try Stage(
      """

      return tide.step "s" { run = function(user)
        local token = tide.fetch { POST = "https://h/login", json = { user = user } }
        local page = tide.fetch { GET = "https://h/page", bearer = token.value }
        return { page, tide.now() }
      end }
      """)
    let started = try stage.start(arguments: [Value("ada")])
    try stage.executor.runUntilIdle()
    #expect(stage.network.open == ["POST https://h/login"])
    try stage.network.answer("POST https://h/login", #"{"value":"t1"}"#)
    try stage.executor.runUntilIdle()
    #expect(started.results.isEmpty)
    #expect(stage.network.open == ["GET https://h/page"])
    try stage.network.answer("GET https://h/page", #"[1.10,{"b":1,"a":2}]"#)
    try stage.executor.runUntilIdle()
    #expect(started.said == [#"[[1.10,{"b":1,"a":2}],1.5]"#])
    #expect(stage.network.aborted.isEmpty)
  }

  @Test(arguments: [
    ("null", "return { v == tide.null, err == nil }", "[true,true]"),
    ("false", "return { v, err == nil }", "[false,true]"),
    ("1.10", "return v", "1.1"), ("[1.10]", "return v", "[1.10]"), ("\"é\"", "return #v", "2"),
    (#"{"a":{"b":[1,2,3]}}"#, "return #v.a.b", "3"),
  ])
  func `a value of any kind arrives as an input would`(text: String, body: String, expected: String) throws {
    let stage = try Stage(step: "function() local v, err = tide.fetch { GET = 'https://h/' } \(body) end")
    stage.network.know("GET https://h/", .success(try json(text)))
    #expect(try stage.say() == expected)
  }

  @Test func `a failure is nil and an error that tells all`() throws {
    let stage = try Stage(
      step: """
        function()
          local v, err = tide.fetch { GET = "https://h/" }
          return { v == nil, err.kind, err.message, err.status, err.body, err.attempts, tostring(err), tide.json(err) }
        end
        """)
    var failure = busy
    failure.attempts = 3
    stage.network.know("GET https://h/", .failure(failure))
    #expect(
      try stage.say()
        == #"[true,"status","the status is 503, where 2xx is expected",503,"busy",3,"the status is 503, where 2xx is expected","#
        + #""{\"attempts\":3,\"body\":\"busy\",\"kind\":\"status\",\"message\":\"the status is 503, where 2xx is expected\",\"status\":503}"]"#
    )
  }

  @Test(arguments: [
    ("error(err)", "status test.lua:2: the status is 503, where 2xx is expected | try later = \"busy\""),
    ("return nil, err", "status test.lua:2: the status is 503, where 2xx is expected | try later = \"busy\""),
    ("return assert(v, err)", "status test.lua:2: the status is 503, where 2xx is expected | try later = \"busy\""),
    ("error(tostring(err))", "step test.lua:3: the status is 503, where 2xx is expected"),
    (
      "err.message = 'login: ' .. err.message\nerror(err)",
      "status test.lua:4: login: the status is 503, where 2xx is expected = \"busy\""
    ),
    ("err.kind = 'cancelled' return nil, err", "step test.lua:1: the status is 503, where 2xx is expected = \"busy\""),
    ("err.kind = 'nosuch' error(err)", "step test.lua:3: the status is 503, where 2xx is expected = \"busy\""),
    ("err.kind = 5 return nil, err", "step test.lua:1: the status is 503, where 2xx is expected"),
    ("return 'went on'", "\"went on\""),
  ])
  func `an error that is passed on keeps what it was`(body: String, expected: String) throws {
    let stage = try Stage(
      step: "function()\nlocal v, err = tide.fetch { GET = 'https://h/' }\n\(body) end")
    stage.network.know("GET https://h/", .failure(busy))
    let result = try stage.run()
    #expect(result.said == expected)
    if case .failure(let failure) = result, failure.kind == .status { #expect(failure.status == 503) }
  }

  @Test func `pcall goes around a fetch`() throws {
    let stage = try Stage(
      step: """
        function()
          local ok, v = pcall(tide.fetch, { GET = "https://h/a" })
          local bad, err = pcall(function()
            local v, err = tide.fetch { GET = "https://h/b" }
            error(err)
          end)
          local x, y = xpcall(function() return tide.fetch { GET = "https://h/a" } end, print)
          return { ok, v, bad, err.status, x, y }
        end
        """)
    stage.network.know("GET https://h/a", .success(Value(7)))
    stage.network.know("GET https://h/b", .failure(busy))
    #expect(try stage.say() == "[true,7,false,503,true,7]")
  }

  @Test func `other steps run while one is suspended, and each has its own log and context`() throws {
    let stage = try Stage(
      """
      return {
        tide.step "slow" { run = function()
          tide.log("slow begins")
          local v = tide.fetch { GET = "https://h/" }
          tide.log("slow goes on")
          return v
        end },
        tide.step "quick" { run = function() tide.log("quick") return 2 end },
      }
      """)
    let slow = try stage.start("slow", node: 1)
    let quick = try stage.start("quick", node: 2)
    try stage.executor.runUntilIdle()
    #expect(slow.said.isEmpty)
    #expect(quick.said == ["2"])
    stage.network.answer("GET https://h/", .success(Value(1)))
    try stage.executor.runUntilIdle()
    #expect(slow.said == ["1"])
    #expect(stage.lines.all == ["1: slow begins", "2: quick", "1: slow goes on"])
  }

  @Test func `an answer within the call that sends comes after the yield`() throws {
    let stage = try Stage(
      step: "function() local n = 0 for i = 1, 100 do n = n + tide.fetch { GET = 'https://h/' } end return n end")
    stage.network.know("GET https://h/", .success(Value(2)))
    #expect(try stage.say() == "200")
  }

  @Test func `an answer that comes twice, or late, is dropped`() throws {
    let stage = try Stage(
      step:
        "function() local a = tide.fetch { GET = 'https://h/a' } return { a, tide.fetch { GET = 'https://h/b' } } end")
    let started = try stage.start()
    try stage.executor.runUntilIdle()
    stage.network.answer("GET https://h/a", .success(Value(1)), times: 3)
    try stage.executor.runUntilIdle()
    #expect(started.said.isEmpty)
    stage.network.answer("GET https://h/b", .success(Value(2)), times: 2)
    try stage.executor.runUntilIdle()
    #expect(started.said == ["[1,2]"])
  }

  @Test func `a request that is forgotten fails`() throws {
    let stage = try Stage(
      step: "function() local v, err = tide.fetch { GET = 'https://h/' } return { err.kind, err.message } end")
    let started = try stage.start()
    try stage.executor.runUntilIdle()
    stage.network.lose()
    try stage.executor.runUntilIdle()
    #expect(started.said == [#"["lost","the request was dropped without an answer"]"#])
  }

  @Test func `all of a request's options arrive`() throws {
    let stage = try Stage(
      """
      local line = tide.queue "line" { width = 1 }
      local standard = { Accept = "text/plain", ["X-List"] = { "a", "b" } }
      return tide.step "s" { run = function(user)
        return tide.fetch {
          PUT = "https://h/" .. user.id, query = { q = user.name }, headers = standard, json = user, timeout = "5s",
          retry = { times = 2, on = { 503 } }, expect = { status = { 200, 404 }, body = { ok = true } },
          extract = "data", queue = line,
        }
      end }
      """)
    stage.network.know("PUT https://h/7", .success(Value(1)))
    #expect(try stage.run("s", json(#"{"name":"a b","id":7}"#)).said == "1")
    let fetch = try #require(stage.network.fetches.first)
    let request = try fetch.spec.request(NoAnswers(), timeout: nil)
    #expect(request.url == "https://h/7?q=a+b")
    #expect(
      request.headers.map { "\($0.name): \($0.value)" } == [
        "Accept: text/plain", "X-List: a", "X-List: b", "Content-Type: application/json",
      ])
    #expect(request.body.map { String(decoding: $0.bytes, as: UTF8.self) } == #"{"name":"a b","id":7}"#)
    #expect(fetch.options?.timeout == .seconds(5))
    #expect(fetch.options?.retry?.times == 2)
    #expect(fetch.options?.queue == QueueID(0))
    #expect(fetch.spec.expectation.statuses == [200...200, 404...404])
    #expect(fetch.spec.expectation.body != nil)
    #expect(fetch.spec.extract != nil)
  }

  @Test(arguments: [
    ("json = v", #"{"a":{"b":1.10},"c":[1]}"#), ("json = v.a", #"{"b":1.10}"#),
    ("json = { v.c, v.a }", #"[[1],{"b":1.10}]"#),
    ("json = (function() v.c[1] = 2 return v end)()", #"{"a":{"b":1.10},"c":[2]}"#), ("json = {}", "[]"),
    ("json = tide.object {}", "{}"), ("json = tide.null", "null"), ("json = captured", #"{"deep":{"er":[1]}}"#),
    ("body = 'text'", "text"),
  ])
  func `a body is what the step has at that moment`(option: String, expected: String) throws {
    let stage = try Stage(
      step: "function(v) return tide.fetch { POST = 'https://h/', \(option) } end",
      before: "local captured = { deep = { er = { 1 } } }")
    stage.network.know("POST https://h/", .success(Value(1)))
    #expect(try stage.run("s", json(#"{"a":{"b":1.10},"c":[1]}"#)).said == "1")
    let request = try #require(stage.network.fetches.first).spec.request(NoAnswers(), timeout: nil)
    #expect(request.body.map { String(decoding: $0.bytes, as: UTF8.self) } == expected)
  }

  @Test func `a body of bytes, and options that were received, arrive`() throws {
    let stage = try Stage(
      step:
        "function(v) return tide.fetch { POST = 'https://h/', body = '\\xff\\0', expect = v.expect, basic = v.basic } end"
    )
    stage.network.know("POST https://h/", .success(Value(1)))
    #expect(try stage.run("s", json(#"{"expect":{"status":[201]},"basic":["u","p"]}"#)).said == "1")
    let fetch = try #require(stage.network.fetches.first)
    #expect(fetch.spec.expectation.statuses == [201...201])
    let request = try fetch.spec.request(NoAnswers(), timeout: nil)
    #expect(request.body.map { Array($0.bytes) } == [0xFF, 0])
    #expect(request.header("Authorization") == "Basic dTpw")
  }
}

/// A request of a step refers to no nodes.
private struct NoAnswers: Answers {
  func value(of node: NodeID) -> Value { .null }
  func response(of node: NodeID) -> Value { .null }
  func answer(_ question: Question, about node: NodeID) -> Value { .null }
  func name(of node: NodeID) -> String { "" }
}

@Suite struct SleepTests {
  @Test(arguments: [("0.5", 500), ("'250ms'", 250), ("0", 0), ("'2m'", 120_000)])
  func `a step sleeps by the executor's clock`(length: String, milliseconds: Int64) throws {
    let stage = try Stage(step: "function() tide.sleep(\(length)) return select('#', tide.sleep(\(length))) end")
    #expect(try stage.say() == "0")
    #expect(stage.executor.now.nanoseconds == milliseconds * 2_000_000)
  }

  @Test func `many sleep at once`() throws {
    let stage = try Stage(step: "function(n) tide.sleep(n) return n end")
    let started = try (1...1000).map { try stage.start(arguments: [Value($0)]) }
    try stage.executor.run(for: .seconds(500))
    #expect(started.count { !$0.results.isEmpty } == 500)
    try stage.executor.runUntilIdle()
    #expect(started.map(\.said) == (1...1000).map { ["\($0)"] })
    #expect(stage.executor.now.nanoseconds == 1000 * 1_000_000_000)
  }
}
