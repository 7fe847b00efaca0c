import Tidegate

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@main struct Main {
  static func main() {
    Standard.prepare()
    let code = exitCode(of: CommandLine.arguments.dropFirst())
    // Not `exit`: it would tear down what other threads still use, and cost time. Nothing is buffered.
    _exit(code.rawValue)
  }

  private static func exitCode(of words: ArraySlice<String>) -> ExitCode {
    do throws(Stop) {
      guard let first = words.first else {
        Standard.error(HelpText.overall)
        return .usage
      }
      switch first {
      case "--version": return Standard.print("tidegate \(Tidegate.version)\n")
      case "--help", "-h": return Standard.print(HelpText.overall)
      case let option where option.hasPrefix("-"):
        throw Stop.usage(
          "tidegate has no option '\(option)'", meant: nearest(to: option, among: ["--help", "--version"]),
          otherwise: "tidegate help")
      default:
        let invocation = try Invocation(try Command.named(first), words.dropFirst())
        if invocation.has(.help) { return Standard.print(HelpText.of(invocation.command)) }
        return try invocation.command.run(invocation)
      }
    } catch {
      Console.show(error)
      return error.exitCode
    }
  }
}
