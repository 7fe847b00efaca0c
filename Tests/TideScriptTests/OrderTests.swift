import Testing

@testable import TideScript

@Suite struct OrderTests {
  private func walk(_ table: String, _ how: String = "pairs(t)") throws -> String {
    let lines = Lines()
    _ = try load(
      "local t = \(table) local out = {} for k, v in \(how) do out[#out + 1] = tostring(k) .. '=' .. tostring(v) end "
        + "print(table.concat(out, ' ')) return tide.input 'x'", lines: lines)
    return try #require(lines.all.last)
  }

  @Test(arguments: [
    ("{}", ""), ("{ 'a', 'b' }", "1=a 2=b"), ("{ b = 1, a = 2, B = 3, aa = 4 }", "B=3 a=2 aa=4 b=1"),
    ("{ 'x', b = 1, a = 2 }", "1=x a=2 b=1"),
    (
      "{ [10] = 1, [-1] = 2, [2.5] = 3, a = 4, [true] = 5, [false] = 6 }",
      "-1=2 2.5=3 10=1 a=4 false=6 true=5"
    ),
    ("{ ['é'] = 1, z = 2, [''] = 3 }", "=3 z=2 é=1"), ("{ [tide.null] = 1, a = 2 }", "a=2 null=1"),
    ("{ [print] = 1 }", "function=1"), ("{ [1] = 'a', [3] = 'c' }", "1=a 3=c"),
  ])
  func `pairs and next go in one order`(table: String, expected: String) throws {
    #expect(try walk(table) == expected)
    #expect(try walk(table, "next, t") == expected)
    #expect(try walk(table, "next, t, nil") == expected)
  }

  @Test func `two keys without an order are an error`() {
    let found = complaints("for k in pairs({ [{}] = 1, [{}] = 2 }) do end")
    #expect(
      found == [
        "T0104 test.lua:1: the table can't be walked in a repeatable order: two of its keys are no numbers and no texts"
      ])
  }

  @Test func `handles as keys go in the order of their making`() throws {
    let lines = Lines()
    _ = try load(
      "local t = {} local first for i = 1, 20 do local h = tide.input('i' .. i) t[h] = i end "
        + "local out = {} for h, i in pairs(t) do out[#out + 1] = i end print(out) return tide.input 'x'", lines: lines)
    #expect(lines.all == ["[" + (1...20).map(String.init).joined(separator: ",") + "]"])
  }

  @Test func `a field may be removed or changed while walking`() throws {
    let lines = Lines()
    _ = try load(
      """
      local t = { a = 1, b = 2, c = 3, d = 4 }
      for k, v in pairs(t) do if k == "b" then t.c = nil t.d = 9 end print(k, v) end
      for k, v in next, t do t[k] = nil print(k) end
      print(next(t), next({ x = 1 }, "x"), pcall(next, { x = 1 }, "y"))
      return tide.input 'x'
      """, lines: lines)
    #expect(lines.all == ["a\t1", "b\t2", "d\t9", "a", "b", "d", "nil\tnil\tfalse\tinvalid key to 'next'"])
  }

  @Test func `a large table is walked in linear time`() throws {
    #expect(
      try step(
        """
        function()
          local t, n = {}, 0
          for i = 1, 50000 do t["k" .. i] = i end
          for k, v in next, t do n = n + 1 end
          for k, v in pairs(t) do n = n + 1 end
          return n
        end
        """) == "100000")
  }
}
