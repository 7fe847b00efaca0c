-- Reads and checks 100 MB; one record leaves.
local tide = require "tidegate"

return tide.slice "first" { tide.file "shares" { path = "shares.json" }, limit = 1 }
