/// Scripts and fixtures that several tests run.
enum Scripts {
  /// Two lists, joined as far as they are there, and sorted.
  static let gather = """
    local tide = require "tidegate"
    local detail = tide.request "detail" { GET = "http://a.test/detail" }
    local reward = tide.request "reward" { GET = "http://a.test/reward" }
    local shares = tide.merge "shares" { detail, reward, wait = "settled" }
    return tide.sort "page" { shares, by = "at" }

    """

  /// The least that can be run: its result is 1.
  static let one = """
    local tide = require "tidegate"
    return tide.input "one" { default = 1 }

    """

  static let bothAnswer = """
    [ { "request": { "url": "/detail" }, "response": { "json": [{"id":"d","at":2}] } },
      { "request": { "url": "/reward" }, "response": { "json": [{"id":"r","at":1.10}], "delay": "10ms" } } ]
    """

  static let oneIsDown = """
    [ { "request": { "url": "/detail" }, "response": { "json": [{"id":"d","at":2}] } },
      { "request": { "url": "/reward" }, "response": { "status": 502, "text": "bad gateway" } } ]
    """

  /// Says on stderr that it is at work, and then waits for an answer that never comes.
  static let waits = """
    local tide = require "tidegate"
    local mark = tide.step "mark" { run = function() tide.log("at work") return 1 end }
    return tide.request "slow" { GET = "http://a.test/slow", needs = { mark } }

    """

  static let neverAnswers = """
    [ { "request": { "url": "/slow" }, "failure": "never" } ]
    """
}
