import TideGraph

/// A command line, taken apart.
struct Invocation {
  let command: Command
  /// What stands after the command: a script's path, a command's name.
  private(set) var operands: [String] = []
  private var given: [(name: String, value: String)] = []

  func has(_ option: Option) -> Bool { given.contains { $0.name == option.name } }

  /// The last one counts.
  func value(of option: Option) -> String? { given.last { $0.name == option.name }?.value }

  /// In the order in which they were given.
  func values(of option: Option) -> [String] { given.filter { $0.name == option.name }.map(\.value) }

  /// The first of them.
  var operand: String? { operands.first }

  /// The path of the script, which a command that wants one always has.
  var script: String { operand ?? "" }
}

extension Invocation {
  /// Takes the words after the command's name.
  ///
  /// `--name value` and `--name=value` are the same; after `--` everything is an operand; `-` is one, and may be a value.
  /// `--help` ends the reading: what stands before it must be right, what stands after it does not matter.
  ///
  /// - Throws: the first word that is wrong.
  init(_ command: Command, _ words: some Sequence<String>) throws(Stop) {
    self.command = command
    var rest = Array(words)[...]
    var endsOptions = false
    while let word = rest.popFirst() {
      if endsOptions || word == "-" || !word.hasPrefix("-") {
        try take(operand: word)
      } else if word == "--" {
        endsOptions = true
      } else {
        try take(option: word, &rest)
        if has(.help) { return }
      }
    }
    if let wanted = command.operand, !wanted.isOptional, operand == nil {
      throw .usage("'tidegate \(command.name)' needs a \(wanted.name)", help: "write: \(command.usage)")
    }
  }

  private mutating func take(operand word: String) throws(Stop) {
    guard let wanted = command.operand, wanted.isRepeated || operands.isEmpty else {
      throw .usage("unexpected argument '\(word)'", help: "write: \(command.usage)")
    }
    operands.append(word)
  }

  private mutating func take(option word: String, _ rest: inout ArraySlice<String>) throws(Stop) {
    let equals = word.firstIndex(of: "=")
    let shown = word[..<(equals ?? word.endIndex)]
    guard let option = command.options.first(where: { $0.isMeant(by: shown) }) else {
      throw .usage(
        "'tidegate \(command.name)' has no option '\(shown)'",
        meant: nearest(to: String(shown.dropFirst(2)), among: command.options.map(\.name)).map { "--\($0)" },
        otherwise: "tidegate \(command.name) --help")
    }
    let name = option.name
    guard option.value != nil else {
      if equals != nil { throw .usage("'--\(name)' takes no value", help: "write --\(name)") }
      given.append((name, ""))
      return
    }
    if let equals {
      given.append((name, String(word[word.index(after: equals)...])))
    } else if let value = rest.first, value == "-" || !value.hasPrefix("--") {
      rest.removeFirst()
      given.append((name, value))
    } else {
      throw .usage("'--\(name)' needs a value", help: "write \(option.title)")
    }
  }
}
