-- Steps that fetch: one by one, at once, behind a queue, with retries of the step and of the fetch, past their time.
local tide = require "tidegate"

local a, b = tide.input "a", tide.input "b"
local serial = tide.queue "serial" { width = 1 }
local pair = tide.queue "pair" { width = 2, rate = "500/s" }

local chain = tide.step "chain" { a, retry = { times = 2, wait = "5ms" }, run = function(a)
  local sum = 0
  for i = 1, 3 do
    local page = assert(tide.fetch { GET = a .. "/chain/" .. i, timeout = "120ms", queue = pair, retry = 1 })
    sum = sum + page.items[1].id
  end
  return sum
end }

local both = tide.step "both" { a, b, queue = serial, run = function(a, b)
  local function get(url)
    return function() return (tide.fetch { GET = url, timeout = "120ms", retry = { times = 2, wait = "1ms" } }) end
  end
  local results = { tide.all { get(a .. "/both/1"), get(b .. "/both/2"), get(b .. "/both/3") } }
  tide.sleep("5ms")
  return #results
end, otherwise = 0 }

-- Its fetches are still in flight when it is over.
local late = tide.step "late" { b, timeout = "60ms", retry = { times = 1, wait = "1ms" }, run = function(b)
  for i = 1, 20 do tide.fetch { GET = b .. "/late/" .. i } end
  return "in time"
end, otherwise = "late" }

local queued = { wait = "settled" }
for i = 1, 5 do
  queued[i] = tide.step("queued" .. i) { a, queue = serial, deadline = "600ms", run = function(a)
    local _, err = tide.fetch { POST = a .. "/queued", form = { n = "1" }, queue = pair, timeout = "120ms" }
    if err then error(err) end
    return true
  end }
end

for i = 1, 3 do tide.request("pair" .. i) { HEAD = b .. "/pair", queue = pair, timeout = "120ms", otherwise = false } end

tide.step "report" { a, always = true, run = function(a)
  tide.fetch { POST = a .. "/report", json = { done = true }, timeout = "120ms" }
end, otherwise = false }
return { chain = tide.ok(chain), both = both, late = late, queued = tide.barrier "queued" (queued) }
