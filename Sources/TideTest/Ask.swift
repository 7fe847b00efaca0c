import TideGraph
import TideValue

/// Something that a run asked for, what went wrong with it, and what came.
public struct Ask: Sendable {
  /// What came.
  public enum Answer: Sendable {
    case response(Response)
    /// What a function of the script returned.
    case value(Value)
    case failure(Failure)
  }

  /// `GET http://api.test/items`, or `step "token"`.
  public let subject: String
  /// How often the run has asked for this by now, from 1: the attempt, where only one node asks for it.
  public let turn: Int
  /// Nil: nothing.
  public let fault: Fault?
  /// What came first; nil if nothing has come.
  public internal(set) var answer: Answer?
  /// Since the run's start, in virtual time.
  public let askedAt: Duration
  public internal(set) var answeredAt: Duration?

  /// What the ask is known by in every order: who asks, and how often by now.
  var identity: String { "\(subject) #\(turn)" }

  /// How the node's functions are known.
  static func subject(ofStep name: String) -> String { "step \"\(name)\"" }

  static func subject(of request: Request) -> String { "\(request.method) \(request.url)" }
}

extension Ask: CustomStringConvertible {
  /// `GET http://api.test/items #2 (reset)`.
  public var description: String { fault.map { "\(identity) (\($0))" } ?? identity }
}

extension Ask {
  /// Whether a function was called, and nothing sent.
  var isOfStep: Bool { subject.hasPrefix("step \"") }
}
