/// Something that is wrong with a script, or with how it was asked to run: what, where, and what to do about it.
public struct Diagnostic: Error, Hashable, Sendable {
  /// The first digit is the stage: 1 reading, 2 declaring, 3 running, 4 asking (inputs, files, options).
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
      self.description = description
    }

    public static let syntax = Code("T0101")
    public static let undefinedName = Code("T0102")
    public static let forbidden = Code("T0103")
    public static let scriptError = Code("T0104")
    public static let module = Code("T0105")
    public static let duplicateName = Code("T0201")
    public static let unknownOption = Code("T0202")
    public static let missingOption = Code("T0203")
    public static let wrongType = Code("T0204")
    public static let badValue = Code("T0205")
    public static let handleMisuse = Code("T0206")
    public static let nothingReturned = Code("T0207")
    public static let incomplete = Code("T0208")
    public static let suspicious = Code("T0209")
    public static let stepError = Code("T0301")
    public static let nodeFailed = Code("T0302")
    public static let testFailed = Code("T0303")
    public static let unknownInput = Code("T0401")
    public static let missingInput = Code("T0402")
    public static let inputType = Code("T0403")
    public static let unreadable = Code("T0404")
    public static let fixture = Code("T0405")
    /// The text of --inputs or --secrets is not what it has to be.
    public static let inputsFile = Code("T0406")
  }

  public enum Severity: Hashable, Sendable { case error, warning }

  public struct Related: Hashable, Sendable {
    public let location: Location
    public let message: String
  }

  public var code: Code
  public var severity: Severity
  public var message: String
  public var location: Location?
  /// Behind the place: `in step "joined", declared at :24`.
  public var context: String?
  /// Lines under the excerpt.
  public var notes: [String] = []
  public var related: [Related] = []
  public var help: String?

  public init(
    _ code: Code, _ message: String, at location: Location? = nil, severity: Severity = .error,
    help: String? = nil
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.location = location
    self.help = help
  }

  public func noting(_ location: Location?, _ message: String) -> Diagnostic {
    guard let location else { return self }
    var copy = self
    copy.related.append(Related(location: location, message: message))
    return copy
  }
}

/// All that is wrong with a script, in the order of its lines.
public struct Diagnostics: Error, Sendable {
  public var all: [Diagnostic]
  public var sources: Sources

  public init(_ all: [Diagnostic], sources: Sources) {
    self.all = all
    self.sources = sources
  }
}
