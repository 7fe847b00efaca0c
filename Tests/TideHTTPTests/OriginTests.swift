import Testing

@testable import TideHTTP

struct OriginTests {
  @Test(arguments: [
    ("http://example.com", "example.com:80"), ("https://example.com/", "example.com:443"),
    ("HTTPS://Example.COM:8443/a?b#c", "example.com:8443"), ("http://u:p@host:81/x", "host:81"),
    ("http://u@v@host/", "host:80"), ("http://[::1]:8080/", "[::1]:8080"), ("http://[::1]", "[::1]:80"),
    ("http://host?x=@other", "host:80"), ("http://host#@other", "host:80"), ("http://host:/", "host:80"),
  ])
  func `a URL's place is its host and port`(url: String, place: String) {
    #expect(Origin(url)?.description == place)
  }

  @Test(arguments: [
    "", "http:", "http://", "http:///x", "https://:80", "ftp://host", "host", "http//host", "http://u@/",
  ])
  func `what names no host has no origin`(url: String) {
    #expect(Origin(url) == nil)
  }

  @Test func `origins are the same where scheme, host and port are`() {
    #expect(Origin("http://host") == Origin("http://HOST:80/a"))
    #expect(Origin("http://host") != Origin("https://host"))
    #expect(Origin("http://host") != Origin("http://host:81"))
    #expect(Origin("http://host") != Origin("http://host.example"))
    #expect(Origin("https://host") == Origin("https://user@host:443"))
  }
}
