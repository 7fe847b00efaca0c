/// What the process tells its caller.
enum ExitCode: Int32 {
  /// Also for a partial result, without `--strict`.
  case ok = 0
  /// The command line, an input or a file that it names.
  case usage = 1
  case invalid = 2
  case failed = 3
  case testFailed = 4
  case interrupted = 130
}
