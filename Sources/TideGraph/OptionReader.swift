import TideValue

/// Takes a declaration's table apart, option by option. What it was asked for is what is known: anything else in the
/// table is an unknown option.
struct OptionReader {
  let declaration: Declaration
  let sources: Sources
  let names: PlanBuilder
  private(set) var diagnostics: [Diagnostic] = []
  private var asked: [String] = []

  init(_ declaration: Declaration, sources: Sources, names: PlanBuilder) {
    self.declaration = declaration
    self.sources = sources
    self.names = names
  }

  /// What stands under a key. To ask makes the key known.
  mutating func argument(_ key: String) -> Argument? {
    asked.append(key)
    return declaration.options.first { $0.key == key }?.value
  }

  mutating func text(_ key: String) -> String? {
    guard let argument = argument(key) else { return nil }
    if case .value(let value) = argument, let text = value.string { return text }
    mismatch(key, "a text", argument)
    return nil
  }

  mutating func boolean(_ key: String) -> Bool? {
    guard let argument = argument(key) else { return nil }
    return boolean(argument, named: key)
  }

  mutating func boolean(_ argument: Argument, named key: String) -> Bool? {
    if case .value(let value) = argument, let flag = value.bool { return flag }
    mismatch(key, "true or false", argument)
    return nil
  }

  mutating func integer(_ key: String, in range: ClosedRange<Int64>) -> Int? {
    guard let argument = argument(key) else { return nil }
    return integer(argument, named: key, in: range)
  }

  mutating func integer(_ argument: Argument, named key: String, in range: ClosedRange<Int64>) -> Int? {
    guard case .value(let value) = argument, value.kind == .number else {
      mismatch(key, "a whole number", argument)
      return nil
    }
    guard let number = value.int64, range.contains(number) else {
      let limit =
        range.upperBound == .max ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
      complain(.badValue, "'\(key)' is \(value): a whole number, \(limit), is expected", at: key)
      return nil
    }
    return Int(number)
  }

  mutating func duration(_ key: String) -> Duration? {
    guard let argument = argument(key) else { return nil }
    return duration(argument, named: key)
  }

  mutating func duration(_ argument: Argument, named key: String) -> Duration? {
    guard case .value(let value) = argument, value.kind == .string || value.kind == .number else {
      mismatch(key, "a length of time", argument)
      return nil
    }
    if let duration = Duration(value), duration > .zero { return duration }
    complain(
      .badValue, "'\(key)' is \(value): a length of time above zero is expected", at: key,
      help: "write \"500ms\", \"5s\", \"2m\", \"1h\", or a number of seconds")
    return nil
  }

  mutating func path(_ key: String) -> Path? {
    guard let text = text(key) else { return nil }
    do {
      return try Path(text)
    } catch {
      complain(.badValue, "'\(key)' is no path: \(error)", at: key)
      return nil
    }
  }

  /// A value of the run, which may hold handles.
  mutating func expression(_ key: String) -> Expression? {
    argument(key).flatMap { expression($0, named: key) }
  }

  mutating func expression(_ argument: Argument, named key: String) -> Expression? {
    do {
      return try argument.expression(at: key)
    } catch {
      complain(
        .wrongType, "'\(error.path)' is \(error.found), where a value is expected", at: key,
        help: error.found == "a function" ? "a function goes into a step's 'run'" : nil)
      return nil
    }
  }

  /// A value that is known now.
  mutating func constant(_ key: String) -> Value? {
    guard let expression = expression(key) else { return nil }
    if let value = expression.constant { return value }
    complain(
      .wrongType, "'\(key)' holds a handle, where a value that is known now is expected", at: key,
      help: key == "otherwise" ? "to use another node's value in its place, merge the two with wait = 1" : nil)
    return nil
  }

  /// The handles of a list, or one handle.
  mutating func nodes(_ key: String) -> [NodeID] {
    guard let argument = argument(key) else { return [] }
    let items: [Argument]
    if case .list(let list) = argument { items = list } else { items = [argument] }
    var found: [NodeID] = []
    for item in items {
      guard case .expression(let expression) = item else {
        mismatch(key, "a list of handles", item)
        continue
      }
      expression.forEachDependency { node, _ in found.append(node) }
    }
    return found
  }

  mutating func queue(_ key: String) -> QueueID? {
    guard let argument = argument(key) else { return nil }
    if case .queue(let queue) = argument { return queue }
    mismatch(key, "a queue", argument, help: "local line = tide.queue \"line\" { width = 1 }, then queue = line")
    return nil
  }

  /// Complains of every option that nobody asked for.
  mutating func finish() {
    for entry in declaration.options where !asked.contains(entry.key) {
      let all = Set(asked).sorted()
      complain(
        .unknownOption, "unknown option '\(entry.key)'", at: entry.key,
        help: didYouMean(entry.key, among: all) ?? "'\(declaration.verb)' knows: \(all.joined(separator: ", "))")
    }
  }
}

extension OptionReader {
  /// `request "detail"`, as it reads in messages.
  var title: String { "\(declaration.verb) \"\(declaration.name)\"" }

  mutating func complain(_ code: Diagnostic.Code, _ message: String, at key: String? = nil, help: String? = nil) {
    let location = key.flatMap { sources.location(ofOption: $0, after: declaration.place) }
    let place = location ?? sources.location(declaration.place)
    diagnostics.append(Diagnostic(code, "\(title): \(message)", at: place, help: help))
  }

  mutating func warn(_ message: String, at key: String, help: String? = nil) {
    let place = sources.location(ofOption: key, after: declaration.place) ?? sources.location(declaration.place)
    diagnostics.append(Diagnostic(.suspicious, "\(title): \(message)", at: place, severity: .warning, help: help))
  }

  mutating func mismatch(_ key: String, _ expected: String, _ found: Argument, help: String? = nil) {
    complain(.wrongType, "'\(key)' is \(found.kindName), where \(expected) is expected", at: key, help: help)
  }

  mutating func missing(_ what: String, help: String? = nil) {
    complain(.missingOption, "\(what) is missing", help: help)
  }

  /// The inputs as values of the run.
  mutating func inputs() -> [Expression] {
    var found: [Expression] = []
    for (index, input) in declaration.inputs.enumerated() {
      do {
        found.append(try input.expression(at: "[\(index + 1)]"))
      } catch {
        complain(
          .wrongType, "input \(error.path) is \(error.found), where a handle or a value is expected",
          help: error.found == "a function" ? "a step's function is its 'run' option: run = function(...) ... end" : nil
        )
      }
    }
    return found
  }

  mutating func noInputs() {
    guard !declaration.inputs.isEmpty else { return }
    complain(.badValue, "takes no inputs, and has \(declaration.inputs.count)")
  }
}

extension Sources {
  /// Where an option is written: the first `key =` from the declaration's line on, before the next one begins.
  func location(ofOption key: String, after place: Place) -> Location? {
    guard place.line > 0, files.indices.contains(Int(place.file)) else { return nil }
    let file = files[Int(place.file)]
    let lines = file.text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
    let word = Array(key.utf8)
    for number in Int(place.line)..<Int(place.line) + 200 where number <= lines.count {
      let line = Array(lines[number - 1])
      if number > Int(place.line), line.starts(with: Array("local ".utf8)) { return nil }
      if let column = column(of: word, in: line) {
        return Location(file: file.name, line: number, columns: column..<(column + word.count))
      }
    }
    return nil
  }

  private func column(of word: [UInt8], in line: [UInt8]) -> Int? {
    guard !word.isEmpty, line.count >= word.count else { return nil }
    func isWord(_ byte: UInt8) -> Bool {
      byte == 0x5F || UInt8(ascii: "0") <= byte && byte <= UInt8(ascii: "9")
        || (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A
    }
    for start in 0...(line.count - word.count) where line[start..<(start + word.count)].elementsEqual(word) {
      if start > 0, isWord(line[start - 1]) { continue }
      let rest = line[(start + word.count)...].drop { $0 == 0x20 || $0 == 0x09 }
      if rest.first == UInt8(ascii: "="), rest.dropFirst().first != UInt8(ascii: "=") { return start + 1 }
    }
    return nil
  }
}
