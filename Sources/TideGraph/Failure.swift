import TideValue

/// Why a node failed, as its script, its report and its retries see it.
public struct Failure: Error, Sendable {
  /// Open to new cases: compare with the constants.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// As `tide.error(h).kind` gives it.
    public let description: String

    public init(_ description: String) {
      self.description = description
    }

    /// The host's name does not resolve.
    public static let dns = Kind("dns")
    /// Nobody answers at the address.
    public static let connect = Kind("connect")
    public static let tls = Kind("tls")
    public static let timeout = Kind("timeout")
    /// The connection broke before the answer was whole.
    public static let reset = Kind("reset")
    public static let truncated = Kind("truncated")
    /// Not HTTP.
    public static let malformed = Kind("malformed")
    public static let tooLarge = Kind("too_large")
    /// More redirects than allowed, or one to where requests are not sent.
    public static let redirects = Kind("redirects")
    /// Stopped by whoever wanted it.
    public static let cancelled = Kind("cancelled")
    /// A URL, a header or an option that can't be sent.
    public static let request = Kind("request")
    /// The status is not the expected one.
    public static let status = Kind("status")
    /// The body is not what `expect` says.
    public static let expectation = Kind("expect")
    /// The body is not what its type says.
    public static let body = Kind("body")
    /// A path that matches nothing, a field that is not there.
    public static let missing = Kind("missing")
    /// A value that can't be used so: a merge of a list and a number.
    public static let type = Kind("type")
    /// A step's function failed, by `error`, `return nil, err` or `tide.fail`.
    public static let step = Kind("step")
    /// A barrier that can't open any more.
    public static let barrier = Kind("barrier")
    public static let unmatched = Kind("unmatched")
    /// Whoever did the work dropped it without an answer.
    public static let lost = Kind("lost")
    public static let memory = Kind("memory")
    /// Not sent: its queue's circuit breaker rests.
    public static let tripped = Kind("tripped")
    /// No signal can come any more.
    public static let signal = Kind("signal")
    /// A permit that can never be had.
    public static let queue = Kind("queue")
    /// Something that the node needs failed.
    public static let blocked = Kind("blocked")
  }

  public var kind: Kind
  public var message: String
  /// The status of the answer, where there was one.
  public var status: Int?
  /// The decoded body of the answer, or what the script gave to `tide.fail`.
  public var body: Value?
  /// Where in the script, when it is the script that failed.
  public var location: Location?
  public var help: String?
  /// What the answer's `Retry-After` says, as it stands there.
  public var retryAfter: String?
  /// How many attempts were made before it was given up.
  public var attempts = 1

  public init(
    _ kind: Kind, _ message: String, status: Int? = nil, body: Value? = nil, location: Location? = nil,
    help: String? = nil
  ) {
    self.kind = kind
    self.message = message
    self.status = status
    self.body = body
    self.location = location
    self.help = help
  }
}
