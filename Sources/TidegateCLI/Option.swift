/// An option of a command, as it is parsed and as help shows it.
struct Option {
  /// Without its dashes.
  let name: String
  /// What help calls its value; nil for one that has none.
  let value: String?
  /// Whether every value counts; of any other option the last one does.
  let isRepeated: Bool
  let help: String

  init(_ name: String, _ value: String? = nil, isRepeated: Bool = false, help: String) {
    self.name = name
    self.value = value
    self.isRepeated = isRepeated
    self.help = help
  }

  /// As help shows it: `--timeout D`.
  var title: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }
}

extension Option {
  static let help = Option("help", help: "Show this help and exit (-h is the same).")

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
  static let fixtures = Option(
    "fixtures", "FILE", help: "Answer requests from the exchanges in FILE. The network is not touched.")
  static let strict = Option(
    "strict", help: "Exit with 3 also if the result is there and something of it is missing.")
  static let timeout = Option(
    "timeout", "D", help: "Stop the run after this long, as failed: 500ms, 5s, 2m, 1h, or a number of seconds.")
  static let jobs = Option(
    "jobs", "N", help: "Let so many steps, merges and sorts work at once; one a core if not said.")
  static let summary = Option(
    "summary", "FILE",
    help: "Write how the run and each of its nodes ended to FILE, as JSON, whatever happened.")
  static let pretty = Option("pretty", help: "Print the result on many lines, indented.")
  static let format = Option("format", "FORMAT", help: "dot (for Graphviz; the default) or mermaid.")
}
