/// Finds what Lua lets pass: a handle used as if its value were known. `if h`, `not h`, `h and x`, `h == x` all compile
/// and run, and always decide the same way.
///
/// It reads the text, not the program: a local that is declared with a verb is a handle until its block ends or another
/// local of its name hides it.
public func handleMisuses(in sources: Sources) -> [Diagnostic] {
  sources.files.flatMap { file in
    var check = HandleUseCheck(file)
    return check.run()
  }
}

private struct HandleUseCheck {
  private let file: Sources.File
  private let tokens: [LuaToken]
  private var position = 0
  /// What each block's locals are: true for a handle.
  private var scopes: [[Substring: Bool]] = [[:]]
  private var found: [Diagnostic] = []

  init(_ file: Sources.File) {
    self.file = file
    tokens = Array(LuaTokens(file.text))
  }

  mutating func run() -> [Diagnostic] {
    while position < tokens.count {
      let token = tokens[position]
      switch (token.kind, token.text) {
      case (.keyword, "local"): readLocal()
      case (.keyword, "function"): openFunction()
      case (.keyword, "for"): openFor()
      case (.keyword, "do"), (.keyword, "if"), (.keyword, "repeat"):
        scopes.append([:])
        position += 1
      case (.keyword, "end"), (.keyword, "until"):
        if scopes.count > 1 { scopes.removeLast() }
        position += 1
      case (.name, _): readName()
      default: position += 1
      }
    }
    return found
  }

  private func text(_ offset: Int) -> Substring? {
    tokens.indices.contains(offset) ? tokens[offset].text : nil
  }

  /// `local a, b = tide.request "a" {...}, tide.request "b" {...}`. The right side is read as ever; the names come
  /// alive behind it, which no misuse can tell apart.
  private mutating func readLocal() {
    position += 1
    guard text(position) != "function" else { return }
    var names: [Substring] = []
    while let name = text(position), tokens[position].kind == .name {
      names.append(name)
      position += 1
      // An attribute: `local x <const>`.
      if text(position) == "<" { position += 3 }
      guard text(position) == "," else { break }
      position += 1
    }
    let values = text(position) == "=" ? starts(ofValuesFrom: position + 1) : []
    for (index, name) in names.enumerated() {
      scopes[scopes.count - 1][name] = index < values.count && isDeclaration(values[index])
    }
  }

  /// Where each expression of a list begins; it ends at a word that can't go on.
  private func starts(ofValuesFrom first: Int) -> [Int] {
    var starts = [first]
    var depth = 0
    var index = first
    while let word = text(index) {
      switch word {
      case "(", "{", "[", "function", "do", "if", "repeat": depth += 1
      case ")", "}", "]", "end", "until": depth -= 1
      case ",": if depth == 0 { starts.append(index + 1) }
      case "local", "return": if depth == 0 { return starts }
      default: break
      }
      if depth < 0 { return starts }
      index += 1
    }
    return starts
  }

  /// `tide.verb "name"`, whatever the library's own local is called, and nothing behind that takes a value of it.
  private func isDeclaration(_ start: Int) -> Bool {
    guard let verb = text(start + 2), text(start + 1) == ".", verb != "queue" else { return false }
    guard PlanBuilder.verbs.contains(String(verb)), tokens.indices.contains(start + 3) else { return false }
    return tokens[start + 3].kind == .string || tokens[start + 3].text == "("
  }

  private mutating func openFunction() {
    position += 1
    while let word = text(position), word != "(", word != ")" { position += 1 }
    var parameters: [Substring: Bool] = [:]
    while let word = text(position), word != ")" {
      if tokens[position].kind == .name { parameters[word] = false }
      position += 1
    }
    position += 1
    scopes.append(parameters)
  }

  /// `for k, v in ...`: its names hide others until the `do` block's end; the block's own scope follows with `do`.
  private mutating func openFor() {
    position += 1
    while let word = text(position), word != "in", word != "=", word != "do" {
      if tokens[position].kind == .name { scopes[scopes.count - 1][word] = false }
      position += 1
    }
  }

  private mutating func readName() {
    let start = position
    position += 1
    let before = start > 0 ? tokens[start - 1].text : ""
    // A field of something else, or a key of a table.
    guard before != ".", before != ":", before != "goto", isHandle(tokens[start].text) else { return }
    while text(position) == ".", tokens.indices.contains(position + 1), tokens[position + 1].kind == .name {
      position += 2
    }
    let after = text(position) ?? ""
    if after == "=", before == "{" || before == "," { return }
    if after == "(" || after == "[" || after == ":" || after == ".." { return }
    if let complaint = Self.complaint(before: before, after: after) { report(start, complaint) }
  }

  private func isHandle(_ name: Substring) -> Bool {
    for scope in scopes.reversed() { if let known = scope[name] { return known } }
    return false
  }

  private static func complaint(before: Substring, after: Substring) -> String? {
    if ["==", "~="].contains(before) { return "compared with '\(before)'" }
    if ["==", "~="].contains(after) { return "compared with '\(after)'" }
    if ["if", "elseif", "while", "until", "not"].contains(before) { return "used in '\(before)'" }
    // `known and h or other` chooses by what is known, and is fine.
    if ["and", "or"].contains(after), before != "and" { return "used in '\(after)'" }
    return nil
  }

  private mutating func report(_ start: Int, _ complaint: String) {
    let token = tokens[start]
    let columns = token.column..<(token.column + token.text.utf8.count)
    let location = Location(file: file.name, line: token.line, columns: columns)
    found.append(
      Diagnostic(
        .handleMisuse,
        "the handle '\(token.text)' is \(complaint), but its value is not known while the script declares",
        at: location,
        help: "decide with a node's 'when' option, tide.ok(h), or inside a step, which gets the value"))
  }
}
