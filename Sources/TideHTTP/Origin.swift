/// Scheme, host and port of a URL (RFC 6454 section 4): what credentials are for.
struct Origin: Equatable {
  let scheme: String
  let host: String
  let port: String

  /// Nil unless the URL is one of http or https that names a host.
  init?(_ url: String) {
    guard let scheme = ["http", "https"].first(where: { url.lowercased().hasPrefix("\($0)://") }) else { return nil }
    let authority = url.utf8.dropFirst(scheme.utf8.count + 3).prefix { $0 != 0x2F && $0 != 0x3F && $0 != 0x23 }
    let place = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[authority.index(after: $0)...] } ?? authority
    // An IPv6 address has colons of its own, inside brackets.
    let bracket = place.lastIndex(of: UInt8(ascii: "]")) ?? place.startIndex
    let colon = place[bracket...].lastIndex(of: UInt8(ascii: ":")) ?? place.endIndex
    let port = place[colon...].dropFirst()
    self.scheme = scheme
    host = String(Substring(place[..<colon])).lowercased()
    self.port = port.isEmpty ? (scheme == "https" ? "443" : "80") : String(Substring(port))
    if host.isEmpty { return nil }
  }
}

extension Origin: CustomStringConvertible {
  /// As people name the place: `host:port`.
  var description: String { "\(host):\(port)" }
}
