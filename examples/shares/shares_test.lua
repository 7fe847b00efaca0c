-- The tests of shares.lua.
--
--   tidegate test examples/shares --faults --orders

local test = require "tidegate.test"

local inputs = { uid = "7", session_id = "s1" }

local function ids(list)
  local found = {}
  for place, item in ipairs(list) do found[place] = item.id end
  return found
end

describe("the page of shares", function()
  it("holds both lists, the oldest first", function()
    local run = test.run("shares.lua", { inputs = inputs, fixtures = "fixtures.json" })
    assert.equal("ok", run.status)
    assert.same({ "d2", "r2", "d1", "r1", "d3" }, ids(run.result))
    assert.same({}, run.unused)
  end)

  it("asks for both at once", function()
    local run = test.run("shares.lua", { inputs = inputs, fixtures = "fixtures.json" })
    assert.equal(2, #run.requests)
    assert.equal(0.02, run.elapsed) -- the slower of the two, in virtual time; not their sum
  end)

  it("still shows one list when the other can't be had", function()
    local run = test.run("shares.lua", { inputs = inputs, fixtures = "fixtures.json" })
    assert.survives(run, { "detail", "reward" })
  end)

  it("says which list is missing, and why", function()
    local run = test.run("shares.lua", {
      inputs = inputs,
      fixtures = {
        { request = { method = "POST", url = "/relation/detail" }, response = { json = { code = "401", message = "log in first" } } },
        { request = { method = "POST", url = "/relation/reward" }, response = { json = { code = "200", data = { relation = { { id = "r1", createTime = 1 } } } } } },
      },
      override = { token = "t" }, -- no token is computed: the detail request is sent with this one
    })
    assert.equal("partial", run.status)
    assert.same({ "detail" }, run.missing)
    assert.matches("log in first", run.nodes.detail.error.message)
    assert.same({ "r1" }, ids(run.result))
  end)
end)
