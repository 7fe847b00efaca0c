/// When an attempt that failed is followed by another.
public struct Retry: Sendable, Hashable {
  /// How many more attempts there are after the first.
  public var times: Int
  /// Before the second attempt; each later wait is `factor` times the one before it, and none is longer than `maximum`.
  public var wait = Duration.milliseconds(200)
  public var factor = 2.0
  public var maximum = Duration.seconds(30)
  /// Each wait is drawn evenly between nothing and its length ("full jitter"), so that many who failed together don't
  /// come back together.
  public var hasJitter = true
  public var causes = Causes()
  /// Also a request that the server may have acted on is repeated, whatever its method.
  public var anyMethod = false
  /// A `Retry-After` that is longer is not waited for: the node fails at once.
  public var longestRetryAfter = Duration.seconds(300)

  public init(times: Int) {
    self.times = times
  }

  /// What kind of failure is worth another attempt.
  public struct Causes: Sendable, Hashable {
    public var statuses: [ClosedRange<Int>] = [408...408, 429...429, 500...500, 502...504]
    public var groups: Set<Group> = [.timeout, .connect, .reset, .step]

    public init() {}

    public init(statuses: [ClosedRange<Int>], groups: Set<Group>) {
      self.statuses = statuses
      self.groups = groups
    }
  }

  /// Failures that `on` names together.
  public enum Group: String, Sendable, CaseIterable {
    case timeout
    /// The server was not reached.
    case connect
    /// The answer broke off, or was no HTTP.
    case reset
    /// The body is not what its type, `expect` or `extract` says.
    case body
    /// The function of a step failed.
    case step
  }

  /// How long to wait after attempt number `attempt`, from 1.
  ///
  /// - Parameter random: from 0 up to 1.
  public func backoff(after attempt: Int, random: Double) -> Duration {
    var length = wait.seconds
    let limit = maximum.seconds
    // A factor above 1 reaches the limit soon, one of 1 or less has no need of more rounds than it takes to see it.
    for _ in 1..<max(1, min(attempt, 2000)) where length < limit { length *= factor }
    return Duration(seconds: min(length, limit) * (hasJitter ? random : 1))
  }
}

extension Retry {
  /// Whether a failed attempt may be followed by another, as far as the failure and the request decide it.
  ///
  /// - Parameter request: nil for a node that sends none.
  public func repeats(_ failure: Failure, of request: Request?) -> Bool {
    guard isCause(failure) else { return false }
    guard let request, !failure.wasNeverSent else { return true }
    return anyMethod || request.isRepeatable
  }

  private func isCause(_ failure: Failure) -> Bool {
    if failure.kind == .status, let status = failure.status {
      return causes.statuses.contains { $0.contains(status) }
    }
    return failure.group.map { causes.groups.contains($0) } ?? false
  }
}

extension Failure {
  /// The group of failures that it belongs to; nil for one that another attempt can't mend.
  fileprivate var group: Retry.Group? {
    switch kind {
    case .timeout: .timeout
    case .dns, .connect, .tripped: .connect
    case .reset, .truncated, .malformed, .lost: .reset
    case .body, .expectation, .missing: .body
    case .step: .step
    default: nil
    }
  }

  /// Whether the server can't have acted on the request.
  fileprivate var wasNeverSent: Bool { kind == .dns || kind == .connect || kind == .tripped }
}

extension Request {
  /// Whether sending it twice is as good as sending it once (RFC 9110 section 9.2.2), or the server is told which ones
  /// are the same.
  public var isRepeatable: Bool {
    ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(method) || header("Idempotency-Key") != nil
  }
}

extension Duration {
  var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  /// To the nanosecond; at most 100 years.
  init(seconds: Double) {
    self = .nanoseconds(Int64(min(max(0, seconds), 100 * 365.25 * 86400) * 1e9))
  }
}
