-- Gather: two lists are asked for at once; when both answers have arrived, the lists are joined and sorted.
--
--   tidegate run examples/shares/shares.lua --fixtures examples/shares/fixtures.json \
--     --input uid=7 --input session_id=s1
--
-- Every `tide.VERB "name" { ... }` declares a node and returns a handle, which stands for a value that is not known
-- yet. Using a handle inside another node's table is what makes that node wait for it: nothing else says who waits.

local tide = require "tidegate"

-- What the run is given: `--input uid=7`. An input without a default must be given.
local api = tide.input "api" { default = "https://api.example.com", doc = "Where the two lists are." }
local uid = tide.input "uid" { doc = "Whose lists." }
local session = tide.input "session_id" { doc = "The session that asks." }

-- A step is plain Lua. It runs when its inputs are known, and gets their values.
local token = tide.step "token" { uid, session, doc = "Signs the request.", run = function(uid, session)
  return tide.md5(uid .. session)
end }

-- Two requests. Neither uses the other, so both are in flight at once (reward does not even wait for the token).
local detail = tide.request "detail" {
  doc     = "What this person shared.",
  POST    = api .. "/relation/detail",
  form    = { uid = uid, session_id = session, token = token },
  expect  = { body = { code = "200" }, message = "message" }, -- any other code fails; `message` says where the reason is
  extract = "data.relation",                                  -- the part of the answer that is the node's value
}
local reward = tide.request "reward" {
  doc     = "What this person was given.",
  POST    = api .. "/relation/reward",
  expect  = { body = { code = "200" }, message = "message" },
  extract = "data.relation",
}

-- Opens when both have ended, either way. If one has failed the other's list is still worth showing, and the run says
-- what is missing.
local shares = tide.merge "shares" { detail, reward, wait = "settled", doc = "Both lists, detail's first." }

-- What the script returns is the result: it is printed when it is there.
return tide.sort "page" { shares, by = "createTime", doc = "The oldest first; equal times stay in their order." }
