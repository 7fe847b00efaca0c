import TideGraph

/// Why a command ends before its work is done.
enum Stop: Error {
  /// The command line is wrong.
  case usage(String, help: String)
  /// The script, or what it was given, is wrong.
  case diagnostics(Diagnostics)
}

extension Stop {
  /// - Parameters:
  ///   - meant: what the misspelt word most likely means.
  ///   - otherwise: the command whose help says what there is.
  static func usage(_ message: String, meant: String?, otherwise: String) -> Stop {
    .usage(message, help: meant.map { "did you mean '\($0)'?" } ?? "'\(otherwise)' shows what there is")
  }

  /// What is wrong with a script is its author's to mend; what is wrong with how it was asked, its user's.
  var exitCode: ExitCode {
    switch self {
    case .usage: .usage
    case .diagnostics(let diagnostics):
      diagnostics.all.contains { $0.severity == .error && !$0.code.isAboutAsking } ? .invalid : .usage
    }
  }
}

extension Diagnostic.Code {
  /// Inputs, files and options: codes that begin with T04.
  var isAboutAsking: Bool { description.hasPrefix("T04") }
}
