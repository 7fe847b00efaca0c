import Testing
import TideGraph

struct HeaderBlockTests {
  private func block(_ text: String) -> HeaderBlock { HeaderBlock(raw: Array(text.utf8)) }

  @Test func `the status line and the empty line are no headers`() {
    let block = block("HTTP/1.1 200 OK: fine\r\nA: 1\r\nb:2\r\n\r\n")
    #expect(block.list == [NamedText("A", "1"), NamedText("b", "2")])
  }

  @Test func `repeats keep their order, and the first is found whatever its case`() {
    let block = block("Set-Cookie: a\r\nX: 1\r\nset-cookie: b\r\n")
    #expect(block.list.map(\.value) == ["a", "1", "b"])
    #expect(block.first(named: "SET-COOKIE") == "a")
    #expect(block.first(named: "Set-Cooki") == nil)
    #expect(block.first(named: "Set-Cookie:") == nil)
    #expect(block.first(named: "") == nil)
  }

  @Test func `a value is trimmed, and may be empty or hold colons`() {
    let block = block("A:  x y \t\r\nB:\r\nC: \r\nD: http://h:1\r\n")
    #expect(block.list.map(\.value) == ["x y", "", "", "http://h:1"])
    #expect(block.first(named: "b") == "")
    #expect(block.first(named: "D") == "http://h:1")
  }

  @Test func `folded lines are joined by a space`() {
    let block = block("A: one\r\n two\r\n\t three \r\nB:\r\n four\r\nC: five\r\n \r\nD: 6\r\n")
    #expect(
      block.list == [
        NamedText("A", "one two three"), NamedText("B", "four"), NamedText("C", "five"), NamedText("D", "6"),
      ])
    #expect(block.first(named: "a") == "one two three")
    #expect(block.first(named: "b") == "four")
  }

  @Test(arguments: [
    "", "\r\n", "\n\n\n", ":", ": x\r\n", "no colon\r\n", "nocolon", " folded: first\r\n", "a b: c\r\n", "\r",
  ])
  func `what is no header is left out`(text: String) {
    #expect(block(text).list == [])
    #expect(block(text).first(named: "x") == nil)
  }

  @Test func `lines may end with a line feed alone, and the last one with nothing`() {
    #expect(block("A: 1\nB: 2").list == [NamedText("A", "1"), NamedText("B", "2")])
    #expect(block("A: 1\nB: 2").first(named: "B") == "2")
  }

  @Test func `bytes that are not UTF-8 are Latin-1`() {
    let block = HeaderBlock(raw: Array("A: caf".utf8) + [0xE9, 0x0D, 0x0A] + Array("B: caf\u{E9}\r\n".utf8))
    #expect(block.list.map(\.value) == ["caf\u{E9}", "caf\u{E9}"])
  }

  @Test func `a list is given as it is`() {
    let list = [NamedText("A", " 1 "), NamedText("a", "2")]
    #expect(HeaderBlock(list).list == list)
    #expect(HeaderBlock(list).first(named: "a") == " 1 ")
  }
}
