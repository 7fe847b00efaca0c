-- The first of a million events of each of 290,000 sessions.
local tide = require "tidegate"

return tide.distinct "sessions" { tide.file "events" { path = "events.json" }, by = "session" }
