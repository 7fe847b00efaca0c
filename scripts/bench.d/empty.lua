-- A workflow without requests: what starting and ending costs.
local tide = require "tidegate"

return tide.step "answer" { run = function() return 42 end }
