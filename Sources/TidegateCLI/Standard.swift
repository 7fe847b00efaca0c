#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The three files that every process begins with.
enum Standard {
  /// Takes over what a careless caller left undone. Where one of the three files is closed, the next file that is opened
  /// would take its place, and be written into; a reader that goes away would end the process.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    for descriptor in 0...2 as ClosedRange<Int32> where fcntl(descriptor, F_GETFD) < 0 {
      // Opened the wrong way round, so that to use it is still an error.
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes on stderr, from any thread. One call's text stays together; what can't be written is lost.
  static func error(_ text: String) {
    FileOutput(2).write(text)
  }

  /// Writes on stdout; false if that can't be.
  static func print(_ text: String) -> ExitCode {
    let output = FileOutput(1)
    output.write(text)
    return exitCode(after: .ok, output)
  }

  /// A reader that went away wanted no more: nobody has to be told. Anything else is a loss.
  static func exitCode(after code: ExitCode, _ output: FileOutput) -> ExitCode {
    guard case .system(let error)? = output.problem else { return code }
    Standard.error("error: can't write to stdout: \(reason(error))\n")
    return code == .ok ? .failed : code
  }

  /// Whether stderr is a terminal and its owner has not said no (https://no-color.org).
  static let isColorful: Bool = {
    let refusal = getenv("NO_COLOR").map { String(cString: $0) } ?? ""
    return refusal.isEmpty && isatty(2) == 1 && getenv("TERM").map { String(cString: $0) } != "dumb"
  }()
}
