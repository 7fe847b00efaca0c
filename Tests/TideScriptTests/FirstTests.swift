import Testing
import TideGraph
@testable import TideScript

@Suite struct FirstTests {
  @Test func `the Gather script declares its plan`() throws {
    let script = try load("""

      local api = tide.input "api" { default = "https://api.example.com" }
      local uid, session = tide.input "uid", tide.input "session_id"
      local token = tide.step "token" { uid, session, run = function(uid, session)
        return tide.md5(uid .. session)
      end }
      local detail = tide.request "detail" {
        POST    = api .. "/relation/detail",
        form    = { uid = uid, session_id = session, token = token },
        expect  = { body = { code = "200" }, message = "message" },
        extract = "data.relation",
      }
      local reward = tide.request "reward" { POST = api .. "/relation/reward" }
      local shares = tide.merge "shares" { detail, reward, wait = "settled" }
      return tide.sort "page" { shares, by = "createTime" }
      """)
    #expect(script.plan.nodes.map(\.name) == ["api", "uid", "session_id", "token", "detail", "reward", "shares", "page"])
    #expect(script.plan.nodes.map(\.place.line) == [2, 3, 3, 4, 7, 13, 14, 15])
  }

  @Test func `a step runs`() throws {
    #expect(try step("function(a, b) return { a = a, b = { b, 1, 2.5 } } end", "[1.5,{}]", "\"x\"") == #"{"a":[1.5,{}],"b":["x",1,2.5]}"#)
    #expect(try step("function(a) return a.b.c end", "{}") == "step test.lua:1: attempt to index a nil value (field 'b')")
  }
}
