import Glibc

/// Runs workflows against scripts/soak.d/server.py for a while, and says whether everything adds up.
///
///     soak PORT MINUTES SEED FOLDER    FOLDER holds the workflows
@main struct Main {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let port = UInt16(arguments[1]), let minutes = Double(arguments[2]), minutes > 0,
      let seed = UInt64(arguments[3])
    else {
      print("usage: soak PORT MINUTES SEED FOLDER")
      exit(1)
    }
    let soak = Soak(port: port, seed: seed, folder: arguments[4])
    try soak.run(for: .milliseconds(Int64(minutes * 60_000)))
    let verdict = try soak.reckon()
    print(verdict.text)
    exit(verdict.faults.isEmpty ? 0 : 1)
  }
}
