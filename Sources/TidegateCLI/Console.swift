import TideGraph
import TideReport

/// What people read on stderr.
enum Console {
  private static let diagnosticText = DiagnosticText(isColoured: Standard.isColorful)

  static func show(_ diagnostics: Diagnostics) {
    if !diagnostics.all.isEmpty { Standard.error(diagnosticText.render(diagnostics)) }
  }

  static func show(_ diagnostic: Diagnostic) {
    show(Diagnostics([diagnostic], sources: Sources()))
  }

  static func show(_ stop: Stop) {
    switch stop {
    case .usage(let message, let help): error(message, help: help)
    case .diagnostics(let diagnostics): show(diagnostics)
    }
  }

  static func error(_ message: String, help: String? = nil) {
    line("error", "1;31", message, help: help)
  }

  static func warning(_ message: String) {
    line("warning", "1;33", message)
  }

  private static func line(_ severity: String, _ color: String, _ message: String, help: String? = nil) {
    let head = Standard.isColorful ? "\u{1B}[\(color)m\(severity)\u{1B}[0m" : severity
    Standard.error("\(head): \(message)\n" + (help.map { "  help: \($0)\n" } ?? ""))
  }
}
