import Testing
import TideGraph
import TideValue

@testable import TideScript

@Suite struct LibraryTests {
  @Test(arguments: [
    ("tide.md5('')", "d41d8cd98f00b204e9800998ecf8427e"), ("tide.md5('abc')", "900150983cd24fb0d6963f7d28e17f72"),
    ("tide.md5(12)", "c20ad4d76fe97759aa27a0c99bff6710"), ("tide.md5('\\xff\\0')", "5b1bd2f0ee9f9e0f2ae3a0b2a0d0f1a1"),
    ("tide.sha256('abc')", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "tide.hmac('key', 'The quick brown fox jumps over the lazy dog')",
      "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"
    ),
    ("tide.hmac('key', 'The quick brown fox jumps over the lazy dog', 'md5')", "80070713463e7749b90c2dc24911e275"),
    ("tide.hmac('', '')", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ("tide.base64('')", ""), ("tide.base64('f')", "Zg=="), ("tide.base64('fo')", "Zm8="),
    ("tide.base64('foobar')", "Zm9vYmFy"),
    ("tide.base64('\\xff\\xfe')", "//4="), ("tide.base64.decode('Zm9vYmE=')", "fooba"),
    ("tide.base64.decode('Zm9vYg')", "foob"),
    ("tide.base64.decode('')", ""), ("#tide.base64.decode('__4=')", "2"), ("tide.url('a b/ü?~')", "a%20b%2F%C3%BC%3F~"),
    ("tide.json({ b = 1, a = { 1.5, 'x', tide.null, true } })", #"{"a":[1.5,"x",null,true],"b":1}"#),
    ("tide.json('x')", "\"x\""),
    ("tide.json(nil)", "null"), ("tide.json({})", "[]"), ("tide.json(tide.object {})", "{}"),
    ("tide.json(tide.json.decode('{\"a\":[],\"b\":{}}'))", #"{"a":[],"b":{}}"#), ("tide.json.decode(' 5 ')", "5"),
    ("tide.format('%d-%s-%5.1f', 5, 'x', 2.25)", "5-x-  2.2"), ("tide.format('%q', 'a')", "\"a\""),
    ("tide.format('100%%')", "100%"),
    ("tide.get({ a = { b = 1 } }, 'a.b')", "1"), ("tide.get({ a = { b = 1 } }, 'a.c', 2)", "2"),
    ("tide.get({}, 'a.b.c')", "nil"),
    ("tide.get({ a = 5 }, 'a.b', 'd')", "d"), ("tide.get(nil, 'a', 'd')", "d"), ("tide.get(tide.null, 'a', 'd')", "d"),
    ("tide.get({ a = tide.null }, 'a', 'd')", "null"), ("tide.get({ a = { 1, 2 } }, '$.a[1]')", "2"),
    ("tide.get({ a = false }, 'a', 1)", "false"),
    ("tide.get({ a = {} }, '$.a[1]', 'd')", "d"),
  ])
  func `a function gives its value`(lua: String, expected: String) throws {
    let lines = Lines()
    _ = try load("print(\(lua)) return tide.input 'x'", lines: lines)
    if lua.contains("xff\\0") {
      #expect(lines.all.first?.utf8.count == 32)
    } else {
      #expect(lines.all == [expected])
    }
  }

  @Test(arguments: [
    ("tide.md5()", "tide.md5 takes a text, and has nil"), ("tide.md5({})", "tide.md5 takes a text, and has a table"),
    ("tide.md5(tide.null)", "tide.md5 takes a text, and has tide.null"),
    ("tide.hmac('k')", "tide.hmac takes a text, and has nil"),
    ("tide.hmac('k', 'x', 'nosuch')", "there is no digest 'nosuch' | for example: md5, sha1, sha256, sha384, sha512"),
    ("tide.url('\\xff')", "tide.url takes a text, and has bytes that are not UTF-8"),
    ("tide.json(print)", "tide.json: the value is a function, which is no value"),
    ("tide.json({ a = { 0/0 } })", "tide.json: 'a[1]' is NaN, which no JSON number is"),
    ("tide.json.decode('[1,')", "tide.json.decode: line 1, column 4: "),
    ("tide.json.decode({})", "tide.json.decode takes a text, and has a table"),
    ("tide.base64.decode('a')", "tide.base64.decode: not base64"),
    ("tide.base64.decode('Zg=')", "tide.base64.decode: not base64"),
    ("tide.base64.decode('Zh==')", "tide.base64.decode: not base64"),
    ("tide.base64.decode('Z===')", "tide.base64.decode: not base64"),
    ("tide.get({}, 5)", "tide.get takes a path, which is a text, and has a number"),
    ("tide.get({}, 'a..b')", "path 'a..b', column 3:"),
    ("tide.array(5)", "tide.array takes a table, and has a number"),
    ("tide.object(setmetatable({}, {}))", "tide.object takes a table without a metatable"),
    ("tide.now()", "there is no clock while the script declares | ask for the time in a step"),
    ("tide.format('%d', 'x')", "bad argument #2 to 'format' (number expected, got string)"),
  ])
  func `a function refuses what it can't take`(lua: String, expected: String) {
    let found = complaints("\nlocal x = \(lua)")
    #expect(found.count == 1)
    #expect(found.first?.contains(" test.lua:2") == true)
    #expect(found.first?.contains(": \(expected)") == true, "\(found)")
  }
}

@Suite struct StringTests {
  private func value(_ lua: String) throws -> String {
    let lines = Lines()
    _ = try load("print(\(lua)) return tide.input 'x'", lines: lines)
    return try #require(lines.all.last)
  }

  @Test(arguments: [
    ("('hello world'):find('wor')", "7\t9"), ("('hello'):find('l', 1, true)", "3\t3"),
    ("('a.b'):find('.', 2, true)", "2\t2"),
    ("('hello'):find('xyz')", "nil"), ("('hello'):find('')", "1\t0"), ("('hello'):find('', 10)", "nil"),
    ("('hello'):find('l', -2)", "4\t4"),
    ("('hello'):find('(l)(l)')", "3\t4\tl\tl"), ("('hello'):find('()ll()')", "3\t4\t3\t5"),
    ("('abc'):find('b', -10)", "2\t2"),
    ("('key = value'):match('^(%w+)%s*=%s*(%w+)$')", "key\tvalue"),
    ("('2024-01-02'):match('(%d+)-(%d+)-(%d+)')", "2024\t01\t02"),
    ("('[[x]]'):match('%[(%b[])%]')", "[x]"), ("('THE (quick) fox'):find('%((%a+)%)')", "5\t11\tquick"),
    ("('hello'):match('.-l')", "hel"), ("('hello'):match('.*l')", "hell"), ("('hello'):match('l?o')", "lo"),
    ("('aXb'):match('%u')", "X"),
    ("('abab'):match('(ab)%1')", "ab"), ("('THE END'):gsub('%f[%a]%a+', string.lower)", "the end\t2"),
    ("('x'):match('[^x]')", "nil"),
    ("('a-b]c'):match('[%]%-]+')", "-"), ("('a]c'):match('[]]')", "]"), ("('ü'):match('[\\xc0-\\xff].')", "ü"),
    ("('a\\0b'):find('\\0')", "2\t2"),
    ("('a\\0b'):match('%z')", nil), ("('abc'):gsub('', '-')", "-a-b-c-\t4"),
    ("('hello world'):gsub('o', '0', 1)", "hell0 world\t1"),
    ("('abc'):gsub('%w', '%0%0')", "aabbcc\t3"), ("('a b'):gsub('(%w) (%w)', '%2 %1')", "b a\t1"),
    ("('$x'):gsub('%$(%w)', { x = 'y' })", "y\t1"),
    ("('abc'):gsub('b', { b = false })", "abc\t1"), ("('abc'):gsub('b', function() end)", "abc\t1"),
    ("('abc'):gsub('^a', 'x')", "xbc\t1"),
    ("('aaa'):gsub('a*', 'x')", "x\t1"), ("('50%'):gsub('%%', '%%%%')", "50%%\t1"),
    ("('abc'):gsub('.', { a = 1, b = 2.5 })", "12.5c\t3"),
    ("('abc'):gsub('()', '%1')", "1a2b3c4\t4"), ("('x'):rep(3, ',')", "x,x,x"), ("('x'):rep(0)", ""),
    ("('ab'):rep(5)", "ababababab"),
    ("(''):rep(1000000000)", ""), ("('x'):rep(-1)", ""),
    ("string.format('%5s|%-5s|%05d', 'a', 'b', 42)", "    a|b    |00042"),
    ("string.format('%s %s', nil, true)", "nil true"), ("string.format('%q', '\\n')", "\"\\\n\""),
    ("('%d'):format(3.0)", "3"),
    ("('a,b,c'):gsub(',', ';')", "a;b;c\t2"), ("table.concat({ 1, 2, 3 }, '-', 2)", "2-3"), ("table.concat({})", ""),
    ("table.unpack({ 1, 2, 3 }, 2)", "2\t3"), ("#table.pack(1, nil, 3)", "3"), ("table.remove({ 1, 2, 3 })", "3"),
    ("table.remove({ 1, 2, 3 }, 1)", "1"), ("table.remove({})", "nil"), ("table.remove({}, 0)", "nil"),
    ("table.move({ 1, 2, 3 }, 1, 3, 2)", "[1,1,2,3]"), ("table.move({ 1, 2, 3 }, 2, 3, 1)", "[2,3,3]"),
    ("table.move({ 1 }, 1, 1, 3, { 8, 9 })", "[8,9,1]"),
  ])
  func `strings and tables work as in Lua`(lua: String, expected: String?) throws {
    guard let expected else { return }
    #expect(try value(lua) == expected)
  }

  @Test func `gmatch goes over all matches`() throws {
    let lines = Lines()
    _ = try load(
      """
      for k, v in ("a=1, b=2"):gmatch("(%w+)=(%w+)") do print(k, v) end
      for w in ("one two"):gmatch("%a+") do print(w) end
      for p in ("abc"):gmatch("()", 2) do print(p) end
      for w in ("abc"):gmatch("b*") do print("<" .. w .. ">") end
      return tide.input "x"
      """, lines: lines)
    #expect(lines.all == ["a\t1", "b\t2", "one", "two", "2", "3", "4", "<>", "<b>", "<>"])
  }

  @Test(arguments: [
    ("('a'):find('[a')", "malformed pattern (missing ']')"), ("('a'):find('%')", "malformed pattern (ends with '%')"),
    ("('a'):find('(a')", "unfinished capture"), ("('a'):match('a)')", "invalid pattern capture"),
    ("('a'):find('%1')", "invalid capture index %1"),
    ("('a'):find('%b')", "malformed pattern (missing arguments to '%b')"),
    ("('a'):find('%f')", "missing '[' after '%f' in pattern"),
    ("('a'):gsub('a', '%2')", "invalid capture index %2"),
    ("('a'):gsub('a', '%x')", "invalid use of '%' in replacement string"),
    ("('a'):gsub('a', print, 1, 2) + {}", "attempt to add a 'string' with a 'table'"),
    ("('a'):gsub('a', true)", "bad argument #2 to 'gsub' (string/function/table expected, got boolean)"),
    ("('a'):gsub('a', function() return {} end)", "invalid replacement value (a table)"),
    ("('a'):rep(1 << 62)", "resulting string too large"),
    ("(('('):rep(40)):find((('('):rep(40)))", "too many captures"),
    ("('a'):rep(300000):find(('a?'):rep(300000))", "pattern too complex"),
    ("table.insert({}, 5, 1)", "bad argument #2 to 'insert' (position out of bounds)"),
    ("table.insert({})", "wrong number of arguments to 'insert'"),
    ("table.remove({ 1 }, 5)", "bad argument #2 to 'remove' (position out of bounds)"),
    ("table.insert(1, 2)", "bad argument #1 to 'insert' (table expected, got number)"),
    ("table.concat({ 1, {} })", "invalid value (table) at index 2 in table for 'concat'"),
    ("table.sort({ 1, 'x' })", "attempt to compare string with number"),
    ("table.sort({}, 5)", "bad argument #2 to 'sort' (function expected, got number)"),
    ("table.move({}, 1, math.maxinteger, 2)", "bad argument #4 to 'move' (destination wrap around)"),
    ("table.move({}, -1, math.maxinteger, 2)", "bad argument #3 to 'move' (too many elements to move)"),
  ])
  func `a mistake is told as in Lua`(lua: String, expected: String) {
    let found = complaints("\nlocal x = \(lua)")
    #expect(found.count == 1)
    #expect(found.first?.contains(": \(expected)") == true, "\(found)")
  }

  @Test func `sort is stable, and an order that contradicts itself does no harm`() throws {
    let lines = Lines()
    _ = try load(
      """
      local t = {}
      for i = 1, 1000 do t[i] = { key = i * 7919 % 10, place = i } end
      table.sort(t, function(a, b) return a.key < b.key end)
      local ok = true
      for i = 2, #t do
        ok = ok and (t[i - 1].key < t[i].key or t[i - 1].key == t[i].key and t[i - 1].place < t[i].place)
      end
      local chaos = { 3, 1, 2, 5, 4 }
      table.sort(chaos, function() return true end)
      local words = { "b", "a", "", "é", "B" }
      table.sort(words)
      print(ok, #chaos, table.concat(words, ","))
      return tide.input "x"
      """, lines: lines)
    #expect(lines.all == ["true\t5\t,B,a,b,é"])
  }
}
