import Testing
import TideTest

/// What assertions let pass, and what they say.
@Suite struct AssertionTests {
  @Test(arguments: [
    "assert(1)", "assert.equal(2, 2.0)", "assert.are.equal('a', 'a')", "assert.equals(nil, nil)",
    "assert.is_not.equal(1, '1')", "assert.are_not.same({ 1 }, { 2 })", "assert.not_same({ 1 }, { 2 })",
    "assert.same({ a = { 1, 2 } }, { a = { 1, 2 } })", "assert.same({}, {})", "assert.is_true(true)",
    "assert.is.False(false)", "assert.is_nil(nil)", "assert.is_not_nil(0)", "assert.Not.Nil(0)", "assert.truthy(0)",
    "assert.falsy(nil)", "assert.is_falsy(false)", "assert.is_string('x')", "assert.is_table({})",
    "assert.matches('^a.c$', 'abc')", "assert.no.match('x', 'abc')", "assert.near(1, 1.05, 0.1)",
    "assert.error(function() error('no') end)", "assert.has_error(function() error('no') end, 'no')",
    "assert.has_no.errors(function() end)", "assert.error(function() error({ code = 1 }) end, { code = 1 })",
    "assert.has.errors(function() assert.equal(1, 2) end)", "assert.is_null(require('tidegate').null)",
    "local a, b = assert(1, 'two'); assert.equal('two', b)",
  ])
  func `what holds passes`(_ body: String) throws {
    #expect(try TestFolder("it('x', function() \(body) end)").says() == "passed")
  }

  @Test(arguments: [
    ("assert(false)", "assertion failed!"), ("assert(nil, 'so it is')", "so it is"),
    ("assert.equal(1, 2)", "expected: 1\nactual:   2"),
    ("assert.equal(1, '1')", "expected: 1, a number\nactual:   \"1\", a text"),
    (
      "assert.equal({ 1 }, { 1 })",
      "expected: [1]\nactual:   [1]\nthese are two tables: assert.same compares what tables hold"
    ),
    ("assert.is_not.equal(1, 1)", "expected anything but 1"),
    ("assert.same({ 1, { b = 2 } }, { 1, { b = 3 } })", "at [2].b\nexpected: 2\nactual:   3"),
    ("assert.same({ a = 1 }, { a = 1, b = 2 })", "at b\nexpected: nothing\nactual:   2"),
    ("assert.same({ 1, 2 }, { 1 })", "at [2]\nexpected: 2\nactual:   nothing"),
    ("assert.same({ 1 }, { '1' })", "at [1]\nexpected: 1\nactual:   \"1\""),
    ("assert.is_true(1, 'a remark')", "a remark\nexpected: true\nactual:   1"),
    ("assert.is_nil(require('tidegate').null)", "expected: nil\nactual:   tide.null"),
    ("assert.is_not_nil(nil)", "expected anything but nil, and it is nil"),
    ("assert.matches('b', 'a')", "expected: a text that matches \"b\"\nactual:   \"a\""),
    ("assert.error(function() end)", "expected an error, and there was none"),
    (
      "assert.has_error(function() error('a') end, 'b')",
      "another error than expected\nexpected: \"b\"\nactual:   \"a\""
    ),
    ("assert.has_no.errors(function() error('a') end)", "expected no error, and there was one: \"a\""),
    ("assert.equal(1)", "assert.equal takes 2 values, and has 1"),
    ("assert.is_nil()", "assert.is_nil takes 1 value, and has 0"),
    ("assert.is(1)", "assert.is is no assertion by itself"),
    ("assert.is_treu(1)", "there is no assert.is_treu"),
    ("assert.same({ f = print }, {})", "the expected value: 'f' is a function, which is no value"),
    ("local t = nil; return t.x", "attempt to index a nil value (local 't')"),
    ("return undefind", "undefined variable 'undefind'"),
  ])
  func `what does not hold says what was expected`(_ body: String, _ message: String) throws {
    #expect(try TestFolder("it('x', function() \(body) end)").says() == message)
  }

  @Test func `a failure names the line of the test, not of the library`() throws {
    let result = try TestFolder(
      """
      local function check(v)
        assert.equal(1, v)
      end
      it("x", function()

        check(2)
      end)
      """
    ).run()
    guard case .failed(let failures)? = result["x"]?.outcome else { return #expect(Bool(false), "it passed") }
    #expect(failures.map { $0.location?.line } == [3])
    #expect(result["x"]?.location?.line == 5)
  }

  @Test func `a misspelt assertion is met with the nearest one`() throws {
    let result = try TestFolder(
      "it('x', function() assert.same_(1) end)\nit('y', function() assert.are.smae(1, 1) end)"
    ).run()
    guard case .failed(let failures)? = result["y"]?.outcome else { return #expect(Bool(false), "it passed") }
    #expect(failures.first?.help == "did you mean 'same'?")
  }
}
