import Foundation
import Testing

/// Every data verb, from a script and its files to what is printed.
@Suite struct DataVerbTests {
  private static let files = [
    "users.csv": "id,name\n1,ann\n2,bob\n",
    "orders.ndjson": """
    {"user":"1","total":5.10}
    {"user":"1","total":7.25}
    {"user":"3","total":1}

    """,
    "list.json": "[3,1,2]",
  ]

  private static let beginning = """
    local tide = require "tidegate"
    local users = tide.file "users" { path = "users.csv" }
    local orders = tide.file "orders" { path = "orders.ndjson" }
    local list = tide.file "list" { path = "list.json" }

    """

  private func result(_ declaration: String) async throws -> CommandLine.Ended {
    try await CommandLine("run").with(script: Self.beginning + "return " + declaration, files: Self.files).run()
  }

  @Test(arguments: [
    (#"users"#, #"[{"id":"1","name":"ann"},{"id":"2","name":"bob"}]"#),
    (#"tide.sort "x" { users, by = "name", as = "time", limit = 1 }"#, #"[{"id":"1","name":"ann"}]"#),
    (
      #"tide.merge "x" { users, orders, how = "join", key = { "id", "user" } }"#,
      #"[{"id":"1","name":"ann","user":"1","total":5.10},{"id":"1","name":"ann","user":"1","total":7.25}]"#
    ),
    (
      #"tide.merge "x" { users, orders, how = "join", key = { "id", "user" }, keep = "full" }"#,
      #"[{"id":"1","name":"ann","user":"1","total":5.10},{"id":"1","name":"ann","user":"1","total":7.25},"#
        + #"{"id":"2","name":"bob"},{"user":"3","total":1}]"#
    ),
    (
      #"tide.merge "x" { users, users, how = "union", key = "id" }"#,
      #"[{"id":"1","name":"ann"},{"id":"2","name":"bob"}]"#
    ),
    (#"tide.merge "x" { list, list, how = "zip" }"#, "[[3,3],[1,1],[2,2]]"),
    (#"tide.merge "x" { { a = { b = 1 } }, { a = { c = 2 } }, how = "deep" }"#, #"{"a":{"b":1,"c":2}}"#),
    (
      #"tide.merge "x" { { people = users, numbers = list }, how = "object" }"#,
      #"{"numbers":[3,1,2],"people":[{"id":"1","name":"ann"},{"id":"2","name":"bob"}]}"#
    ),
    (
      #"tide.merge "x" { users, tag = "from" }"#,
      #"[{"id":"1","name":"ann","from":"users"},{"id":"2","name":"bob","from":"users"}]"#
    ),
    (#"tide.filter "x" { orders, where = { total = { min = 5, max = 6 } } }"#, #"[{"user":"1","total":5.10}]"#),
    (#"tide.filter "x" { users, where = { name = { matches = "^b" } } }"#, #"[{"id":"2","name":"bob"}]"#),
    (#"tide.filter "x" { users, where = { id = { "2", "9" } } }"#, #"[{"id":"2","name":"bob"}]"#),
    (
      #"tide.filter "x" { orders, where = function(o) return o.total > 6 end }"#,
      #"[{"user":"1","total":7.25}]"#
    ),
    (#"tide.map "x" { list, run = function(n) return n * 10 end }"#, "[30,10,20]"),
    (
      #"tide.map "x" { orders, fields = { { "who", "user" }, { "sum", "total" } } }"#,
      #"[{"who":"1","sum":5.10},{"who":"1","sum":7.25},{"who":"3","sum":1}]"#
    ),
    (#"tide.pick "x" { users, fields = { "name" } }"#, #"[{"name":"ann"},{"name":"bob"}]"#),
    (
      #"tide.group "x" { orders, by = "user" }"#,
      #"[{"key":"1","items":[{"user":"1","total":5.10},{"user":"1","total":7.25}]},"#
        + #"{"key":"3","items":[{"user":"3","total":1}]}]"#
    ),
    (#"tide.distinct "x" { orders, by = "user" }"#, #"[{"user":"1","total":5.10},{"user":"3","total":1}]"#),
    (#"tide.slice "x" { list, offset = -2, limit = 1 }"#, "[1]"),
    (
      #"tide.aggregate "x" { orders, by = "user", give = { n = "count", sum = { sum = "total" } } }"#,
      #"[{"user":"1","n":2,"sum":12.35},{"user":"3","n":1,"sum":1}]"#
    ),
    (#"tide.aggregate "x" { list, give = { top = { max = "$" }, mean = { mean = "$" } } }"#, #"{"mean":2,"top":3}"#),
    (#"tide.path(orders, "$[?@.total > 5].user")"#, #"["1","1"]"#),
  ])
  func `a verb gives what it says`(declaration: String, expected: String) async throws {
    #expect(try await result(declaration) == CommandLine.Ended(exit: 0, output: expected + "\n", errors: ""))
  }

  @Test(arguments: [
    (#"tide.merge "x" { users, list, how = "join", key = "id" }"#, "input 2 ('list')"),
    (#"tide.merge "x" { { { id = 1, a = 1 } }, { { id = 1, a = 2 } }, how = "join", key = "id" }"#, "'a'"),
    (#"tide.merge "x" { list, { a = 1 } }"#, "input 2 ('{\"a\":1}')"),
    (#"tide.sort "x" { users, by = "name", as = "time", invalid = "error" }"#, "'name'"),
    (#"tide.aggregate "x" { users, give = { s = { sum = "name" } } }"#, "'name'"),
    (#"tide.file "x" { path = "../secret.json" }"#, "'../secret.json': "),
    (#"tide.file "x" { path = "/etc/passwd" }"#, "a script sees the files of its own folder only"),
    (#"tide.file "x" { path = "nosuch.json" }"#, "'nosuch.json': No such file or directory"),
    (#"tide.file "x" { path = "users.csv", format = "json" }"#, "'users.csv': line 1, column 1"),
    (#"tide.map "x" { list, run = function(n) return n.a.b end }"#, "item 1: attempt to index"),
  ])
  func `what a verb can't work on is named`(declaration: String, part: String) async throws {
    let ended = try await result(declaration)
    #expect([2, 3].contains(ended.exit))
    #expect(ended.output == "")
    #expect(ended.errors.contains(part), "\(ended.errors)")
  }
}
