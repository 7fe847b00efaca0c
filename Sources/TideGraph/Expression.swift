import TideValue

/// A value that is not known before the run: what a handle stands for. Eight bytes, where it is just a node's value.
public enum Expression: Sendable {
  indirect case literal(Value)
  case value(of: NodeID)
  /// `login.user`: one key, never a path.
  indirect case field(Expression, String)
  /// `tide.path(h, p, { default = v })`.
  indirect case path(Expression, Path, fallback: Value?)
  /// Texts and values in a row: `api .. "/users/" .. id`.
  case text([TextPart])
  case list([Expression])
  case object([Field])
  /// `tide.response(h)`: `{status, headers, body, url, elapsed, attempts}`.
  case response(of: NodeID)
  /// `tide.ok(h)` and its like.
  case question(Question, NodeID)

  public struct Field: Sendable {
    public let key: String
    public let value: Expression

    public init(key: String, value: Expression) {
      self.key = key
      self.value = value
    }
  }
}

/// A piece of a joined text.
public enum TextPart: Sendable {
  case text(String)
  /// In a URL percent-encoded as one segment, unless it stands first.
  case joined(Expression)
  /// `tide.raw(h)`: taken as it is, everywhere.
  case raw(Expression)
}

/// What can be asked about how a node ended. To ask is to handle its failure.
public enum Question: String, Sendable, CaseIterable {
  case ok, failed
  /// The value, or null whatever happened.
  case value
  /// `{kind, message, status, body, attempts}`, or null.
  case error
}

/// Why one node waits for another.
@frozen
public enum Need: UInt8, Sendable {
  /// Its value is used: it must have succeeded.
  case success
  /// It must have ended, either way: `after`.
  case end
  /// It is one of the inputs that a barrier or a merge counts.
  case input
  /// It is asked about how it ended, and that is to handle its failure.
  case question
}

extension Expression {
  /// Calls `body` with every node that this waits for, in the order of the text, repeats included.
  public func forEachDependency(_ body: (NodeID, Need) -> Void) {
    switch self {
    case .literal: break
    case .value(let node), .response(let node): body(node, .success)
    case .question(_, let node): body(node, .question)
    case .field(let inner, _), .path(let inner, _, _): inner.forEachDependency(body)
    case .list(let items): for item in items { item.forEachDependency(body) }
    case .object(let fields): for field in fields { field.value.forEachDependency(body) }
    case .text(let parts):
      for part in parts {
        switch part {
        case .text: break
        case .joined(let inner), .raw(let inner): inner.forEachDependency(body)
        }
      }
    }
  }

  /// Calls `body` with every node whose whole response is used here.
  func forEachResponse(_ body: (NodeID) -> Void) {
    switch self {
    case .literal, .value, .question: break
    case .response(let node): body(node)
    case .field(let inner, _), .path(let inner, _, _): inner.forEachResponse(body)
    case .list(let items): for item in items { item.forEachResponse(body) }
    case .object(let fields): for field in fields { field.value.forEachResponse(body) }
    case .text(let parts):
      for part in parts {
        switch part {
        case .text: break
        case .joined(let inner), .raw(let inner): inner.forEachResponse(body)
        }
      }
    }
  }

  /// The one value that stands here without a run, or nil.
  public var constant: Value? {
    if case .literal(let value) = self { return value }
    return nil
  }
}
