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
    return Origin(url) == nil ? "the URL does not begin with http:// or https:// and the name of a host" : nil
  }

  private var methodComplaint: String? {
    if method.isEmpty || !method.utf8.allSatisfy(\.isTokenCharacter) { return "the method '\(method)' is no HTTP method" }
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

extension UInt8 {
  /// RFC 9110 section 5.6.2.
  fileprivate var isTokenCharacter: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
  }
}
