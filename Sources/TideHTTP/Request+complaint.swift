import TideGraph
import TideValue

extension Request {
  /// Why this can't be sent, or nil. Values are not told: they may be secrets.
  var complaint: String? {
    urlComplaint ?? methodComplaint ?? headerComplaint
      ?? (certificateAuthorities?.utf8.contains(0) == true ? "the name of the certificates' file holds a NUL" : nil)
  }

  private var urlComplaint: String? {
    if url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) { return "the URL holds a space or a control character" }
    return url.namesHost ? nil : "the URL does not begin with http:// or https:// and the name of a host"
  }

  private var methodComplaint: String? {
    if method.isEmpty || !method.utf8.allSatisfy(\.isTokenCharacter) {
      return "the method '\(method)' is no HTTP method"
    }
    if method == "CONNECT" { return "CONNECT asks for a tunnel, which is no request" }
    // RFC 9110 section 9.3.2.
    if method == "HEAD", body != nil { return "a HEAD request can't carry a body" }
    return nil
  }

  private var headerComplaint: String? {
    for header in headers {
      if header.name.isEmpty || !header.name.utf8.allSatisfy(\.isTokenCharacter) {
        return "the header name '\(header.name)' holds what no header's name may hold"
      }
      if header.value.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) {
        return "the header '\(header.name)' holds a line break, which no header can"
      }
      if header.name.equalsIgnoringCase("Transfer-Encoding") {
        return "the header 'Transfer-Encoding' can't be chosen: how a body is sent is up to the transport"
      }
      if header.name.equalsIgnoringCase("Content-Length"), header.value != "\(body?.count ?? 0)" {
        return "the header 'Content-Length' says \(header.value), and the body has \(body?.count ?? 0) bytes"
      }
    }
    return nil
  }
}

extension String {
  /// Whether it begins with `http://` or `https://` and something that a host's name may begin with.
  fileprivate var namesHost: Bool {
    var bytes = utf8.makeIterator()
    for letter in "http".utf8 where bytes.next().map({ $0 | 0x20 }) != letter { return false }
    var next = bytes.next()
    if next.map({ $0 | 0x20 }) == UInt8(ascii: "s") { next = bytes.next() }
    for letter in "://".utf8 {
      if next != letter { return false }
      next = bytes.next()
    }
    guard let next else { return false }
    return next != UInt8(ascii: "/") && next != UInt8(ascii: "?") && next != UInt8(ascii: "#")
      && next != UInt8(ascii: ":")
  }
}

extension UInt8 {
  /// RFC 9110 section 5.6.2.
  fileprivate var isTokenCharacter: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
    default: false
    }
  }
}
