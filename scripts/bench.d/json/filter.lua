-- 300,000 sales, filtered by a function.
local tide = require "tidegate"

return tide.filter "open" { tide.file "records" { path = "records.json" }, where = function(sale)
  return sale.state == "open" and sale.total >= 500
end }
