import TideGraph
import TideValue

/// A request that is expected, and what answers it.
public struct Exchange: Sendable {
  /// Its place in the file, from 1.
  public let number: Int
  let request: ExpectedRequest
  let answers: Answers
  var scenario: Scenario?

  /// `POST /relation/detail`, as it reads in messages.
  public var title: String { request.title }

  /// A state that several exchanges share (WireMock's scenarios).
  struct Scenario: Sendable {
    let name: String
    /// It answers only in this state; in any if nil.
    let required: String?
    /// The state after its answer; unchanged if nil.
    let next: String?

    /// The state in which every scenario begins.
    static let start = "Started"
  }

  enum Answers: Sendable {
    /// One answer serves for ever.
    case always(Answer)
    /// A list is used up in order.
    case inTurn([Answer])
  }
}

/// What comes back for a request, and when.
package struct Answer: Sendable {
  package enum Outcome: Sendable {
    case response(status: Int, headers: [NamedText], body: Buffer)
    case failure(FailureName, message: String?)
  }

  package let outcome: Outcome
  /// From the moment at which the request is sent.
  package let delay: Duration?
}

/// How a request fails, as the files name it.
package enum FailureName: String, Sendable, CaseIterable {
  case refused, dns, tls, timeout, reset, truncated, malformed
  /// No answer comes at all: only the request's own time limit ends it, or an abort.
  case never

  var kind: Failure.Kind {
    switch self {
    case .refused: .connect
    case .dns: .dns
    case .tls: .tls
    case .timeout, .never: .timeout
    case .reset: .reset
    case .truncated: .truncated
    case .malformed: .malformed
    }
  }

  /// What the failure says if the file does not.
  ///
  /// - Parameter host: of the request, with its port.
  func message(host: String) -> String {
    switch self {
    case .refused: "\(host) refused the connection"
    case .dns: "\(host) can't be resolved"
    case .tls: "the TLS handshake with \(host) failed"
    case .timeout, .never: "\(host) did not answer in time"
    case .reset: "\(host) reset the connection"
    case .truncated: "\(host) closed the connection before the answer was whole"
    case .malformed: "\(host) answered with something that is not HTTP"
    }
  }
}
