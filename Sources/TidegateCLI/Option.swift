/// An option of a command, as it is parsed and as help shows it.
struct Option {
  /// Without its dashes.
  let name: String
  /// One letter that means the same, behind one dash.
  let letter: String?
  /// What help calls its value; nil for one that has none.
  let value: String?
  /// Whether every value counts; of any other option the last one does.
  let isRepeated: Bool
  let help: String

  init(_ name: String, _ value: String? = nil, letter: String? = nil, isRepeated: Bool = false, help: String) {
    self.name = name
    self.letter = letter
    self.value = value
    self.isRepeated = isRepeated
    self.help = help
  }

  /// As help shows it: `--timeout D`, `-o, --output FORMAT`.
  var title: String {
    let long = value.map { "--\(name) \($0)" } ?? "--\(name)"
    return letter.map { "-\($0), \(long)" } ?? long
  }

  /// Whether a word of a command line, without its value, means this option.
  func isMeant(by word: Substring) -> Bool { word == "--\(name)" || letter.map { word == "-\($0)" } ?? false }
}

extension Option {
  static let help = Option("help", letter: "h", help: "Show this help and exit.")

  static let input = Option(
    "input", "NAME=VALUE", isRepeated: true,
    help: """
      Give an input, as a text that is converted to the input's type; as often as needed. The last of a name counts, \
      and counts more than --inputs.
      """)
  static let inputs = Option(
    "inputs", "FILE", help: "Take inputs from a JSON object in FILE; '-' is stdin.")
  static let secret = Option(
    "secret", "NAME=VALUE", isRepeated: true,
    help: """
      Give a secret. Other people of this machine can see a command line: a secrets file or the environment is the \
      better place.
      """)
  static let secrets = Option(
    "secrets", "FILE", help: "Take secrets from a JSON object of texts in FILE; '-' is stdin.")
  static let signal = Option(
    "signal", "NAME", isRepeated: true, help: "Signal a 'signal' node at the start; as often as needed.")
  static let signals = Option(
    "signals", "FILE",
    help: """
      Take signals from the lines of FILE, a file, a FIFO, or '-' for stdin: a name, then a space and a JSON value if \
      the signal carries one.
      """)
  static let fixtures = Option(
    "fixtures", "FILE",
    help: """
      Answer requests from the exchanges in FILE: fixtures, a HAR, WireMock's mappings or a folder of them. The network \
      is not touched.
      """)
  static let strict = Option(
    "strict", help: "Exit with 3 also if the result is there and something of it is missing.")
  static let timeout = Option(
    "timeout", "D", help: "Stop the run after this long, as failed: 500ms, 5s, 2m, 1h, or a number of seconds.")
  static let jobs = Option(
    "jobs", "N", help: "Let so many merges, sorts and other data verbs work at once; one a core if not said.")
  static let summary = Option(
    "summary", "FILE",
    help: "Write how the run and each of its nodes ended to FILE, as JSON, whatever happened.")
  static let output = Option(
    "output", "FORMAT", letter: "o",
    help: """
      How the result is written: json (one line; the default), pretty, ndjson (an item a line), csv, table (for people), \
      or raw (a text as it is).
      """)
  static let out = Option(
    "out", "FILE", help: "Write the result to FILE and not to stdout: whole, or not at all.")
  static let filter = Option("filter", "TEXT", help: "Run only tests whose full name holds TEXT.")
  static let failFast = Option("fail-fast", help: "Start no more tests after the first failure.")
  static let seed = Option("seed", "N", help: "Run tests in the order of this seed, as an earlier run has printed it.")
  static let limit = Option(
    "limit", "D",
    help: """
      Stop a test that runs longer than this, as failed; real time, not virtual. 10s if not said, 1m with --faults or \
      --orders.
      """)
  static let faults = Option("faults", help: "Also let each request fail in each way, and print how the run ends.")
  static let orders = Option("orders", help: "Also run every order in which answers can arrive.")
  static let update = Option(
    "update", help: "Write snapshots that are new or differ. Refused where the environment variable CI is set.")
  static let testJobs = Option("jobs", "N", help: "Test so many files at once; one a core if not said.")
  static let testReport = Option(
    "report", "FORMAT",
    help: "terminal (the default), tap (TAP 14), junit (XML), github (annotations), or jsonl (JSON, a test a line).")
  static let reportFile = Option(
    "out", "FILE", help: "Write the report to FILE and not to stdout: whole, or not at all.")
  static let port = Option("port", "N", help: "Listen on this port; on one that is free if not said.")
  static let host = Option(
    "host", "H", help: "Listen on this address; 127.0.0.1 if not said, which only this machine can reach.")
  static let format = Option("format", "FORMAT", help: "dot (for Graphviz; the default) or mermaid.")
}
