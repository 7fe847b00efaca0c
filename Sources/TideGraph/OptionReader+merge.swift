import TideValue

extension OptionReader {
  mutating func readMerge() -> Verb {
    let name = text("how") ?? "concat"
    let wait = readWait()
    let cancelsRest = boolean("cancel_rest") ?? false
    let tag = text("tag")
    let keys = keys("key")
    let keep = choice("keep", Keep.self) ?? .inner
    let lengths = choice("lengths", Lengths.self) ?? .equal
    let collision = choice("collision", Collision.self) ?? .error
    if name == "object" {
      let (names, inputs) = namedInputs()
      return .merge(
        MergeSpec(
          inputs: joinInputs(inputs), wait: wait, how: .object(names: names), tag: tag, cancelsRest: cancelsRest))
    }
    let inputs = joinInputs(inputs())
    checkKeyCount(keys, inputs)
    checkMeaning(of: name)
    let how: MergeSpec.How
    switch name {
    case "concat": how = .concat
    case "union": how = .union(keys: keys, collision)
    case "join":
      if keys.isEmpty { missing("'key'", help: "key = \"id\" joins by that field, a list names one for each input") }
      how = .join(keys: keys, keep, collision)
    case "zip": how = .zip(lengths)
    case "deep": how = .deep(collision)
    default:
      let known = ["concat", "deep", "join", "object", "union", "zip"]
      complain(
        .badValue, "'how' is \"\(name)\"", at: "how",
        help: didYouMean(name, among: known) ?? "one of: \(known.joined(separator: ", "))")
      how = .concat
    }
    return .merge(MergeSpec(inputs: inputs, wait: wait, how: how, tag: tag, cancelsRest: cancelsRest))
  }

  /// An option that the chosen `how` never looks at is a mistake, not a wish.
  private mutating func checkMeaning(of how: String) {
    let uses = [
      "key": ["union", "join"], "keep": ["join"], "lengths": ["zip"], "collision": ["union", "join", "deep"],
      "tag": ["concat", "union"],
    ]
    for option in uses.keys.sorted() {
      guard let meant = uses[option], !meant.contains(how), has(option) else { continue }
      let list = meant.map { "\"\($0)\"" }.joined(separator: " or ")
      complain(
        .badValue, "'\(option)' means nothing with how = \"\(how)\"", at: option, help: "it goes with how = \(list)")
    }
  }

  private mutating func checkKeyCount(_ keys: [[Path]], _ inputs: [Expression]) {
    guard keys.count > 1, keys.count != inputs.count else { return }
    complain(
      .badValue, "'key' has \(keys.count) paths for \(inputs.count) inputs", at: "key",
      help: "give one, or one for each input")
  }

  /// `{ { users = u, orders = o }, how = "object" }`.
  private mutating func namedInputs() -> (names: [String], inputs: [Expression]) {
    guard declaration.inputs.count == 1, case .table(let entries) = declaration.inputs[0] else {
      complain(
        .badValue, "takes one table of named inputs with how = \"object\"",
        help: "write { { users = u, orders = o }, how = \"object\" }")
      return ([], [])
    }
    var names: [String] = []
    var inputs: [Expression] = []
    for entry in entries {
      guard let input = expression(entry.value, named: entry.key) else { continue }
      names.append(entry.key)
      inputs.append(input)
    }
    return (names, inputs)
  }

  /// One path for all inputs, or a list of one for each; each may be a list of paths that make the key together.
  private mutating func keys(_ key: String) -> [[Path]] {
    guard let value = constant(key) else { return [] }
    guard value.kind == .array else { return [paths(value, named: key)] }
    return value.items.map { paths($0, named: key) }
  }
}
