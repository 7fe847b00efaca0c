/// The library `tidegate.test`, in Lua: blocks and tests, as busted has them, and assertions, as luassert has them.
enum TestLibrary {
  /// As `require` knows it.
  static let name = "tidegate.test"

  /// What a test file finds without asking.
  static let globals = [
    "describe", "context", "it", "pending", "setup", "teardown", "before_each", "after_each", "assert",
  ]

  /// Gets the functions of Swift as its one argument; returns the module and the hooks by which tests are run.
  static let text = blocks + assertions + ending

  private static let blocks = #"""
    local native = ...
    local type, pcall, select, setmetatable, plain_assert = type, pcall, select, setmetatable, assert
    local insert = table.insert
    local numbers, tests, runs = 0, {}, {}
    local is_declaring = true

    local function new_block(outer, name)
      numbers = numbers + 1
      return { outer = outer, name = name, number = numbers, state = "closed",
               setup = {}, teardown = {}, before_each = {}, after_each = {} }
    end

    local root = new_block(nil, "")
    local block = root

    local function declares(what)
      if not is_declaring then native.fail(what .. " stands outside of tests, and is not called while one runs") end
    end

    local function named(what, name, body, may_lack)
      if type(name) ~= "string" then native.fail(what .. " takes a name, which is a text, and has " .. native.noun(name)) end
      if type(body) ~= "function" and not (may_lack and body == nil) then
        native.fail(what .. " \"" .. name .. "\" takes a function, and has " .. native.noun(body))
      end
    end

    local function describe(name, body)
      declares "describe"
      named("describe", name, body)
      block = new_block(block, name)
      body()
      block = block.outer
    end

    local function add(name, body)
      numbers = numbers + 1
      local names, places, outer = { name }, { numbers }, block
      while outer.outer do
        insert(names, 1, outer.name)
        insert(places, 1, outer.number)
        outer = outer.outer
      end
      tests[#tests + 1] = { block = block, body = body }
      native.add(names, places, body == nil)
    end

    local function it(name, body)
      declares "it"
      named("it", name, body, true)
      add(name, body)
    end

    local function pending(name, body)
      if not is_declaring then native.pend(name) end
      named("pending", name, body, true)
      add(name, nil)
    end

    local function around(list)
      return function(body)
        declares(list)
        if type(body) ~= "function" then native.fail(list .. " takes a function, and has " .. native.noun(body)) end
        insert(block[list], body)
      end
    end

    local function blocks_of(index)
      local found, inner = {}, tests[index].block
      while inner do
        insert(found, 1, inner)
        inner = inner.outer
      end
      return found
    end

    local function all(list)
      for _, body in ipairs(list) do body() end
    end

    local opened = {}
    local hooks = {}

    function hooks.before(index)
      runs = {}
      local line = blocks_of(index)
      for _, inner in ipairs(line) do
        if inner.state == "broken" then native.fail("the setup of \"" .. inner.name .. "\" has failed before") end
        if inner.state == "closed" then
          inner.state = "broken"
          insert(opened, inner)
          all(inner.setup)
          inner.state = "open"
        end
      end
      for _, inner in ipairs(line) do all(inner.before_each) end
    end

    function hooks.body(index) tests[index].body() end

    function hooks.after(index)
      local line = blocks_of(index)
      for place = #line, 1, -1 do all(line[place].after_each) end
    end

    function hooks.leave(index)
      local stays = {}
      if index > 0 then
        for _, inner in ipairs(blocks_of(index)) do stays[inner.number] = true end
      end
      for place = #opened, 1, -1 do
        local inner = opened[place]
        if not stays[inner.number] then
          table.remove(opened, place)
          local was = inner.state
          inner.state = "closed"
          if was == "open" then all(inner.teardown) end
        end
      end
    end

    function hooks.close_declaring() is_declaring = false end

    """#

  private static let assertions = #"""
    local checks = {}

    local function check(names, count, test)
      for _, name in ipairs(names) do checks[name] = { count = count, test = test } end
    end

    local function both(expected, actual)
      return "expected: " .. expected .. "\nactual:   " .. actual
    end

    check({ "same" }, 2, function(expected, actual)
      local difference = native.difference(expected, actual)
      return difference == nil, difference, "expected anything but " .. native.show(expected)
    end)

    check({ "equal", "equals" }, 2, function(expected, actual)
      local message = both(native.show(expected), native.show(actual))
      if type(expected) == "table" and type(actual) == "table" then
        message = message .. "\nthese are two tables: assert.same compares what tables hold"
      elseif type(expected) ~= type(actual) then
        message = both(native.show(expected) .. ", " .. native.noun(expected), native.show(actual) .. ", " .. native.noun(actual))
      end
      return expected == actual, message, "expected anything but " .. native.show(expected)
    end)

    check({ "near" }, 3, function(expected, actual, tolerance)
      local is_near = type(actual) == "number" and actual >= expected - tolerance and actual <= expected + tolerance
      return is_near, both(native.show(expected) .. ", or " .. native.show(tolerance) .. " beside it", native.show(actual)),
        "expected more than " .. native.show(tolerance) .. " away from " .. native.show(expected)
    end)

    local function single(names, shown, test)
      check(names, 1, function(value)
        return test(value), both(shown, native.show(value)), "expected anything but " .. shown .. ", and it is "
          .. native.show(value)
      end)
    end

    single({ "true" }, "true", function(value) return value == true end)
    single({ "false" }, "false", function(value) return value == false end)
    single({ "nil" }, "nil", function(value) return value == nil end)
    single({ "null" }, "tide.null", function(value) return value == native.null end)
    single({ "truthy" }, "neither false nor nil", function(value) return not not value end)
    single({ "falsy" }, "false or nil", function(value) return not value end)
    for _, kind in ipairs { "string", "number", "boolean", "table", "function" } do
      single({ kind }, "a " .. kind, function(value) return type(value) == kind end)
    end

    check({ "matches", "match" }, 2, function(pattern, text)
      local is_match = type(text) == "string" and text:find(pattern) ~= nil
      return is_match, both("a text that matches " .. native.show(pattern), native.show(text)),
        "expected no match of " .. native.show(pattern) .. " in " .. native.show(text)
    end)

    check({ "error", "errors" }, 1, function(body, expected)
      if type(body) ~= "function" then native.fail("assert.error takes a function, and has " .. native.noun(body)) end
      local is_ok, err = pcall(body)
      if is_ok then return false, "expected an error, and there was none" end
      if type(err) == "string" then err = err:gsub("^[^\n]-:%d+: ", "", 1) end
      local unwanted = "expected no error, and there was one: " .. native.show(err)
      if expected == nil then return true, nil, unwanted end
      local difference = native.difference(expected, err)
      return difference == nil, "another error than expected\n" .. (difference or ""), unwanted
    end)

    check({ "survives" }, 2, function(run, nodes)
      local number = type(run) == "table" and runs[run]
      if not number then native.fail("assert.survives takes what test.run has given in this test") end
      local complaint = native.survives(number, nodes)
      return complaint == nil, complaint, "expected that it is not survived"
    end)

    check({ "snapshot" }, 2, function(value, name)
      local complaint = native.snapshot(value, name)
      return complaint == nil, complaint, "expected another value than the snapshot's"
    end)

    local words = { is = true, are = true, was = true, were = true, has = true, have = true, does = true, be = true,
                    a = true, an = true }
    local negations = { ["not"] = true, no = true }

    local function try(path, entry, is_negated, ...)
      local count = select("#", ...)
      if count < entry.count then
        native.fail("assert." .. path .. " takes " .. entry.count .. (entry.count == 1 and " value" or " values")
          .. ", and has " .. count)
      end
      local is_ok, message, unwanted = entry.test(...)
      if is_negated then is_ok, message = not is_ok, unwanted end
      if is_ok then return ... end
      local remark = select(entry.count + 1, ...)
      if type(remark) == "string" and remark ~= "" and entry ~= checks.error then message = remark .. "\n" .. message end
      native.fail(message)
    end

    local function chain(path, is_negated)
      return setmetatable({}, {
        __index = function(_, key)
          if type(key) ~= "string" then native.fail("assert has names only") end
          local whole = path == "" and key or path .. "." .. key
          local negated, rest = is_negated, key:lower()
          if not checks[rest] then
            while rest ~= "" do
              local word, behind = rest:match("^([^_]+)_?(.*)$")
              if negations[word] then negated = not negated
              elseif not words[word] then break end
              rest = behind
            end
          end
          if rest == "" then return chain(whole, negated) end
          local entry = checks[rest]
          if not entry then native.unknown(whole, rest, checks) end
          return function(...) return try(whole, entry, negated, ...) end
        end,
        __call = function(_, ...)
          if path ~= "" then native.fail("assert." .. path .. " is no assertion by itself") end
          if select("#", ...) == 0 then native.fail("assert takes a value") end
          local value, message = ...
          if value then return ... end
          native.fail(message == nil and "assertion failed!" or native.text(message))
        end,
      })
    end

    """#

  private static let ending = #"""
    local module = {
      describe = describe, context = describe, it = it, pending = pending,
      setup = around "setup", teardown = around "teardown",
      before_each = around "before_each", after_each = around "after_each", assert = chain("", false),
    }

    function module.run(script, options)
      if is_declaring then native.fail("test.run runs a workflow, and stands inside of a test: it(\"...\", function() ... end)") end
      local run, number = native.run(script, options)
      runs[run] = number
      return run
    end

    return module, hooks
    """#
}
