import Testing
import TideBarrier
import TideFixtures
import TideGraph
import TideValue

@testable import TideScript

/// What a step does with what it received, `v`: each must be the same on a table that was made eagerly.
private let uses = [
  "return v", "return #v", "return type(v), getmetatable(v)", "return { #v, v[1], v[2], v[-1], v[0], v[1.0], v['1'] }",
  "local n = 0 for k, x in pairs(v) do n = n + 1 end return n",
  "return { v.a, v.b, v.nosuch, v.a, v.c, v.d, v.a, v.b }",
  "local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end return keys",
  "local found = {} for i, x in ipairs(v) do found[i] = { i, x } end return found",
  "local found = {} for i = 1, #v do found[i] = v[i] end return found",
  "local found = {} for i = #v, 1, -1 do found[#found + 1] = v[i] end return found",
  "return next(v) == nil", "local k, x = next(v) return { tostring(k), x }",
  "return { rawlen(v), rawget(v, 'a'), rawget(v, 1) }",
  "v.a = nil return { v.a, v }", "local before = v.a v.a = nil return { before == nil, v.a == nil, v }",
  "if v[1] then v[1] = 5 end return v", "v.new = { 1 } return v", "rawset(v, 'b', 7) return { v.b, v }",
  "if #v > 0 then table.insert(v, 'x') table.insert(v, 1, 'y') end return v",
  "local last = #v > 0 and table.remove(v) or 0 return { last, v }", "if #v > 0 then table.remove(v, 1) end return v",
  "return { table.unpack(v) }", "return table.move(v, 1, #v, 1, {})",
  "if #v > 1 then table.move(v, 1, #v - 1, 2) end return v",
  "local ok, text = pcall(table.concat, v, ',') return { ok, text }",
  "local ok, text = pcall(table.sort, v) return { ok, v }",
  "table.sort(v, function(a, b) return tide.json(a) < tide.json(b) end) return v",
  "return tide.json(v)", "return { tide.get(v, 'a'), tide.get(v, 'a.b', 'none'), tide.get(v, '$.a', 'none') }",
  "return { v.a == v.a, v[1] == v[1], v == v }", "return { same = rawequal(v.a, v.a), null = v.a == tide.null }",
  "if type(v.a) == 'table' then v.a.changed = true end return v",
  "local x = v[1] if type(x) == 'table' then x[#x + 1] = 1 end return { v, x }",
  "local x = v.a if type(x) == 'table' then v.b = 1 x.c = 2 end return { v, x }",
  "local x = v[1] for _ in pairs(v) do end return { x == v[1], v }", "return setmetatable(v, nil)",
  "return tide.array(v)", "return tide.object(v)", "return { tostring(v), ('%s'):format(v) }",
  "local u = setmetatable({}, { __index = v }) return { u.a, u[1], #u }",
  "for k, x in pairs(v) do if type(x) == 'table' then x.mark = k end end return v",
  "local function walk(x) local n = 1 if type(x) == 'table' then "
    + "for _, y in pairs(x) do n = n + walk(y) end end return n end return walk(v)",
  "local ok, message = pcall(function() return v.a.b.c.d end) return { ok, message }",
  "local ok, message = pcall(function() v[nil] = 1 end) return { ok, message }",
  "local ok, message = pcall(function() v[0/0] = 1 end) return { ok, message }", "v[1.0] = 2 return v",
  "v[0] = 2 return #v",
  "local ok, message = pcall(rawset, v, nil, 1) return { ok, message }",
  "return ('a b c'):gsub('%w', v)", "local ok, message = pcall(function() return v + 1 end) return { ok, message }",
  "return select('#', v, v.a)", "print(v) return nil", "error(v)", "return nil, v",
]

/// Random JSON, small keys so that they are met, with everything that is hard: escapes, repeats, white space, depth.
private struct Scribe {
  var random: SplitMix

  mutating func text(depth: Int = 0) -> String {
    let space = ["", "", "", " ", "\n  "][random.next(5)]
    switch random.next(depth < 4 ? 12 : 6) {
    case 0: return space + ["null", "true", "false"][random.next(3)]
    case 1: return ["1.10", "-0", "1e400", "12345678901234567890", "7", "-3"][random.next(6)]
    case 2, 3: return String(random.next(20))
    case 4, 5: return [#""""#, #""a""#, #""]}\"[{""#, #""\u00e9\n""#, #""\\""#, #""ü,:""#][random.next(6)] + space
    case 6, 7, 8:
      let count = random.next(4) == 0 ? 30 : random.next(5)
      let items = (0..<count).map { _ in text(depth: depth + 1) }
      return "[" + space + items.joined(separator: space + ",") + "]"
    default:
      let keys = ["a", "b", "c", "d", "1", #"\u0061"#, #"\""#, "", "longer key"]
      let fields = (0..<random.next(8)).map { _ in
        "\"\(keys[random.next(keys.count)])\"\(space):" + text(depth: depth + 1)
      }
      return "{" + space + fields.joined(separator: "," + space) + "}"
    }
  }
}

private struct SplitMix {
  var state: UInt64

  mutating func next(_ count: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((z ^ (z >> 31)) % UInt64(count))
  }
}

extension Result<Value, Failure> {
  /// What it says when lists and objects that were not touched are laid out as those that were: keys in order, the last
  /// of those of one name, numbers as Lua has them.
  fileprivate func normal(_ stage: Stage) throws -> String {
    guard case .success(let value) = self else { return said }
    return try stage.run("rewrite", value).said
  }
}

@Suite struct LazyTests {
  /// Steps `s1`, `s2`, ... do the same on what they receive, and `e1`, ... on an eager copy of it.
  private func bothWays() throws -> Stage {
    var script = "local function eager(v) return tide.json.decode(tide.json(v)) end\n"
    script += "local function rewrite(v) return tide.json(eager(v)) end\n"
    script += "tide.step \"rewrite\" { run = rewrite }\n"
    for (index, use) in uses.enumerated() {
      script += "tide.step \"s\(index)\" { run = function(v) \(use) end }\n"
      script += "tide.step \"e\(index)\" { run = function(w) local v = eager(w) \(use) end }\n"
    }
    return try Stage(script + "return tide.step \"last\" { run = function() end }")
  }

  @Test func `whatever a step does with what it receives is the same as on a plain table`() throws {
    let stage = try bothWays()
    var scribe = Scribe(random: SplitMix(state: 7))
    var compared = 0
    for round in 0..<24 {
      var text = scribe.text()
      while !text.contains(where: { "[{".contains($0) }) { text = scribe.text() }
      let value = try json(text)
      let composed = Value.array([value, Value.object([("a", value), ("b", Value(1))])])
      for (index, use) in uses.enumerated() {
        for input in round % 3 == 0 ? [value, composed] : [value] {
          let lazily = try stage.run("s\(index)", input).normal(stage)
          let eagerly = try stage.run("e\(index)", input).normal(stage)
          #expect(unplaced(lazily) == unplaced(eagerly), "\(use) on \(text)")
          compared += 1
        }
      }
    }
    #expect(compared > 1_000)
  }

  /// Without lines: both functions stand on lines of their own.
  private func unplaced(_ text: String) -> String {
    text.replacing(#/test\.lua:\d+(:\d+-\d+)?/#, with: "test.lua")
  }

  @Test(arguments: [
    ("return v", #"{ "b": 1.10, "a": [ 1e1, "\u00e9" ], "a": 2 }"#, #"{ "b": 1.10, "a": [ 1e1, "\u00e9" ], "a": 2 }"#),
    ("return v.x", #"{"x": [1.10 , -0]}"#, "[1.10 , -0]"),
    ("return v[2]", #"[1, {"b":1.0,"a":2}]"#, #"{"b":1.0,"a":2}"#),
    ("return { v.x, v.y }", #"{"x": [1.10 ], "y": {"b" : 1,"a":2}}"#, #"[[1.10 ],{"b" : 1,"a":2}]"#),
    ("for _, x in ipairs(v) do return x end", "[[ 1.10 ], 2]", "[ 1.10 ]"),
    ("v.n = 1 return v", #"{"x": [ 1.10 ], "n": 0, "a": 1.0}"#, #"{"a":1.0,"n":1,"x":[ 1.10 ]}"#),
    ("local x = v.x.y return v", #"{ "x": { "y": 1.10 } }"#, #"{ "x": { "y": 1.10 } }"#),
    ("v.x.y = 2 return v", #"{ "x": { "y": 1.10 }, "z": [ 1.10 ] }"#, #"{"x":{"y":2},"z":[ 1.10 ]}"#),
    (
      "table.sort(v, function(a, b) return a.n < b.n end) return v", #"[{"n": 2.0}, {"n": 1.0}]"#,
      #"[{"n": 1.0},{"n": 2.0}]"#
    ),
    ("return #v, v", "[ 1.10 ]", "1"), ("local n = #v return v", "[ 1.10 ]", "[ 1.10 ]"),
  ])
  func `what a step gives back untouched is byte for byte what it received`(
    body: String, input: String, expected: String
  ) throws {
    let stage = try Stage(step: "function(v) \(body) end")
    let value = try stage.run("s", try json(input)).get()
    #expect(String(decoding: value.json(.verbatim), as: UTF8.self) == expected)
  }

  @Test func `an input that is given back is the same text in the same buffer`() throws {
    let stage = try Stage(step: "function(v) return v.x end")
    let input = try json(#"{"x": [1, 2]}"#)
    let output = try stage.run("s", input).get()
    #expect(output.place?.buffer === input.place?.buffer)
    #expect(output.place?.range == 6..<12)
  }

  @Test func `two inputs that are the same value are two tables`() throws {
    let stage = try Stage(step: "function(a, b) a.x.y = 2 a.z = 3 return { a, b, a == b } end")
    let input = try json(#"{"x":{"y":1}}"#)
    #expect(try stage.run("s", input, input).said == #"[{"x":{"y":2},"z":3},{"x":{"y":1}},false]"#)
  }

  @Test func `what one step changes no other sees`() throws {
    let stage = try Stage(step: "function(v) v[1].x = v[1].x + 1 table.insert(v, 0) return v end")
    let input = try json(#"[{"x":1}]"#)
    for _ in 0..<3 { #expect(try stage.run("s", input).said == #"[{"x":2},0]"#) }
    #expect(input.description == #"[{"x":1}]"#)
  }

  @Test func `a large list is walked without memory for its parts`() throws {
    let items = (0..<20_000).map { #"{"id":\#($0),"text":"\#(String(repeating: "x", count: 500))"}"# }
    let input = try json("[" + items.joined(separator: ",") + "]")
    let stage = try Stage(
      step: "function(v) local sum = 0 for _, x in ipairs(v) do sum = sum + x.id end return sum end",
      limits: ScriptLimits(memory: 8 << 20))
    #expect(try stage.run("s", input).said == "199990000")
  }

  @Test func `a step that keeps too much of it is out of memory`() throws {
    let input = try json("[" + (0..<400_000).map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]")
    let stage = try Stage(
      step: "function(v) for _, x in ipairs(v) do for _ in pairs(x) do end end return #v end",
      limits: ScriptLimits(memory: 8 << 20))
    #expect(try stage.run("s", input).said.hasPrefix("memory test.lua:1: not enough memory: the limit"))
  }
}
