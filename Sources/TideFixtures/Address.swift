import TideGraph

/// Where a request goes, in the one form in which two URLs that mean the same are equal (RFC 3986 section 6.2.2 and
/// 6.2.3): scheme and host in lower case, no default port, no user, no dot segments, no fragment, and percent-encoding
/// only where it is needed. The query is taken apart.
struct Address: Sendable, CustomStringConvertible {
  /// `https://api.example.com`; nil for a URL that is written as a path only, which matches any origin.
  let origin: String?
  let path: String
  /// Decoded, in the order of the text.
  let query: [NamedText]
  let hasQuery: Bool
  /// As it came, with its `?`; empty if there is none.
  let queryText: String

  /// Nil if the text is neither a path nor a URL with a scheme and a host.
  ///
  /// - Parameter isPattern: the braces of the path, and `%2A` apart from `*`, keep their meaning for ``Wildcard``.
  init?(_ url: String, isPattern: Bool = false) {
    let bytes = Array(url.utf8.prefix { $0 != UInt8(ascii: "#") })
    let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
    hasQuery = end < bytes.count
    queryText = String(decoding: bytes[end...], as: UTF8.self)
    query = hasQuery ? FormText.pairs(of: bytes[(end + 1)...], isPattern: isPattern) : []
    guard bytes.first != UInt8(ascii: "/") else {
      origin = nil
      path = Address.normalize(path: bytes[..<end], isPattern)
      return
    }
    guard let slashes = Address.schemeEnd(of: bytes[..<end]) else { return nil }
    let pathStart = bytes[slashes..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
    let authority = bytes[slashes..<pathStart].split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    let scheme = String(decoding: bytes[..<slashes], as: UTF8.self).lowercased()
    var host = String(decoding: authority.last ?? [], as: UTF8.self).lowercased()
    let defaultPort = scheme == "http://" ? ":80" : scheme == "https://" ? ":443" : ":"
    for port in [defaultPort, ":"] where host.hasSuffix(port) { host.removeLast(port.utf8.count) }
    guard !host.isEmpty else { return nil }
    origin = scheme + host
    path = Address.normalize(path: bytes[pathStart..<end], isPattern)
  }

  /// Without its query, which may hold what nobody should see.
  var description: String { (origin ?? "") + path }

  /// The host and its port; the path where there is none.
  var host: String {
    guard let origin, let slashes = origin.firstRange(of: "://") else { return path }
    return String(origin[slashes.upperBound...])
  }

  /// One past `://`.
  private static func schemeEnd(of bytes: ArraySlice<UInt8>) -> Int? {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return nil }
    guard bytes[colon...].starts(with: "://".utf8) else { return nil }
    return colon + 3
  }

  private static func normalize(path: ArraySlice<UInt8>, _ isPattern: Bool) -> String {
    let encoded = normalizePercents(path, keepsBraces: isPattern)
    var kept: [ArraySlice<UInt8>] = []
    let segments = encoded.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      let dots = segment.allSatisfy { $0 == UInt8(ascii: ".") } ? segment.count : 0
      if dots == 2 { _ = kept.popLast() }
      if dots == 1 || dots == 2 {
        if isLast { kept.append([]) }
      } else {
        kept.append(segment)
      }
    }
    return "/" + String(decoding: Array(kept.joined(separator: [UInt8(ascii: "/")])), as: UTF8.self)
  }

  /// Unreserved bytes stand for themselves, escapes have upper-case digits, what can't stand in a URL is escaped.
  private static func normalizePercents(_ bytes: ArraySlice<UInt8>, keepsBraces: Bool) -> [UInt8] {
    var normalized: [UInt8] = []
    normalized.reserveCapacity(bytes.count)
    var rest = bytes
    while let byte = rest.popFirst() {
      var meant = byte
      var isEscaped = byte <= 0x20 || byte >= 0x7F || "\"<>\\^`{|}".utf8.contains(byte)
      if keepsBraces, "{}".utf8.contains(byte) { isEscaped = false }
      if byte == UInt8(ascii: "%"), let escaped = FormText.escapedByte(rest) {
        rest = rest.dropFirst(2)
        meant = escaped
        isEscaped = !isUnreserved(escaped)
      }
      if isEscaped {
        let digits = Array("0123456789ABCDEF".utf8)
        normalized += [UInt8(ascii: "%"), digits[Int(meant >> 4)], digits[Int(meant & 15)]]
      } else {
        normalized.append(meant)
      }
    }
    return normalized
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-._~".utf8.contains(byte)
  }
}
