-- 500,000 people with 500,000 orders by their key.
local tide = require "tidegate"

local people, orders = tide.file "people" { path = "people.json" }, tide.file "orders" { path = "orders.json" }
return tide.merge "joined" { people, orders, how = "join", key = "id" }
