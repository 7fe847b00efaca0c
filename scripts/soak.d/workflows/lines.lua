-- Queues that are slow, narrow and trip; a race whose losers are stopped; a signal from outside; a sleep.
local tide = require "tidegate"

local a, b = tide.input "a", tide.input "b"
local slow = tide.queue "slow" { rate = "300/s", burst = 4 }
local careful = tide.queue "careful" { width = 2, per = "host", trip = { after = 3, rest = "40ms" } }
local serial = tide.queue "serial" { width = 1 }

local careful_ones = { wait = "settled" }
for i = 1, 6 do
  careful_ones[#careful_ones + 1] = tide.request("careful" .. i) {
    GET = a .. "/careful/" .. i, queue = careful, timeout = "120ms",
    retry = { times = 2, wait = "10ms", retry_after = "500ms" },
  }
  tide.request("slow" .. i) { GET = b .. "/slow/" .. i, queue = slow, retry = 1, timeout = "120ms", otherwise = false }
end

local racers = { wait = 1, cancel_rest = true }
for i = 1, 4 do racers[i] = tide.request("racer" .. i) { GET = b .. "/race/" .. i, timeout = "200ms" } end
local race = tide.barrier "race" (racers)

local go = tide.signal "go" { deadline = "2s", otherwise = false }
local rest = tide.sleep "rest" { "20ms", after = { race } }
for i = 1, 3 do
  tide.request("serial" .. i) {
    PUT = a .. "/serial/" .. i, body = "x", queue = serial, after = { go, rest }, timeout = "120ms", otherwise = false,
  }
end
tide.request "goodbye" { GET = b .. "/goodbye", queue = serial, always = true, timeout = "120ms", otherwise = false }
return { careful = tide.barrier "all" (careful_ones), race = race }
