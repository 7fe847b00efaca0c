-- Follow, the second way: `after`. B starts when A has ended, whether A succeeded or failed.
--
--   tidegate run examples/follow/after.lua --fixtures examples/follow/fixtures.json
--
-- This is `addDependency` on an operation: it waits for the end, and does not ask how it ended.

local tide = require "tidegate"

local api = tide.input "api" { default = "https://api.example.com" }

local upload = tide.request "upload" { POST = api .. "/upload", body = "low water 06:12" }
local publish = tide.request "publish" { POST = api .. "/publish", after = { upload } }

return { upload.state, publish.state }
