-- Two files of 500 MB to one, sorted.
local tide = require "tidegate"

local shares = tide.merge "shares" { tide.file "a" { path = "many-a.json" }, tide.file "b" { path = "many-b.json" } }
return tide.sort "sorted" { shares, by = "createTime" }
