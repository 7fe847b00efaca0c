-- Follow, the third way: `needs`. B starts when A has succeeded; if A fails, B never runs and says who is to blame.
--
--   tidegate run examples/follow/needs.lua --fixtures examples/follow/fixtures.json
--
-- Using A's value in B means the same. `needs` is for when B takes nothing from A but its success.

local tide = require "tidegate"

local api = tide.input "api" { default = "https://api.example.com" }

local upload = tide.request "upload" { POST = api .. "/upload", body = "low water 06:12" }
local publish = tide.request "publish" { POST = api .. "/publish", needs = { upload } }

return { upload.state, publish.state }
