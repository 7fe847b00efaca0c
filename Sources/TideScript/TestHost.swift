import TideGraph
import TideValue

/// Does what a test file asks for. Called on the thread that runs the test, while it runs.
public protocol TestHost: AnyObject {
  /// `test.run(script, options)`: runs a workflow to its end.
  ///
  /// - Returns: what the test sees of it, and a number by which the run is asked about later.
  /// - Throws: why there was no run.
  func run(script: String, options: Value) throws(TestComplaint) -> (run: Value, number: Int)

  /// `assert.survives(run, nodes)`: nil, or what is not survived.
  ///
  /// - Throws: if there is no such run, or it has no such node.
  func survives(run number: Int, nodes: [String]) throws(TestComplaint) -> String?

  /// `assert.snapshot(value, name)`: nil, or in what the value differs from what is stored.
  ///
  /// - Throws: if the name can't be one of a file, or the file can't be read or written.
  func snapshot(_ value: Value, name: String) throws(TestComplaint) -> String?
}

/// Why what a test asked for can't be had.
public struct TestComplaint: Error, Sendable {
  public var message: String
  public var help: String?
  /// What is wrong with the script or the file that the test uses.
  public var diagnostics: Diagnostics?

  public init(_ message: String, help: String? = nil, diagnostics: Diagnostics? = nil) {
    self.message = message
    self.help = help
    self.diagnostics = diagnostics
  }
}
