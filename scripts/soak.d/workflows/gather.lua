-- Requests of every kind at once, each host with its own line: retries, time limits, defaults, a fallback, cleanup.
local tide = require "tidegate"

local a, b, nobody = tide.input "a", tide.input "b", tide.input "nobody"
local line = tide.queue "line" { width = 3, per = "host" }

local parts = { wait = "settled" }
for i = 1, 4 do
  parts[#parts + 1] = tide.request("a" .. i) {
    GET = a .. "/part/" .. i, extract = "items", queue = line, timeout = "150ms",
    retry = { times = 2, wait = "5ms", max = "50ms" },
  }
  parts[#parts + 1] = tide.request("b" .. i) {
    GET = b .. "/part/" .. i, extract = "items", timeout = "150ms", deadline = "300ms", otherwise = {}, retry = 3,
  }
end
local all = tide.merge "all" (parts)

-- Not repeated unless the server was not reached.
local post = tide.request "post" { POST = a .. "/orders", json = { n = 1 }, timeout = "150ms", otherwise = false }
local keyed = tide.request "keyed" {
  POST = b .. "/orders", json = { n = 2 }, idempotency_key = true, retry = { times = 4, wait = "2ms" }, timeout = "150ms",
}
local refused = tide.request "refused" { GET = nobody .. "/", retry = { times = 1, wait = "1ms" } }
local spare = tide.request "spare" { GET = a .. "/spare", extract = "items", timeout = "150ms" }
local found = tide.fallback "found" { refused, spare, {} }

tide.request "cleanup" { DELETE = a .. "/cleanup", always = true, timeout = "150ms", retry = { times = 1, wait = "1ms" } }
return { page = tide.sort "page" { all, by = "-createTime", limit = 10 }, found = found, keyed = tide.ok(keyed), post = post }
