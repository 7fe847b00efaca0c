import Testing

@testable import TideGraph

@Suite struct HandleUseCheckTests {
  private func misuses(_ text: String) -> [String] {
    var sources = Sources()
    _ = sources.add(name: "s.lua", text: text)
    return handleMisuses(in: sources).map { diagnostic in
      let place = diagnostic.location
      return "\(place?.line ?? 0):\(place?.columns?.lowerBound ?? 0) \(diagnostic.message.prefix { $0 != "," })"
    }
  }

  private let declared = "local tide = require 'tidegate'\nlocal h = tide.request \"h\" { GET = u }\n"

  @Test(arguments: [
    ("if h then end", "3:4 the handle 'h' is used in 'if'"),
    ("local x = not h", "3:15 the handle 'h' is used in 'not'"),
    ("local x = h or 1", "3:11 the handle 'h' is used in 'or'"),
    ("local x = h and 1", "3:11 the handle 'h' is used in 'and'"),
    ("local x = h == nil", "3:11 the handle 'h' is compared with '=='"),
    ("local x = 1 ~= h", "3:16 the handle 'h' is compared with '~='"),
    ("if h.user.ok then end", "3:4 the handle 'h' is used in 'if'"),
    ("while h do end", "3:7 the handle 'h' is used in 'while'"),
    ("local f = function() if h then end end", "3:25 the handle 'h' is used in 'if'"),
  ])
  func `a handle that is used as a value is found at its place`(code: String, expected: String) {
    #expect(misuses(declared + code) == [expected])
  }

  @Test(arguments: [
    "local s = tide.step 's' { h, run = function(h) if h then return h == 1 end end }",
    "local x = known and h or other",
    "-- if h then\nlocal t = 'if h then' local l = [[ not h ]]",
    "local t = { h = 1, x.h == 2 }",
    "do local h = 1 if h then end end",
    "for h = 1, 3 do if h == 2 then end end",
    "local u = h .. '/x' return tide.sort 'p' { h, by = 'a' }",
  ])
  func `what is no misuse is left alone`(code: String) {
    #expect(misuses(declared + code) == [])
  }

  @Test func `several locals of one line are told apart`() {
    let text = "local a, n, b = tide.input 'a', 5, tide.input 'b'\nif n then end\nif b then end\nif a then end"
    #expect(misuses(text) == ["3:4 the handle 'b' is used in 'if'", "4:4 the handle 'a' is used in 'if'"])
  }
}
