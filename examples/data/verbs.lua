-- Each data verb once. They run in Swift on slices of the text: what is not touched leaves byte for byte as it came.
--
--   tidegate run examples/data/verbs.lua -o ndjson

local tide = require "tidegate"

local users = tide.file "users" { path = "users.csv" } -- a list of objects; fields of CSV are texts
local orders = tide.file "orders" { path = "orders.json" }

return {
  tide.sort "sort" { orders, by = "-total", limit = 2 },
  tide.filter "filter" { orders, where = { user = "1", total = { min = 10 } } },
  tide.map "map" { orders, fields = { { "order", "id" }, { "sum", "total" } } },
  tide.pick "pick" { orders, fields = { "id" } },
  tide.group "group" { orders, by = "user" },
  tide.distinct "distinct" { orders, by = "user" },
  tide.slice "slice" { orders, offset = -1 },
  tide.aggregate "aggregate" { orders, by = "user", give = { n = "count", total = { sum = "total" } } },
  tide.merge "concat" { users, orders, tag = "from" },
  tide.merge "union" { users, users, how = "union", key = "id" },
  tide.merge "join" { users, orders, how = "join", key = { "id", "user" }, keep = "left", collision = "first" },
  tide.merge "zip" { users, users, how = "zip" },
  tide.merge "deep" { { a = { b = 1 } }, { a = { c = 2 } }, how = "deep" },
  tide.merge "object" { { people = users, sales = tide.path(orders, "$[*].total") }, how = "object" },
}
