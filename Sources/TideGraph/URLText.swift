/// The few rules about URLs that are ours; the rest is the transport's.
enum URLText {
  /// What is wrong with a whole URL, or nil.
  static func complaint(about url: String) -> String? {
    if url.isEmpty { return "the URL is empty" }
    // By bytes: it is asked about every request that is sent.
    guard let scheme = schemes.first(where: { url.utf8.begins(with: $0) }) else {
      return "the URL \"\(url)\" does not begin with http:// or https://"
    }
    if url.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "the URL holds a control character" }
    let host = host(in: url.utf8.dropFirst(scheme.utf8.count))
    if host.isEmpty || host.first == UInt8(ascii: ":") { return "the URL \"\(url)\" names no host" }
    return nil
  }

  /// In lower case.
  private static let schemes = ["http://", "https://"]

  /// Host and port, which stand between the last `@` of the authority and its end (RFC 3986 section 3.2).
  private static func host(in rest: Substring.UTF8View) -> Substring.UTF8View {
    let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return authority }
    return authority[authority.index(after: at)...]
  }

  /// `scheme://host:port` of a URL: its origin, as far as the text tells it.
  static func origin(of url: String) -> String? {
    guard let slashes = url.utf8.firstRange(of: "://".utf8) else { return nil }
    let host = host(in: url.utf8[slashes.upperBound...])
    return host.isEmpty ? nil : url[..<slashes.upperBound].lowercased() + Substring(host).lowercased()
  }

  /// Every byte that is not unreserved (RFC 3986 section 2.3) becomes `%XX`.
  static func encodeSegment(_ text: String) -> String {
    encode(text) { byte in
      isAlphanumeric(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F || byte == 0x7E
    }
  }

  /// As forms are encoded (WHATWG URL, application/x-www-form-urlencoded): a space is `+`.
  static func encodeForm(_ text: String) -> String {
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x20: encoded.append(0x2B)
      case 0x2A, 0x2D, 0x2E, 0x5F: encoded.append(byte)
      default: isAlphanumeric(byte) ? encoded.append(byte) : appendEscape(byte, to: &encoded)
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Escapes only what can't stand in a URL at all: spaces, controls, quotes and what is not ASCII.
  static func encodeIllegal(_ text: String) -> String {
    guard text.utf8.contains(where: isIllegal) else { return text }
    return encode(text) { !isIllegal($0) }
  }

  private static func isIllegal(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte >= 0x7F || byte == 0x22 || byte == 0x3C || byte == 0x3E || byte == 0x5C || byte == 0x5E
      || byte == 0x60 || (0x7B...0x7D).contains(byte)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  private static func encode(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
    var encoded: [UInt8] = []
    encoded.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if isKept(byte) { encoded.append(byte) } else { appendEscape(byte, to: &encoded) }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
    let digits = Array("0123456789ABCDEF".utf8)
    bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}

extension String.UTF8View {
  /// Whether it begins with these ASCII letters, in either case.
  fileprivate func begins(with letters: String) -> Bool {
    count >= letters.utf8.count && zip(self, letters.utf8).allSatisfy { $0.lowercasedASCII == $1 }
  }
}

/// Percent-encoding, for scripts (`tide.url`).
public func percentEncoded(_ text: String) -> String { URLText.encodeSegment(text) }

extension Request {
  /// `scheme://host:port`, in lower case: what connections and limits are counted by.
  public var origin: String { URLText.origin(of: url) ?? url }
}
