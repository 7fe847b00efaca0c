/// Help, made from the table of commands and options.
enum HelpText {
  private static let width = 80

  static let exitCodes = """
    Exit codes: 0 ok, 1 usage (also inputs and files), 2 the script is invalid,
    3 the run failed, 4 a test failed, 130 interrupted.

    """

  static var overall: String {
    let rows = Command.all.map { ($0.usageInList, $0.summary) }
    return """
      tidegate runs workflows of HTTP requests, written as short Lua scripts.

      Usage: tidegate COMMAND [options]

      Commands:
      \(table(rows))
      Options:
      \(table([("-h, --help", "Show this help, or after a command that command's."), ("--version", "Show the version.")]))
      \(exitCodes)
      """
  }

  static func of(_ command: Command) -> String {
    var text = "Usage: \(command.usage)\n\n\(command.summary)\n"
    for paragraph in command.details { text += "\n" + wrapped(paragraph, indent: 0) + "\n" }
    text += "\nOptions:\n" + table(command.options.map { ($0.title, $0.help) })
    if !command.examples.isEmpty {
      text += "\nExamples:\n" + command.examples.map { "  \($0)\n" }.joined()
    }
    return text + "\n" + exitCodes
  }

  /// Two columns; a long left one stands on a line of its own.
  private static func table(_ rows: [(left: String, right: String)]) -> String {
    let column = 2 + min(22, rows.map(\.left.count).max() ?? 0) + 2
    var text = ""
    for (left, right) in rows {
      let head = "  " + left
      let isLong = head.count + 2 > column
      text += head + (isLong ? "\n" + spaces(column) : spaces(column - head.count))
      text += wrapped(right, indent: column) + "\n"
    }
    return text
  }

  /// The lines after the first are indented.
  private static func wrapped(_ text: String, indent: Int) -> String {
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if indent + last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines.joined(separator: "\n" + spaces(indent))
  }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}

extension Command {
  fileprivate var usageInList: String {
    guard let operand else { return name }
    return "\(name) \(operand.shown)"
  }
}
