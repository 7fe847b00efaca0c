import Testing

@testable import TideGraph

struct SpellingTests {
  @Test(arguments: [
    ("reqest", "request"), ("requets", "request"), ("requestt", "request"), ("srot", "sort"), ("sort", "sort"),
    ("mer", nil), ("meg", nil), ("", nil), ("q", nil), ("xyzzy", nil), ("Request", "request"),
  ])
  func `the nearest name is found, if one is near`(word: String, expected: String?) {
    #expect(nearest(to: word, among: ["request", "sort", "merge", "step", "id"]) == expected)
  }

  @Test func `the first of two equally near wins`() {
    #expect(nearest(to: "cat", among: ["car", "bat"]) == "car")
    #expect(nearest(to: "cat", among: ["bat", "car"]) == "bat")
    #expect(didYouMean("cat", among: ["bat"]) == "did you mean 'bat'?")
    #expect(didYouMean("cat", among: [String]()) == nil)
  }

  @Test func `a name that is too long is near to nothing`() {
    let long = String(repeating: "a", count: 1 << 20)
    #expect(nearest(to: long, among: [long + "b", "a"]) == nil)
  }
}
