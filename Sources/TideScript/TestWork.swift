import TideGraph
import TideValue

/// What a state knows while it runs tests.
final class TestWork {
  /// Loads what a test file requires; nothing is declared.
  let declarer: Declarer
  unowned let host: any TestHost
  /// The file of the library, which is no place that an error is shown at.
  var libraryFile = -1
  var tests: [TestState.Test] = []
  /// What belongs to the complaint that was raised last.
  var complaint: TestComplaint?
  /// Why the test that runs has called itself pending.
  var pendingReason: String?
  var output: [String] = []

  init(source: ScriptSource, host: any TestHost) {
    declarer = Declarer(source: source)
    self.host = host
  }
}
