import TideValue

/// A header's or a form's line. Order and repeats are kept.
public struct NamedText: Hashable, Sendable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// One HTTP request, ready to be sent: nothing in it waits for anything.
public struct Request: Sendable {
  public var method: String
  /// Absolute, percent-encoded, query included.
  public var url: String
  public var headers: [NamedText]
  /// Nil for no body at all; an empty buffer is sent as a body of length 0.
  public var body: Buffer?
  /// What the body was made of, for whoever matches or shows requests.
  public var form: [NamedText]?
  /// Of this one attempt, from the first byte to the last.
  public var timeout: Duration?
  public var connectTimeout: Duration?
  /// How many redirects are followed.
  public var maximumRedirects: Int
  /// The decoded body may not be longer than this.
  public var maximumBytes: Int
  /// Ask for, and undo, content encodings.
  public var compressed: Bool
  /// A file of certificates (PEM) to trust in place of the system's.
  public var certificateAuthorities: String?

  public static let defaultMaximumBytes = 64 << 20

  public init(
    method: String, url: String, headers: [NamedText] = [], body: Buffer? = nil, form: [NamedText]? = nil,
    timeout: Duration? = nil, connectTimeout: Duration? = nil, maximumRedirects: Int = 10,
    maximumBytes: Int = Request.defaultMaximumBytes, compressed: Bool = true, certificateAuthorities: String? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.form = form
    self.timeout = timeout
    self.connectTimeout = connectTimeout
    self.maximumRedirects = maximumRedirects
    self.maximumBytes = maximumBytes
    self.compressed = compressed
    self.certificateAuthorities = certificateAuthorities
  }

  /// The first header of this name, whatever its case (RFC 9110 section 5.1).
  public func header(_ name: String) -> String? { headers.first(named: name) }
}

/// A whole answer, as it arrived.
public struct Response: Sendable {
  public var status: Int
  /// What ``headers`` is read from.
  public var headerBlock: HeaderBlock
  /// Content encodings undone.
  public var body: Buffer
  /// Where it came from, after redirects.
  public var url: String
  public var elapsed: Duration

  public init(status: Int, headers: [NamedText] = [], body: Buffer, url: String, elapsed: Duration = .zero) {
    self.init(status: status, headerBlock: HeaderBlock(headers), body: body, url: url, elapsed: elapsed)
  }

  public init(status: Int, headerBlock: HeaderBlock, body: Buffer, url: String, elapsed: Duration) {
    self.status = status
    self.headerBlock = headerBlock
    self.body = body
    self.url = url
    self.elapsed = elapsed
  }

  /// Of the last response, after redirects; names as the server wrote them. Read anew each time: keep it.
  public var headers: [NamedText] {
    get { headerBlock.list }
    set { headerBlock = HeaderBlock(newValue) }
  }

  public func header(_ name: String) -> String? { headerBlock.first(named: name) }
}

extension [NamedText] {
  /// The first value under this name, ASCII case aside.
  public func first(named name: String) -> String? {
    first { $0.name.equalsIgnoringCase(name) }?.value
  }
}

extension String {
  /// ASCII letters compare without their case; everything else by its bytes.
  public func equalsIgnoringCase(_ other: String) -> Bool {
    utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
  }
}

extension UInt8 {
  var lowercasedASCII: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}
