import Testing
import TideBarrier
import TideGraph
import TideValue

@testable import TideScript

@Suite struct WaitMisuseTests {
  @Test(arguments: [
    (
      "tide.fetch { GET = 'https://h/' }",
      "T0103 test.lua:2: tide.fetch waits, and a script that declares can't: there is no network and no clock | declare the "
        + "request, tide.request \"name\" { GET = url }, or fetch in a step's function"
    ),
    (
      "tide.all { print }",
      "T0103 test.lua:2: tide.all waits, and a script that declares can't: there is no network and no clock | use it in a step: "
        + "tide.step \"name\" { run = function() ... end }"
    ),
    (
      "tide.sleep(5)",
      "T0205 test.lua:2: tide.sleep needs a name, which is a text, and has a number | write tide.sleep \"name\" { ... }; only in a "
        + "step's function does tide.sleep(seconds) wait"
    ),
  ])
  func `a script that declares can't wait`(call: String, expected: String) {
    #expect(complaints("\n\(call)") == [expected])
  }

  @Test(arguments: [
    ("table.sort({ 3, 2, 1 }, function(a, b)\nCALL return a < b end)", 3),
    ("return (('a'):gsub('a', function()\nCALL end))", 3),
    ("return tostring(setmetatable({}, { __tostring = function()\nCALL return 'x' end }))", 3),
    ("table.sort({ setmetatable({}, { __lt = print }), setmetatable({}, { __lt = function()\nCALL end }) })", 3),
    ("return table.concat(setmetatable({}, { __len = function()\nCALL return 0 end }))", 3),
    ("table.sort({ 3, 2, 1 }, function(a, b) return coroutine.wrap(function()\nCALL return a < b end)() end)", 3),
    (
      "table.sort({ 3, 2, 1 }, function(a, b) local ok, e = coroutine.resume(coroutine.create(function()\nCALL end)) error(e, 0) end)",
      3
    ),
  ])
  func `where Lua's own code has called, waiting is an error at its line`(body: String, line: Int) throws {
    for call in ["tide.fetch { GET = 'https://h/' }", "tide.sleep(1)", "tide.all { print }"] {
      let stage = try Stage(step: "function()\n\(body.replacing("CALL", with: call)) end")
      let said = try stage.say()
      let name = call.prefix { $0.isLetter || $0 == "." }
      #expect(
        said.hasPrefix(
          "step test.lua:\(line): \(name) can't wait here: the function was called by one that can't be suspended, as those "
            + "are that table.sort, string.gsub or tostring call | wait before that"), "\(said)")
      #expect(stage.network.sent.isEmpty)
      #expect(stage.script.suspendedSteps == 0)
      #expect(try stage.say() == said)
    }
  }

  @Test func `conditions, filters and maps can't wait`() throws {
    for call in ["tide.fetch { GET = 'https://h/' }", "tide.sleep(1)", "tide.all { print }"] {
      let stage = try Stage(
        """
        local list = tide.step "list" { run = function() return { 1 } end }
        return {
          tide.filter "filter" { list, where = function(item)
            \(call) return true end },
          tide.map "map" { list, run = function(item)
            \(call) return item end },
          tide.step "when" { when = { list, function(v)
            \(call) return true end }, run = function() end },
          tide.request "expect" { GET = "https://h/", expect = function(r)
            \(call) return true end },
        }
        """)
      for (name, line) in [("filter", 4), ("map", 6), ("when", 8), ("expect", 10)] {
        let (function, isEach) = try stage.condition(of: name)
        let results = Locked<[String]>([])
        let done: @Sendable (Result<Value, Failure>) -> Void = { result in results.withLock { $0.append(result.said) } }
        let context = stage.context(name)
        let run =
          isEach
          ? stage.script.runEach(function, over: .array([Value(1)]), .map, context: context, completion: done)
          : stage.script.run(function, arguments: [Value(1)], context: context, completion: done)
        try stage.executor.runUntilIdle()
        withExtendedLifetime(run) {}
        let said = results.withLock { $0 }
        let wanted =
          " waits, and only the 'run' function of a step can | do it in a step, and give its value to this node as an input"
        #expect(said.count == 1)
        #expect(
          said.first?.hasPrefix("step test.lua:\(line): ") == true && said.first?.hasSuffix(wanted) == true, "\(said)")
      }
    }
  }

  @Test(arguments: [
    ("'https://h/'", "tide.fetch takes one table, and has a text | write tide.fetch { GET = url }"),
    ("", "tide.fetch takes one table, and has nil | write tide.fetch { GET = url }"),
    ("{}, 1", "tide.fetch takes one table, and has 2 arguments | write tide.fetch { GET = url }"),
    ("login", "tide.fetch takes one table, and has a handle | write tide.fetch { GET = url }"),
    ("{}", "tide.fetch: the method with its URL is missing | write GET = url, POST = url, PUT = url, ..."),
    ("{ 'https://h/' }", "tide.fetch takes named options only: GET = url, json = ..."),
    (
      "{ GET = login.url }",
      "'.url' of the handle 'login' in a step: a handle has no value here | give it to the step as an input: "
        + "{ login, run = function(v) ... end }"
    ),
    (
      "{ GET = 'https://h/', json = { a = { login } } }",
      "tide.fetch: 'json.a[1]' is the handle 'login', which has no value in a step | give it to the step as an input: { login, run "
        + "= function(v) ... end }"
    ),
    (
      "{ GET = 'https://h/', bearer = login }",
      "tide.fetch: 'bearer' is the handle 'login', which has no value in a step | give it to the step as an input: { login, run = "
        + "function(v) ... end }"
    ),
    (
      "{ GET = 'https://h/', json = line }",
      "tide.fetch: 'json' is the queue 'line', which has no value | write queue = line"
    ),
    (
      "{ GET = 'https://h/', queue = 'line' }",
      "tide.fetch: 'queue' is a text, where a queue is expected | local line = "
        + "tide.queue \"line\" { width = 1 }, then queue = line"
    ),
    (
      "{ GET = 'https://h/', expect = print }",
      "tide.fetch: 'expect' is a function | look at the value that tide.fetch returns"
    ),
    (
      "{ GET = 'https://h/', expect = { body = print } }",
      "tide.fetch: 'expect.body' is a function | look at the value that tide.fetch returns"
    ),
    (
      "{ GET = 'https://h/', json = { f = print } }",
      "tide.fetch: 'json.f' is a function, where a value is expected | call it: its value is what is sent"
    ),
    ("{ GET = 'https://h/', timeuot = '5s' }", "tide.fetch: unknown option 'timeuot' | did you mean 'timeout'?"),
    ("{ GET = 'https://h/', after = {} }", "tide.fetch knows no option 'after' | it belongs to a node of the plan"),
    (
      "{ GET = 'https://h/', timeout = -1 }",
      "tide.fetch: 'timeout' is -1: a length of time above zero is expected | write \"500ms\", \"5s\", \"2m\", \"1h\", or a number "
        + "of seconds"
    ),
    ("{ GET = 'https://h/', json = cycle }", "tide.fetch: 'json.me' is a table that it lies in itself: a cycle"),
    ("{ GET = 'https://h/', json = 0/0 }", "tide.fetch: 'json' is NaN, which no JSON number is"),
    (
      "{ GET = 'https://h/', json = '\\xff' }",
      "tide.fetch: 'json' is a text that is not UTF-8 | tide.base64 makes a text of any bytes"
    ),
    (
      "{ GET = 'https://h/', json = v }",
      "tide.fetch: 'json' is no value: '[1][1]' is a handle: a step gets the value as an input of "
        + "its own"
    ),
  ])
  func `what a request can't be made of is an error at its line`(argument: String, expected: String) throws {
    let stage = try Stage(
      """
      local login = tide.step "login" { run = function() end }
      local line = tide.queue "line" { width = 1 }
      return { login, tide.step "s" { run = function(v)
        local cycle = {} cycle.me = cycle
        if v then v[1][1] = login end
        return tide.fetch(\(argument.isEmpty ? "nil" : argument)) end } }
      """)
    let said = try stage.run("s", json("[[0],1]")).said
    #expect(said.hasPrefix("step test.lua:6"))
    #expect(said.drop { $0 != " " }.dropFirst().drop { $0 != " " }.dropFirst() == expected)
    #expect(stage.network.sent.isEmpty)
  }

  @Test(arguments: [
    (
      "tide.sleep()",
      "tide.sleep takes a length of time, and has nil | write \"500ms\", \"5s\", \"2m\", or a number of seconds"
    ),
    (
      "tide.sleep(-1)",
      "tide.sleep takes a length of time, and has -1 | write \"500ms\", \"5s\", \"2m\", or a number of seconds"
    ),
    (
      "tide.sleep(0/0)",
      "tide.sleep takes a length of time, and has a number | write \"500ms\", \"5s\", \"2m\", or a number of seconds"
    ),
    (
      "tide.sleep(1e300)",
      "tide.sleep takes a length of time, and has 1e+300 | write \"500ms\", \"5s\", \"2m\", or a number of seconds"
    ),
    (
      "tide.sleep('soon')",
      "tide.sleep takes a length of time, and has \"soon\" | write \"500ms\", \"5s\", \"2m\", or a number of seconds"
    ),
    (
      "tide.sleep('nap', {})",
      "tide.sleep takes a length of time, and has 2 arguments | write \"500ms\", \"5s\", \"2m\", or a number of seconds"
    ),
    (
      "tide.all()",
      "tide.all takes a list of functions, and has nil | write tide.all { function() ... end, function() ... end }"
    ),
    (
      "tide.all(print, print)",
      "tide.all takes a list of functions, and has 2 arguments | write tide.all { function() ... end, function() ... end }"
    ),
    (
      "tide.all { print, 'x' }",
      "tide.all takes a list of functions, and item 2 is a text | write function() return ... end around what is to run at once"
    ),
    (
      "tide.all { a = print }",
      "tide.all takes a list of functions, and has a key that is a text | write tide.all { f, g }: its values come back in this order"
    ),
    (
      "tide.all { [5] = print }",
      "tide.all takes a list of functions, and has a key that is a number | write tide.all { f, g }: its values come back in this order"
    ),
    ("tide.all { print, nil, print }", "tide.all takes a list of functions, and has a hole"),
    (
      "coroutine.yield(1)",
      "coroutine.yield outside of a coroutine: only what coroutine.wrap or coroutine.create runs can yield"
    ),
    (
      "tide.all { function() coroutine.yield(1) end }",
      "coroutine.yield outside of a coroutine: only what coroutine.wrap or coroutine.create runs can yield"
    ),
    (
      "tide.request 'r' { GET = 'https://h/' }",
      "tide.request declares, and a step can't: the plan is complete when its first node starts | declare the node outside, and give the step its value as an input"
    ),
  ])
  func `sleep and all say what they take`(call: String, expected: String) throws {
    let stage = try Stage(step: "function()\n\(call) end")
    #expect(try stage.say() == "step test.lua:2: \(expected)")
    #expect(stage.script.suspendedSteps == 0)
  }
}
