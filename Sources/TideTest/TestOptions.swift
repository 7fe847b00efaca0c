import TideGraph

/// How tests are run.
public struct TestOptions: Sendable {
  /// Only tests whose full name holds this text.
  public var filter: String?
  /// Decides in which order tests run, and orders of answers beyond those that are all tried.
  public var seed: UInt64 = 0
  /// After the first failure nothing more is started.
  public var isFailFast = false
  /// Of real time, for each test. One that runs longer is stopped, and has failed.
  public var limit = Duration.seconds(10)
  /// Whether each request of each run also fails in each way.
  public var checksFaults = false
  /// Whether each run is repeated in every order of its answers.
  public var checksOrders = false
  /// Whether snapshots that differ are written anew.
  public var updatesSnapshots = false
  /// How many files are tested at once.
  public var jobs = 1
  /// The files that scripts in a folder may read.
  public var files: @Sendable (String) -> any FileSource = { _ in NoFiles() }

  public init() {}
}

/// What came of one test.
public struct TestResult: Sendable {
  /// Of its file, as the user wrote it.
  public let file: String
  /// Of its blocks, from the outermost, and its own.
  public let names: [String]
  public let location: Location?
  public var outcome: TestOutcome
  /// What it printed.
  public let output: [String]
  /// Of real time.
  public let elapsed: Duration
  /// With `--faults`: one a run of a workflow.
  public let faults: [FaultTable]
  /// With `--orders`: how many orders were tried.
  public let orders: Int

  /// `shares, when one endpoint is down, gives the other list`.
  public var name: String { names.joined(separator: " ") }
}

/// What came of one file.
public struct TestFileResult: Sendable {
  public let file: String
  public var results: [TestResult] = []
  /// Why the file could not be loaded, or its blocks not be left.
  public var failures: [TestFailure] = []
  /// Tests that were not started, because another one had failed.
  public var notRun = 0
  /// What excerpts are cut from.
  public var sources = Sources()
  public var snapshotsWritten = 0

  public var hasFailed: Bool {
    !failures.isEmpty || results.contains { if case .failed = $0.outcome { true } else { false } }
  }
}
