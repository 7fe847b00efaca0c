-- The tests of the three ways to follow.
--
--   tidegate test examples/follow --faults --orders

local test = require "tidegate.test"

local function urls(run)
  local found = {}
  for place, request in ipairs(run.requests) do found[place] = request.url:match("[^/]+$") end
  return found
end

--- Exchanges in which the upload fails.
local broken = {
  { request = { method = "POST", url = "/upload" }, failure = "refused" },
  { request = { method = "POST", url = "/publish" }, response = { json = { state = "public" } } },
}

for _, script in ipairs { "queue.lua", "after.lua", "needs.lua" } do
  describe(script, function()
    it("publishes what was uploaded before", function()
      local run = test.run(script, { fixtures = "fixtures.json" })
      assert.equal("ok", run.status)
      assert.same({ "stored", "public" }, run.result)
      assert.same({ "upload", "publish" }, urls(run))
    end)
  end)
end

describe("when the upload fails", function()
  it("after.lua publishes all the same", function()
    local run = test.run("after.lua", { fixtures = broken })
    assert.equal("failed", run.nodes.upload.outcome)
    assert.equal("ok", run.nodes.publish.outcome)
  end)

  it("needs.lua publishes nothing, and says who is to blame", function()
    local run = test.run("needs.lua", { fixtures = broken })
    assert.equal("blocked", run.nodes.publish.outcome)
    assert.equal("upload", run.nodes.publish.blamed)
    assert.same({ "upload" }, urls(run))
  end)
end)
