/// A command: the one place that parsing, help and suggestions know it from.
struct Command {
  let name: String
  /// What stands after the name, as help calls it; nil if nothing does.
  let operand: Operand?
  /// A line of the list of commands.
  let summary: String
  /// Paragraphs under its usage.
  let details: [String]
  let options: [Option]
  let examples: [String]
  let run: @Sendable (Invocation) throws(Stop) -> ExitCode

  struct Operand {
    let name: String
    let isOptional: Bool
    /// Whether there may be several.
    var isRepeated = false

    /// `SCRIPT`, `[PATH...]`.
    var shown: String {
      let name = isRepeated ? "\(name)..." : name
      return isOptional ? "[\(name)]" : name
    }

    /// The path of a script.
    static let script = Operand(name: "SCRIPT", isOptional: false)
  }

  init(
    _ name: String, _ operand: Operand?, summary: String, details: [String], options: [Option] = [],
    examples: [String] = [], run: @escaping @Sendable (Invocation) throws(Stop) -> ExitCode
  ) {
    self.name = name
    self.operand = operand
    self.summary = summary
    self.details = details
    self.options = options + [.help]
    self.examples = examples
    self.run = run
  }

  /// `tidegate run SCRIPT [options]`.
  var usage: String {
    var words = ["tidegate", name]
    if let operand { words.append(operand.shown) }
    if options.count > 1 { words.append("[options]") }
    return words.joined(separator: " ")
  }
}
