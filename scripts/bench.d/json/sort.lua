-- Two files to one, sorted.
local tide = require "tidegate"

local shares = tide.merge "shares" { tide.file "a" { path = "shares-a.json" }, tide.file "b" { path = "shares-b.json" } }
return tide.sort "sorted" { shares, by = "createTime" }
