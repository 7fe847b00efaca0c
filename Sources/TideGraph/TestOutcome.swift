/// Why a test failed.
public struct TestFailure: Sendable {
  public var message: String
  /// The line of the test file, or of a file that it requires.
  public var location: Location?
  public var help: String?
  /// What is wrong with the script or the file that the test uses.
  public var diagnostics: Diagnostics?
  /// Whether the test took longer than it may.
  public var isTimeout: Bool

  public init(
    _ message: String, at location: Location? = nil, help: String? = nil, diagnostics: Diagnostics? = nil,
    isTimeout: Bool = false
  ) {
    self.message = message
    self.location = location
    self.help = help
    self.diagnostics = diagnostics
    self.isTimeout = isTimeout
  }
}

/// How a test ended.
public enum TestOutcome: Sendable {
  case passed
  /// The first is why; what follows happened on the way out.
  case failed([TestFailure])
  /// It is not written yet, or says itself that it can't be run.
  case pending(String?)
}
