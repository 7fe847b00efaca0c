import TideValue

/// A value that the run is given.
public struct InputSpec: Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    case text = "string"
    case integer, number, boolean, list, object
  }

  /// Nil: anything.
  public var type: Kind?
  public var fallback: Value?
  public var allowed: [Value]?

  public init(type: Kind? = nil, fallback: Value? = nil, allowed: [Value]? = nil) {
    self.type = type
    self.fallback = fallback
    self.allowed = allowed
  }
}

/// A text that the run is given and never shows.
public struct SecretSpec: Sendable {
  /// The environment variable that it comes from if nobody gives it.
  public var variable: String

  public init(variable: String) {
    self.variable = variable
  }
}

/// A function of the script.
public struct StepSpec: Sendable {
  public var function: FunctionID
  public var arguments: [Expression]

  public init(function: FunctionID, arguments: [Expression]) {
    self.function = function
    self.arguments = arguments
  }
}

/// Which ends a join waits for.
public enum Wait: Hashable, Sendable {
  /// All succeeded.
  case all
  /// All have ended, either way, and at least one succeeded.
  case settled
  /// So many succeeded.
  case atLeast(Int)
}

/// Lists made one.
public struct MergeSpec: Sendable {
  public var inputs: [Expression]
  public var wait: Wait

  public init(inputs: [Expression], wait: Wait = .all) {
    self.inputs = inputs
    self.wait = wait
  }
}

/// A list put in order.
public struct SortSpec: Sendable {
  public var input: Expression
  public var keys: [SortKey]
  public var limit: Int?

  public init(input: Expression, keys: [SortKey], limit: Int? = nil) {
    self.input = input
    self.keys = keys
    self.limit = limit
  }
}

/// Opens when its inputs have ended as it says. Its value is the list of theirs, in declared order.
public struct BarrierSpec: Sendable {
  public var inputs: [Expression]
  public var wait: Wait

  public init(inputs: [Expression], wait: Wait = .all) {
    self.inputs = inputs
    self.wait = wait
  }
}
