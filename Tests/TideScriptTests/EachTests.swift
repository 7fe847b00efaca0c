import Testing
import TideBarrier
import TideFixtures
import TideGraph
import TideValue

@testable import TideScript

extension Stage {
  fileprivate func each(_ use: ItemUse, over list: Value) throws -> Result<Value, Failure> {
    let results = Locked<[Result<Value, Failure>]>([])
    let run = script.runEach(try function(of: "s"), over: list, use, context: context("s")) { result in
      results.withLock { $0.append(result) }
    }
    try executor.runUntilIdle()
    withExtendedLifetime(run) {}
    let all = results.withLock { $0 }
    try #require(all.count == 1)
    return all[0]
  }
}

/// What a function makes of the items, of a list in one text and of one that was put together.
private func each(_ use: ItemUse, _ function: String, _ list: String, before: String = "") throws -> [String] {
  let stage = try Stage(step: function, before: before)
  let value = try json(list)
  let whole = try stage.each(use, over: value)
  let composed = try stage.each(use, over: .array(value.items))
  return [whole, composed].map { result in
    guard case .success(let value) = result else { return result.said }
    return String(decoding: value.json(.verbatim), as: UTF8.self)
  }
}

@Suite struct EachTests {
  @Test(arguments: [
    ("o.n > 1", #"[{"n": 1.0}, {"n": 2.50 }, {"n":3}]"#, #"[{"n": 2.50 },{"n":3}]"#),
    ("o", "[null, false, true, 0, \"\", [], {}, 1e400]", #"[true,0,"",[],{},1e400]"#),
    ("nil", "[1]", "[]"), ("tide.null", "[1]", "[]"), ("o.x", #"[{"x":null},{"x":false},{"x":0},{}]"#, #"[{"x":0}]"#),
    ("true", "[]", "[]"), ("#o == 2", "[ [ 1 , 2 ] , [ ] ]", "[[ 1 , 2 ]]"),
  ])
  func `filter keeps the items as they came`(condition: String, list: String, expected: String) throws {
    #expect(try each(.filter, "function(o) return \(condition) end", list) == [expected, expected])
  }

  @Test func `filter changes no item, whatever the function does to it`() throws {
    let kept = try each(.filter, "function(o) o.n = 5 o.m = 1 return true end", #"[{"n": 1.0}]"#)
    #expect(kept == [#"[{"n": 1.0}]"#, #"[{"n": 1.0}]"#])
  }

  @Test(arguments: [
    ("o.n", #"[{"n": 1.50}, {}]"#, "[1.5,null]"), ("o", "[ { \"b\": 1.0 ,\"a\":2} ]", "[{ \"b\": 1.0 ,\"a\":2}]"),
    ("{ o.x }", #"[{"x": [ 1.0 ]}]"#, "[[[ 1.0 ]]]"), ("o", "[]", "[]"), ("tide.null", "[1, 2]", "[null,null]"),
    ("o * 2, 'ignored'", "[1, 2]", "[2,4]"),
  ])
  func `map puts what the function returns in their place`(value: String, list: String, expected: String) throws {
    #expect(try each(.map, "function(o) return \(value) end", list) == [expected, expected])
  }

  @Test(arguments: [
    ("if o == 2 then\nerror('boom') end", "step test.lua:2: item 2: boom"),
    ("if o == 2 then return nil, 'why' end", "step test.lua:1: item 2: why"),
    ("if o == 2 then tide.fail('bad', { code = 7 }) end", #"step test.lua:1: item 2: bad = {"code":7}"#),
    ("do return o.x.y end", "step test.lua:1: item 1: attempt to index a number value (local 'o')"),
    (
      "if o == 3 then return print end",
      "type test.lua:1: the step returned what is no value: the value is a function, which is no value"
    ),
    (
      "if o == 3 then return 0/0 end",
      "type test.lua:1: the step returned what is no value: the value is NaN, which no JSON number is"
    ),
    (
      "coroutine.yield(1)",
      "step test.lua:1: item 1: coroutine.yield outside of a coroutine: "
        + "only what coroutine.wrap or coroutine.create runs can yield"
    ),
  ])
  func `an error names the item`(body: String, expected: String) throws {
    for use in [ItemUse.filter, .map] {
      for said in try each(use, "function(o) \(body) return true end", "[1, 2, 3]") {
        #expect(said.replacing(#/1:\d+-\d+/#, with: "1") == expected)
      }
    }
  }

  @Test func `an item that assigns what was captured is named`() throws {
    let said = try each(
      .map, "function(o) count() return o end", "[1, 2]",
      before: "local n = 0 local function count() if n == 0 then n = n + 1 end end")
    #expect(said.allSatisfy { $0.hasPrefix("step test.lua:1: item 1: the step assigned 'n', which was captured") })
  }

  @Test func `it stops between items, and the next run starts anew`() throws {
    let stage = try Stage(step: "function(o) tide.log(o) return o end")
    let running = Locked<(any Abortable)?>(nil)
    let results = Locked<[String]>([])
    let seen = Lines()
    let context = StepContext(
      node: NodeID(0), name: "s", location: nil, wallClock: { 0 },
      log: { _, line in
        seen.append(line)
        running.withLock { $0 }?.abort()
      })
    let list = Value.array((1...1_000).map { Value($0) })
    let run = stage.script.runEach(try stage.function(of: "s"), over: list, .map, context: context) { result in
      results.withLock { $0.append(result.said) }
    }
    running.withLock { $0 = run }
    try stage.executor.runUntilIdle()
    #expect(results.withLock { $0 } == ["cancelled ?: the step was stopped"])
    #expect((1...64).contains(seen.all.count))
    #expect(try stage.each(.map, over: .array([Value(7)])).said == "[7]")
  }

  @Test func `what is no list is refused, and null has no items`() throws {
    let stage = try Stage(step: "function(o) return o end")
    #expect(try stage.each(.map, over: Value(1)).said == "type ?: its input is a number, where a list is expected")
    #expect(try stage.each(.filter, over: .null).said == "[]")
  }

  @Test func `many items need no more memory than one`() throws {
    let items = (0..<50_000).map { #"{"id":\#($0),"tags":["a","b"]}"# }
    let stage = try Stage(
      step: "function(o) return #o.tags == 2 and o.id % 1000 == 0 end", limits: ScriptLimits(memory: 4 << 20))
    let kept = try stage.each(.filter, over: try json("[" + items.joined(separator: ",") + "]")).get()
    #expect(kept.count == 50)
    #expect(kept[1]?.description == #"{"id":1000,"tags":["a","b"]}"#)
  }
}
