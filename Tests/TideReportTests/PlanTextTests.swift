import Testing
import TideGraph
import TideReport
import TideValue

struct PlanTextTests {
  @Test func `a plan tells what runs when, what waits for what, and where it goes`() throws {
    #expect(
      PlanText.render(try Samples.gather()) == """
        shares.lua: 5 nodes in 4 waves

        inputs
          api                    string, default "https://api.example.com"
          uid                    any type, required
                                 whose shares
          order                  string, default "asc"
                                 one of "asc", "desc"

        secrets
          key                    from --secret, a secrets file, or $SHARES_KEY

        queues
          line                   width 1: detail, reward
          spare                  width 4: used by nothing

        hosts
          https://api.example.com
          {uid}

        wave 0
          step "token" [secret]  needs: uid, key

        wave 1
          request "detail"       POST {api}/relation/detail
                                 needs: api, order, token
                                 only when order
                                 in the queue line
          request "reward"       GET {uid}
                                 needs: uid
                                 starts after: token
                                 in the queue line
                                 otherwise []

        wave 2
          merge "shares"         opens when all have ended, one of them well: detail, reward

        wave 3
          sort "page"            by -createTime, id, the first 10
                                 needs: shares

        result  { page = page, first = tide.path(page, "$[0]") }

        [secret]  its value is never shown: it is computed from a secret

        """)
  }

  @Test func `what races is marked`() throws {
    #expect(
      PlanText.render(try Samples.race()) == """
        race.lua: 5 nodes in 3 waves

        hosts
          http://a
          http://b:81

        wave 0
          request "a" [races]    GET http://a/
                                 timeout 500ms, deadline 2s
          request "b"            GET http://b:81/x?y=z
          barrier "none"         opens when all have succeeded: nothing

        wave 1
          barrier "one" [races]  opens as soon as 1 of 2 succeeded: a, b

        wave 2
          step "after" [races]   needs: one
                                 asks how it went: a
                                 only when tide.ok(a)

        result  { one, { after } }

        [races]   its value may depend on which answer comes first: wait = N, a time limit, or a queue that trips

        """)
  }

  @Test func `the smallest plan is a line or two`() throws {
    var script = Script("one.lua")
    let a = try script.node("step", "a", [], ["run": .function(FunctionID(0))])
    #expect(
      PlanText.render(try script.plan(a))
        == "one.lua: 1 node in 1 wave\n\nwave 0\n  step \"a\"  waits for nothing\n\nresult  a\n")
    #expect(PlanText.render(Plan(nodes: [])) == "0 nodes in 0 waves\n")
  }

  @Test func `hostile names stay on their line`() throws {
    var script = Script("one.lua")
    let a = try script.node("step", "a\n\u{1B}[2J", [], ["run": .function(FunctionID(0)), "doc": .text("x\ty\u{7}")])
    let long = try script.node("step", String(repeating: "n", count: 50), [.node(a)], ["run": .function(FunctionID(0))])
    #expect(
      PlanText.render(try script.plan(long)) == """
        one.lua: 2 nodes in 2 waves

        wave 0
          step "a \u{FFFD}[2J"  x y\u{FFFD}

        wave 1
          step "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
                         needs: a \u{FFFD}[2J

        result  nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn

        """)
  }
}
