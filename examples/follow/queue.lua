-- Follow, the first way: a queue of width 1. Its nodes run one after the other, whatever they have to do with each other.
--
--   tidegate run examples/follow/queue.lua --fixtures examples/follow/fixtures.json
--
-- This is the serial queue with a semaphore, without the semaphore: a node holds its place in the queue until its
-- answer has arrived, not until the call that sent it has returned.

local tide = require "tidegate"

local api = tide.input "api" { default = "https://api.example.com" }
local line = tide.queue "line" { width = 1 }

-- Among the nodes that are ready, the one declared first goes first.
local upload = tide.request "upload" { POST = api .. "/upload", body = "low water 06:12", queue = line }
local publish = tide.request "publish" { POST = api .. "/publish", queue = line }

return { upload.state, publish.state }
