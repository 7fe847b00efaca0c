import TideValue

/// A request as a script declares it: a `Request` once the values that it uses are known.
public struct RequestSpec: Sendable {
  public enum Body: Sendable {
    case none
    case json(Expression)
    case form(Expression)
    /// A text or bytes, sent as they are.
    case raw(Expression)
  }

  public enum Authorization: Sendable {
    case bearer(Expression)
    case basic(user: Expression, password: Expression)
  }

  public enum IdempotencyKey: Sendable {
    case made
    case given(Expression)
  }

  public var method: String
  public var url: Expression
  public var query: Expression?
  public var headers: Expression?
  public var body: Body = .none
  public var authorization: Authorization?
  /// Sent as `Idempotency-Key`; what `idempotency_key = true` makes up is the same for all attempts of a run's node.
  public var idempotencyKey: IdempotencyKey?
  public var connectTimeout: Duration?
  public var maximumRedirects = 10
  public var maximumBytes = Request.defaultMaximumBytes
  public var compressed = true
  /// Relative to the script's folder.
  public var certificateAuthorities: String?
  public var expectation = Expectation()
  public var extract: Path?

  public init(method: String, url: Expression) {
    self.method = method
    self.url = url
  }
}

/// Which answers succeed.
public struct Expectation: Sendable {
  public var statuses: [ClosedRange<Int>] = [200...299]
  public var body: Condition?
  /// Where the text of an error stands in a body that is not as expected.
  public var message: Path?
  /// Decides in place of all the others: gets the response.
  public var function: FunctionID?

  public init() {}

  public func accepts(status: Int) -> Bool { statuses.contains { $0.contains(status) } }
}
