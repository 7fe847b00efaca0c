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
  private(set) var output: [String] = []

  init(source: ScriptSource, host: any TestHost) {
    declarer = Declarer(source: source)
    self.host = host
  }

  /// Keeps a line that the test prints; of very many the first ones.
  func print(_ line: String) {
    let limit = 10_000
    if output.count < limit { output.append(line) } else if output.count == limit { output.append("...") }
  }

  /// Forgets what the test before has said.
  func begin() {
    output = []
    pendingReason = nil
  }
}
