-- 100 files to one, sorted.
local tide = require "tidegate"

local lists = {}
for number = 0, 99 do
  lists[number + 1] = tide.file("list " .. number) { path = ("lists/%02d.json"):format(number) }
end
return tide.sort "sorted" { tide.merge "all" (lists), by = "createTime" }
