-- The tests of verbs.lua, which reads files and sends nothing.
--
--   tidegate test examples/data --faults --orders

local test = require "tidegate.test"

describe("the data verbs", function()
  it("give what they gave before", function()
    local run = test.run("verbs.lua")
    assert.equal("ok", run.status)
    assert.snapshot(run.result, "result")
    assert.same({}, run.requests)
  end)

  it("join users and orders by id", function()
    local run = test.run("verbs.lua", {
      override = { users = { { id = "1", name = "ann" } }, orders = { { id = "a", user = "1", total = 2 } } },
    })
    assert.same({ { id = "1", name = "ann", user = "1", total = 2 } }, run.nodes.join.value)
  end)
end)
