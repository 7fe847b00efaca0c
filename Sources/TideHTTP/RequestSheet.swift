import CCurl
import TideGraph
import TideValue

/// A request as libcurl takes it. One sheet serves for one request after the other.
struct RequestSheet {
  /// Texts, each with a 0 at its end: the URL, the method, the file of authorities, then the headers.
  private var text: [UInt8] = []
  private var headers = (start: 0, count: 0)
  private var methodStart = 0
  private var authoritiesStart = 0

  private let encodings: String

  /// For the library as it was opened.
  init() {
    let known = String(cString: ccurl_encodings())
    encodings = known.isEmpty ? "" : "Accept-Encoding: \(known)"
  }

  /// How long a request may take.
  struct Limits {
    let timeoutMilliseconds: Int
    let connectMilliseconds: Int
  }

  /// Starts the request in `multi`; false if it was not, for the reason that `slot` holds.
  ///
  /// - Precondition: the request has no ``Request/complaint``; its body lives until the transfer has ended.
  mutating func start(
    _ request: Request, limits: Limits, follows: Bool, slot: UnsafeMutablePointer<ccurl_transfer>,
    multi: UnsafeMutableRawPointer
  ) -> Bool {
    let shape = request.shape
    write(request, shape)
    return text.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return false }
      var told = ccurl_request()
      told.url = base
      told.shape = shape
      told.method = request.isNamedByShape ? nil : base + methodStart
      told.headers = base + headers.start
      told.headers_size = text.count - headers.start
      told.header_count = headers.count
      told.body = request.body?.bytes.baseAddress
      told.body_count = Int64(request.body?.count ?? 0)
      told.timeout_ms = limits.timeoutMilliseconds
      told.connect_timeout_ms = limits.connectMilliseconds
      // A buffer holds at most 4 GB.
      told.body_limit = min(max(0, request.maximumBytes), Int(UInt32.max))
      told.follows = follows
      told.compressed = request.compressed
      told.is_tls = request.url.utf8.dropFirst(4).first.map { $0 | 0x20 } == UInt8(ascii: "s")
      told.once = !request.isRepeatable
      told.authorities = request.certificateAuthorities == nil ? nil : base + authoritiesStart
      return ccurl_transfer_start(slot, multi, &told) == CURLE_OK
    }
  }

  private mutating func write(_ request: Request, _ shape: ccurl_shape) {
    text.removeAll(keepingCapacity: true)
    append(request.url)
    methodStart = text.count
    append(request.method)
    authoritiesStart = text.count
    if let file = request.certificateAuthorities { append(file) }
    headers = (text.count, 0)
    for header in request.headers where !header.name.equalsIgnoringCase("Content-Length") { append(header) }
    // As headers of ours they cost less than as options, of which libcurl would write each twice.
    if request.header("User-Agent") == nil { appendHeader("User-Agent: tidegate/0.1") }
    if request.compressed, !encodings.isEmpty, request.header("Accept-Encoding") == nil { appendHeader(encodings) }
    guard shape == CCURL_SEND else { return }
    // A name and a colon takes away what libcurl would add: a wait of a second for large bodies, and a form's type.
    if request.header("Expect") == nil { appendHeader("Expect:") }
    if request.header("Content-Type") == nil { appendHeader("Content-Type:") }
  }

  private mutating func append(_ header: NamedText) {
    text.append(contentsOf: header.name.utf8)
    if header.value.utf8.contains(where: { $0 != 0x20 && $0 != 0x09 }) {
      text.append(contentsOf: [0x3A, 0x20])
      text.append(contentsOf: header.value.utf8)
    } else {
      // How libcurl is told of an empty value.
      text.append(UInt8(ascii: ";"))
    }
    text.append(0)
    headers.count += 1
  }

  private mutating func appendHeader(_ line: String) {
    text.append(contentsOf: line.utf8)
    text.append(0)
    headers.count += 1
  }

  private mutating func append(_ string: String) {
    text.append(contentsOf: string.utf8)
    text.append(0)
  }
}

extension Request {
  /// POST, PUT and PATCH expect a body, and say so when it is empty (RFC 9110 section 8.6).
  fileprivate var shape: ccurl_shape {
    if body != nil || method == "POST" || method == "PUT" || method == "PATCH" { return CCURL_SEND }
    return method == "HEAD" ? CCURL_HEAD : CCURL_GET
  }

  /// Whether libcurl uses this method for this shape anyway.
  fileprivate var isNamedByShape: Bool {
    switch method {
    case "GET": body == nil
    case "HEAD", "POST": true
    default: false
    }
  }
}
