import TideGraph

/// One thing that goes wrong when a run asks for something: a request or the function of a step.
public enum Fault: Hashable, Sendable {
  /// The request fails on its way, in the words of fixtures. What would have answered it is not asked.
  case refused, dns, tls, timeout, reset, truncated, malformed
  /// An answer with this status and without a body, and with a `Retry-After` if one is given.
  case status(Int, retryAfter: String? = nil)
  /// The answer's body is empty, is cut in its middle, or is JSON of another shape than anybody expects.
  case emptyBody, brokenBody, wrongShape
  /// The answer comes a second time.
  case twice
  /// The answer comes when everything else has come to rest.
  case late
  /// The answer never comes, not even after an abort.
  case never
  /// Whoever should answer lets go of the request without a word.
  case lost
  /// The answer comes, and the run is cancelled at some moment around it.
  case cancel
}

extension Fault {
  /// Every way in which one answer can be another: what a table of request by fault shows.
  public static let ofAnswers: [Fault] = [
    .refused, .dns, .tls, .timeout, .reset, .truncated, .malformed, .status(500), .status(429, retryAfter: "1"),
    .emptyBody, .brokenBody, .wrongShape, .lost,
  ]

  /// Every way in which an answer can come at the wrong time or too often, or the run can be stopped meanwhile.
  public static let ofDelivery: [Fault] = [.twice, .late, .never, .cancel]

  public static let all = ofAnswers + ofDelivery

  /// Whether what arrives differs from what was meant to. Runs are compared where the same arrives.
  public var changesAnswer: Bool {
    switch self {
    case .twice, .late: false
    default: true
    }
  }

  /// Whether the run is stopped, so that it is open what still gets done.
  public var stopsRun: Bool { self == .never || self == .cancel }
}

extension Fault: CustomStringConvertible {
  public var description: String {
    switch self {
    case .refused: "refused"
    case .dns: "dns"
    case .tls: "tls"
    case .timeout: "timeout"
    case .reset: "reset"
    case .truncated: "truncated"
    case .malformed: "malformed"
    case .status(let status, nil): "status \(status)"
    case .status(let status, let retryAfter?): "status \(status), Retry-After: \(retryAfter)"
    case .emptyBody: "empty body"
    case .brokenBody: "broken body"
    case .wrongShape: "wrong shape"
    case .twice: "twice"
    case .late: "late"
    case .never: "never"
    case .lost: "lost"
    case .cancel: "cancel"
    }
  }
}

extension Fault {
  /// What arrives in place of an answer that is not asked for; nil where the answer itself is needed.
  var failure: Failure? {
    switch self {
    case .refused: Failure(.connect, "the connection was refused")
    case .dns: Failure(.dns, "the host can't be resolved")
    case .tls: Failure(.tls, "the TLS handshake failed")
    case .timeout: Failure(.timeout, "no answer came in time")
    case .reset: Failure(.reset, "the connection was reset")
    case .truncated: Failure(.truncated, "the connection was closed before the answer was whole")
    case .malformed: Failure(.malformed, "the answer is not HTTP")
    case .status, .emptyBody, .brokenBody, .wrongShape, .twice, .late, .never, .lost, .cancel: nil
    }
  }
}
