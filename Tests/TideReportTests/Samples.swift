import TideGraph
import TideValue

/// Plans that several outputs are shown of.
enum Samples {
  static func gather() throws -> Plan {
    var script = Script("shares.lua")
    let api = try script.node(
      "input", "api", [], ["type": .text("string"), "default": .text("https://api.example.com")])
    let uid = try script.node("input", "uid", [], ["doc": .text("whose shares")])
    let order = try script.node(
      "input", "order", [],
      ["type": .text("string"), "default": .text("asc"), "enum": .list([.text("asc"), .text("desc")])])
    let key = try script.node("secret", "key", [], ["env": .text("SHARES_KEY")])
    let line = try script.queue("line", width: 1)
    _ = try script.queue("spare", width: 4)
    let token = try script.node("step", "token", [.node(uid), .node(key)], ["run": .function(FunctionID(0))])
    let detail = try script.node(
      "request", "detail", [],
      [
        "POST": .url(.node(api), .text("/relation/detail")), "form": .table([.init(key: "token", value: .node(token))]),
        "queue": .queue(line), "when": .node(order),
      ])
    let reward = try script.node(
      "request", "reward", [],
      ["GET": .node(uid), "after": .list([.node(token)]), "queue": .queue(line), "otherwise": .list([])])
    let shares = try script.node(
      "merge", "shares", [.node(detail), .node(reward), .node(detail)], ["wait": .text("settled")])
    let page = try script.node(
      "sort", "page", [.node(shares)], ["by": .list([.text("-createTime"), .text("id")]), "limit": .number(10)])
    let first = Expression.path(.value(of: page), try Path("$[0]"), fallback: nil)
    return try script.plan(
      .table([(key: "page", value: .expression(.value(of: page))), (key: "first", value: .expression(first))]))
  }

  static func race() throws -> Plan {
    var script = Script("race.lua")
    let a = try script.node(
      "request", "a", [],
      ["GET": .text("http://a/"), "timeout": .text("500ms"), "deadline": .number(2)])
    let b = try script.node("request", "b", [], ["GET": .text("http://b:81/x?y=z")])
    let one = try script.node("barrier", "one", [.node(a), .node(b)], ["wait": .number(1)])
    let after = try script.node(
      "step", "after", [.node(one)],
      ["run": .function(FunctionID(0)), "when": .expression(.question(.ok, a))])
    _ = try script.node("barrier", "none", [])
    return try script.plan(
      .list([.expression(.value(of: one)), .list([.expression(.value(of: after))])]))
  }
}
