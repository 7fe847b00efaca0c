import TideGraph

extension Request {
  /// Whether an answer of this status asks to look elsewhere (RFC 9110 section 15.4).
  static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

  /// The request that follows a redirect to `url`, which is absolute. Another origin gets no credentials.
  func redirected(to url: String, status: Int) -> Request {
    var next = self
    next.url = url
    let becomesGet =
      status == 303 ? method != "HEAD" && method != "GET" : (301...302).contains(status) && method == "POST"
    if becomesGet {
      next.method = "GET"
      next.body = nil
      next.form = nil
      next.drop([
        "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location", "Expect",
      ])
    }
    if Origin(url) != Origin(self.url) {
      next.drop(["Authorization", "Proxy-Authorization", "Cookie", "Host"])
    }
    return next
  }

  private mutating func drop(_ names: [String]) {
    headers.removeAll { header in names.contains { $0.equalsIgnoringCase(header.name) } }
  }
}
