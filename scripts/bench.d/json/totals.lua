-- What 100,000 users bought in 500,000 sales.
local tide = require "tidegate"

return tide.aggregate "totals" {
  tide.file "sales" { path = "sales.json" }, by = "user",
  give = { n = "count", total = { sum = "total" }, most = { max = "total" } },
}
