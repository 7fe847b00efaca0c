import Testing
import TideGraph

@testable import TideReport

struct DiagnosticTextTests {
  private func render(
    _ diagnostic: Diagnostic, text: String, isColoured: Bool = false, width: Int = 100
  ) -> String {
    var sources = Sources()
    _ = sources.add(name: "shares.lua", text: text)
    return DiagnosticText(isColoured: isColoured, width: width).render(diagnostic, sources: sources)
  }

  private func at(_ line: Int, _ columns: Range<Int>? = nil) -> Location {
    Location(file: "shares.lua", line: line, columns: columns)
  }

  @Test func `an error shows place, excerpt, notes and help`() {
    var diagnostic = Diagnostic(
      .stepError, "field 'items' of a nil value", at: at(27, 10..<21), help: "users has no field 'items'")
    diagnostic.context = "in step \"joined\", declared at :24"
    diagnostic.notes = ["waited for: login -> users -> joined (failed) -> page (blocked)"]
    let text = String(repeating: "\n", count: 26) + "  return users.items[1].id\nend\n"
    #expect(
      render(diagnostic, text: text) == """
        error[T0301]: field 'items' of a nil value
          --> shares.lua:27:10  in step "joined", declared at :24
        27 |   return users.items[1].id
           |          ^^^^^^^^^^^
           waited for: login -> users -> joined (failed) -> page (blocked)
           help: users has no field 'items'

        """)
  }

  @Test func `a warning without a place is a line or two`() {
    let diagnostic = Diagnostic(.suspicious, "two things", severity: .warning, help: "do one")
    #expect(render(diagnostic, text: "") == "warning[T0209]: two things\n  help: do one\n")
  }

  @Test func `a line without columns is shown without carets, a line that is not known not at all`() {
    #expect(
      render(Diagnostic(.badValue, "m", at: at(1)), text: "local a\n")
        == "error[T0205]: m\n --> shares.lua:1\n1 | local a\n")
    #expect(render(Diagnostic(.badValue, "m", at: at(9)), text: "local a") == "error[T0205]: m\n --> shares.lua:9\n")
    #expect(
      render(Diagnostic(.badValue, "m", at: at(1, 1..<2)), text: "")
        == "error[T0205]: m\n --> shares.lua:1:1\n1 |\n  | ^\n")
  }

  @Test func `related places are shown too, under one gutter`() {
    let text = "local a = tide.input \"a\"\n" + String(repeating: "\n", count: 10) + "local b = tide.input \"a\"\n"
    let diagnostic = Diagnostic(.duplicateName, "a second node named 'a'", at: at(12, 22..<25), help: "rename it")
      .noting(at(1), "the first 'a'")
    #expect(
      render(diagnostic, text: text) == """
        error[T0201]: a second node named 'a'
          --> shares.lua:12:22
        12 | local b = tide.input "a"
           |                      ^^^
          --> shares.lua:1  the first 'a'
         1 | local a = tide.input "a"
           help: rename it

        """)
  }

  @Test func `several are set apart by a blank line`() {
    let one = Diagnostic(.badValue, "one")
    #expect(
      DiagnosticText().render(Diagnostics([one, Diagnostic(.badValue, "two")], sources: Sources()))
        == "error[T0205]: one\n\nerror[T0205]: two\n")
    #expect(DiagnosticText().render(Diagnostics([], sources: Sources())) == "")
  }

  @Test(arguments: [
    // Tabs stand at every fourth cell.
    ("\tx\ty", 4..<5, "    x   y\n  |         ^"),
    // Wide letters take two cells, joined ones none.
    ("日本 = x", 10..<11, "日本 = x\n  |        ^"),
    ("日本", 1..<4, "日本\n  | ^^"),
    ("e\u{301}x", 4..<5, "e\u{301}x\n  |  ^"),
    ("👍x", 5..<6, "👍x\n  |   ^"),
    // Columns inside a letter mean the letter; those behind the end, the end.
    ("é", 2..<3, "é\n  | ^"),
    ("ab", 3..<4, "ab\n  |   ^"),
    ("ab", 50..<60, "ab\n  |   ^"),
    ("ab", 2..<60, "ab\n  |  ^"),
    // What controls a terminal does not reach it.
    ("a\u{1B}[2Jb\r", 6..<7, "a\u{FFFD}[2Jb\n  |      ^"),
  ])
  func `carets stand under what is meant`(line: String, columns: Range<Int>, expected: String) {
    #expect(
      render(Diagnostic(.badValue, "m", at: at(1, columns)), text: line + "\n")
        == "error[T0205]: m\n --> shares.lua:1:\(columns.lowerBound)\n1 | \(expected)\n")
  }

  @Test func `a long line is cut around the caret`() {
    let line = (0..<40).map { "word\(10 + $0)" }.joined(separator: " ")
    func shown(_ columns: Range<Int>) -> [String] {
      render(Diagnostic(.badValue, "m", at: at(1, columns)), text: line, width: 40)
        .split(separator: "\n").dropFirst(2).map(String.init)
    }
    #expect(shown(1..<7) == ["1 | word10 word11 word12 word13 word14...", "  | ^^^^^^"])
    #expect(
      shown(141..<147) == ["1 | ...d28 word29 word30 word31 word32 wo...", "  |               ^^^^^^"])
    #expect(shown(274..<280) == ["1 | ...d47 word48 word49", "  |               ^^^^^^"])
    #expect(shown(281..<282) == ["1 | ...rd48 word49", "  |               ^"])
  }

  @Test func `a megabyte on one line is no trouble`() {
    let line = String(repeating: "x", count: 1 << 20)
    let text = render(Diagnostic(.badValue, "m", at: at(1, 500_000..<900_000)), text: line)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.allSatisfy { $0.count <= 104 })
    #expect(lines[3].hasSuffix("^^^"))
  }

  @Test func `a message of several lines stays one, and can't move the cursor`() {
    var diagnostic = Diagnostic(.stepError, "first\n\tsecond\u{1B}[31m\u{202E}", at: at(1), help: "a\nb")
    diagnostic.notes = ["n\u{7}"]
    #expect(
      render(diagnostic, text: "x")
        == "error[T0301]: first\n   second\u{FFFD}[31m\u{FFFD}\n --> shares.lua:1\n1 | x\n  n\u{FFFD}\n  help: a b\n")
  }

  @Test func `colours frame the same text`() {
    var diagnostic = Diagnostic(.badValue, "m", at: at(1, 1..<2), help: "h")
    let coloured = render(diagnostic, text: "x", isColoured: true)
    #expect(
      coloured == """
        \u{1B}[1;31merror[T0205]\u{1B}[0m\u{1B}[1m: m\u{1B}[0m
        \u{1B}[1;34m -->\u{1B}[0m shares.lua:1:1
        \u{1B}[1;34m1 |\u{1B}[0m x
        \u{1B}[1;34m  |\u{1B}[0m \u{1B}[1;31m^\u{1B}[0m
          \u{1B}[36mhelp:\u{1B}[0m h

        """)
    diagnostic.severity = .warning
    #expect(render(diagnostic, text: "x", isColoured: true).hasPrefix("\u{1B}[1;33mwarning[T0205]\u{1B}[0m"))
  }
}
