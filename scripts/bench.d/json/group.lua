-- 500,000 sales into the 100,000 users' groups.
local tide = require "tidegate"

return tide.group "groups" { tide.file "sales" { path = "sales.json" }, by = "user" }
