import TideGraph
import TideValue

/// What a function of ours complains of. It becomes a Lua error with this message, which a script may catch; if none
/// does, the rest is told, too.
struct ScriptFault: Error {
  var code: Diagnostic.Code
  var message: String
  var help: String?
  /// Where it is, if that is not the line that called.
  var location: Location?

  init(_ code: Diagnostic.Code, _ message: String, help: String? = nil) {
    self.code = code
    self.message = message
    self.help = help
  }
}

/// A Lua error that nobody caught: what it says, and where it was raised.
struct ScriptError {
  var code: Diagnostic.Code
  var message: String
  var location: Location?
  var help: String?
  /// What the script gave along: `tide.fail(message, data)`, `error { ... }`.
  var data: Value?
  /// The failure of a `tide.fetch` that the script has raised or returned as it was given.
  var passedOn: Failure?
  var isOutOfMemory = false
  var wasStopped = false

  var diagnostic: Diagnostic { Diagnostic(code, message, at: location, help: help) }
}
