import Testing
import TideGraph

@testable import TideFixtures

struct AddressTests {
  @Test(arguments: [
    ("http://EXAMPLE.com", "http://example.com/"),
    ("HTTP://example.com:80/a", "http://example.com/a"),
    ("https://example.com:443/a", "https://example.com/a"),
    ("https://example.com:80/a", "https://example.com:80/a"),
    ("http://example.com:/a", "http://example.com/a"),
    ("http://user:pass@example.com/a", "http://example.com/a"),
    ("http://[::1]:8080/a", "http://[::1]:8080/a"),
    ("http://x/a/./b/../c", "http://x/a/c"),
    ("http://x/../a/..", "http://x/"),
    ("http://x/a/.", "http://x/a/"),
    ("http://x/a//b/", "http://x/a//b/"),
    ("http://x/%7Ea%2fb%2D", "http://x/~a%2Fb-"),
    ("http://x/é b%", "http://x/%C3%A9%20b%"),
    ("http://x/a?b=c#d", "http://x/a"),
    ("http://x?b=/", "http://x/"),
    ("/a/../b?c", "/b"),
    ("//x/a", "//x/a"),
  ])
  func `an address is normalised`(url: String, expected: String) {
    #expect(Address(url)?.description == expected)
  }

  @Test(arguments: ["", "x", "x/y", "http://", "http:///a", "http://user@/a", "://x/a", "?a=b", "#"])
  func `what names no place is no address`(url: String) {
    #expect(Address(url) == nil)
  }

  @Test func `a query is decoded pair by pair`() {
    let address = Address("http://x/a?b=1&&c&=d&e=f%26g+h%2&b=2=3#x=y")
    #expect(
      address?.query == [
        NamedText("b", "1"), NamedText("c", ""), NamedText("", "d"), NamedText("e", "f&g h%2"), NamedText("b", "2=3"),
      ])
    #expect(address?.hasQuery == true)
    #expect(Address("http://x/a?")?.query == [])
    #expect(Address("http://x/a?")?.hasQuery == true)
    #expect(Address("http://x/a")?.hasQuery == false)
  }

  @Test func `the host is told without its scheme`() {
    #expect(Address("http://u@Example.com:8080/a?b")?.host == "example.com:8080")
    #expect(Address("/a")?.host == "/a")
  }
}
