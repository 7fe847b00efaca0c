/// Finds what Lua lets pass: a local that has no value yet, in the table of a node. `after = { later }` would name nobody,
/// and `when = own` would ask nothing.
///
/// It reads the text, not the program. What stands in a function or a loop may run when the local has its value, and is left
/// alone.
public func earlyUses(in sources: Sources) -> [Diagnostic] {
  sources.files.flatMap { file in
    var check = EarlyUseCheck(file)
    return check.run()
  }
}

private struct EarlyUseCheck {
  /// What opened a block or a bracket.
  private enum Opened { case function, loop, block, table, nodeTable }

  private let file: Sources.File
  private let tokens: [LuaToken]
  /// Locals without a value, by name: how deep they were declared.
  private var empty: [Substring: Int] = [:]
  /// Locals that get their value where this many tokens were read.
  private var assigned: [Int: [Substring]] = [:]
  private var opened: [Opened] = []
  private var found: [Diagnostic] = []

  init(_ file: Sources.File) {
    self.file = file
    tokens = Array(LuaTokens(file.text))
  }

  mutating func run() -> [Diagnostic] {
    for index in tokens.indices {
      for name in assigned.removeValue(forKey: index) ?? [] { empty[name] = nil }
      switch tokens[index].kind {
      case .keyword: readKeyword(index)
      case .symbol: readSymbol(index)
      case .name: readName(index)
      default: break
      }
    }
    return found
  }

  private func text(_ index: Int) -> Substring { tokens.indices.contains(index) ? tokens[index].text : "" }

  private mutating func readKeyword(_ index: Int) {
    switch tokens[index].text {
    case "function": opened.append(.function)
    // The `do` of a loop opens nothing of its own.
    case "for", "while", "repeat": opened.append(.loop)
    case "if": opened.append(.block)
    case "do": if !isLoopHead(index) { opened.append(.block) }
    case "end", "until": close()
    case "local": readLocal(index)
    default: break
    }
  }

  private func isLoopHead(_ index: Int) -> Bool {
    var depth = 0
    for before in (0..<index).reversed() {
      switch text(before) {
      case "end", "until": depth += 1
      case "function", "if", "repeat": depth -= 1
      case "for", "while":
        if depth <= 0 { return true }
        depth -= 1
      case "do", "then", "local", "return": if depth <= 0 { return false }
      default: break
      }
    }
    return false
  }

  private mutating func close() {
    _ = opened.popLast()
    empty = empty.filter { $0.value <= opened.count }
  }

  private mutating func readSymbol(_ index: Int) {
    switch text(index) {
    case "{": opened.append(isNodeTable(index) ? .nodeTable : .table)
    case "}": close()
    default: break
    }
  }

  /// `tide.verb "name" {` or `tide.verb("name", {`.
  private func isNodeTable(_ index: Int) -> Bool {
    let isCall = text(index - 1) == "," && text(index - 3) == "("
    let name = isCall ? index - 2 : index - 1
    guard tokens.indices.contains(name), tokens[name].kind == .string else { return false }
    let verb = isCall ? name - 2 : name - 1
    return text(verb - 1) == "." && PlanBuilder.verbs.contains(String(text(verb)))
  }

  /// `local a, b` without a value.
  private mutating func readLocal(_ index: Int) {
    var next = index + 1
    var names: [Substring] = []
    while tokens.indices.contains(next), tokens[next].kind == .name {
      names.append(text(next))
      next += text(next + 1) == "<" ? 4 : 1
      guard text(next) == "," else { break }
      next += 1
    }
    for name in names { empty[name] = text(next) == "=" ? nil : opened.count }
  }

  private mutating func readName(_ index: Int) {
    let name = text(index)
    guard let depth = empty[name], ![".", ":", "goto", "local"].contains(text(index - 1)) else { return }
    if isDeclaring(index) { return }
    let isInTable = opened.last == .table || opened.last == .nodeTable
    if text(index + 1) == "=" || text(index + 1) == "," && !isInTable && !opened.contains(.nodeTable) {
      if !isInTable { assigned[endOfAssignment(index), default: []].append(name) }
      return
    }
    let around = opened.dropFirst(depth)
    guard around.contains(.nodeTable), !around.contains(.function), !around.contains(.loop) else { return }
    let token = tokens[index]
    found.append(
      Diagnostic(
        .handleMisuse, "'\(name)' has no value yet: it is given one further down",
        at: Location(
          file: file.name, line: token.line, columns: token.column..<(token.column + token.text.utf8.count)),
        help: "a node can only wait for nodes that are declared before it"))
  }

  /// Whether this is one of the names behind `local`.
  private func isDeclaring(_ index: Int) -> Bool {
    var before = index - 1
    while text(before) == ",", tokens.indices.contains(before - 1), tokens[before - 1].kind == .name { before -= 2 }
    return text(before) == "local"
  }

  /// Where the value of an assignment has been read: behind the node's table, if it is a node, else at once.
  private func endOfAssignment(_ index: Int) -> Int {
    var next = index
    while tokens.indices.contains(next), text(next) != "=" { next += 1 }
    let first = (next + 1)..<min(next + 8, tokens.count)
    guard let open = first.first(where: { text($0) == "{" && isNodeTable($0) }) else { return next + 1 }
    var depth = 0
    for place in open..<tokens.count {
      if text(place) == "{" { depth += 1 } else if text(place) == "}" { depth -= 1 }
      if depth == 0 { return place + 1 }
    }
    return tokens.count
  }
}
