-- Ten million numbers, sorted.
local tide = require "tidegate"

return tide.sort "sorted" { tide.file "numbers" { path = "numbers.json" }, by = "$" }
