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
  /// One succeeded, of inputs that are started one after the other (`fallback`).
  case first
}

/// Several values made one.
public struct MergeSpec: Sendable {
  public enum How: Sendable {
    case concat
    /// Without repeats: by the key, for each input or once for all; by the whole item without one.
    case union(keys: [[Path]], Collision)
    case join(keys: [[Path]], Keep, Collision)
    case zip(Lengths)
    case deep(Collision)
    /// Each input under a name of its own.
    case object(names: [String])
  }

  public var inputs: [Expression]
  public var wait: Wait
  public var how: How
  /// The field of an item that says from which input it came.
  public var tag: String?
  /// What is still going on when it is decided is stopped.
  public var cancelsRest: Bool

  public init(
    inputs: [Expression], wait: Wait = .all, how: How = .concat, tag: String? = nil, cancelsRest: Bool = false
  ) {
    self.inputs = inputs
    self.wait = wait
    self.cancelsRest = cancelsRest
    self.how = how
    self.tag = tag
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
  /// What is still going on when it is decided is stopped.
  public var cancelsRest: Bool

  public init(inputs: [Expression], wait: Wait = .all, cancelsRest: Bool = false) {
    self.inputs = inputs
    self.wait = wait
    self.cancelsRest = cancelsRest
  }
}

/// The first of its inputs that succeeds; each is started only when the one before it has failed.
public struct FallbackSpec: Sendable {
  public var inputs: [Expression]

  public init(inputs: [Expression]) {
    self.inputs = inputs
  }
}

/// Ends when the outside has signalled so often. Its value is what came with the last signal.
public struct SignalSpec: Sendable {
  public var count: Int

  public init(count: Int = 1) {
    self.count = count
  }
}

/// Work on one list, without Lua unless a function is given.
public struct DataSpec: Sendable {
  public enum Operation: Sendable {
    case filter(Condition)
    case map([MapField])
    case mapEach(FunctionID)
    case pick([Path], Missing)
    case group([Path])
    case distinct([Path])
    case slice(offset: Int, limit: Int?)
    case aggregate(by: [Path], [Aggregate])

    /// As the script writes it.
    public var name: String {
      switch self {
      case .filter: "filter"
      case .map, .mapEach: "map"
      case .pick: "pick"
      case .group: "group"
      case .distinct: "distinct"
      case .slice: "slice"
      case .aggregate: "aggregate"
      }
    }
  }

  public var input: Expression
  public var operation: Operation

  public init(input: Expression, operation: Operation) {
    self.input = input
    self.operation = operation
  }
}

/// A file under the script's folder, read when the run comes to it.
public struct FileSpec: Sendable {
  public enum Format: String, Sendable, CaseIterable { case json, ndjson, csv, text, bytes }

  /// Relative to the script's folder.
  public var path: Expression
  /// By the name's ending if nil.
  public var format: Format?

  public init(path: Expression, format: Format? = nil) {
    self.path = path
    self.format = format
  }
}
