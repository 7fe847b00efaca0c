import TideValue

extension OptionReader {
  mutating func readInput() -> Verb {
    noInputs()
    var spec = InputSpec()
    if let name = text("type") {
      spec.type = InputSpec.Kind(rawValue: name)
      if spec.type == nil {
        let known = InputSpec.Kind.allCases.map(\.rawValue)
        complain(
          .badValue, "'type' is \"\(name)\"", at: "type",
          help: didYouMean(name, among: known) ?? "one of: \(known.joined(separator: ", "))")
      }
    }
    spec.allowed = constant("enum")?.items
    spec.fallback = constant("default")
    if let fallback = spec.fallback, let complaint = spec.complaint(about: fallback) {
      complain(.badValue, "'default' \(complaint)", at: "default")
    }
    return .input(spec)
  }

  mutating func readSecret() -> Verb {
    noInputs()
    return .secret(SecretSpec(variable: text("env") ?? declaration.name.uppercased()))
  }

  mutating func readStep() -> Verb {
    let arguments = inputs()
    switch argument("run") {
    case .function(let function)?: return .step(StepSpec(function: function, arguments: arguments))
    case let other?: mismatch("run", "a function", other)
    case nil: missing("'run'", help: "run = function(...) ... end gets the inputs' values in their order")
    }
    return .step(StepSpec(function: FunctionID(0), arguments: arguments))
  }

  mutating func readSort() -> Verb {
    let input = oneInput("the list to sort")
    let limit = integer("limit", in: 0...Int64.max)
    return .sort(SortSpec(input: input, keys: sortKeys(), limit: limit))
  }

  private mutating func sortKeys() -> [SortKey] {
    let texts: [Value]
    switch constant("by") {
    case nil:
      if declaration.options.allSatisfy({ $0.key != "by" }) {
        missing("'by'", help: "by = \"createTime\" sorts by that field, \"-createTime\" downwards, a list by several")
      }
      texts = []
    case let list? where list.kind == .array: texts = list.items
    case let one?: texts = [one]
    }
    let nulls = choice("nulls", ["last": SortKey.Nulls.last, "first": .first]) ?? .last
    let kind =
      choice(
        "as", ["text": SortKind.text, "number": .number, "time": .time, "natural": .natural]) ?? .any
    let invalid = choice("invalid", ["null": SortKey.Invalid.likeNull, "error": .error]) ?? .likeNull
    var keys: [SortKey] = []
    for text in texts {
      do {
        guard let text = text.string else {
          complain(.wrongType, "'by' holds \(text.kind.name), where a path is expected", at: "by")
          continue
        }
        var key = try SortKey(text)
        key.nulls = nulls
        key.kind = kind
        key.invalid = invalid
        keys.append(key)
      } catch {
        complain(.badValue, "'by' is no path: \(error)", at: "by")
      }
    }
    return keys
  }

  mutating func choice<Choice>(_ key: String, _ choices: [String: Choice]) -> Choice? {
    guard let name = text(key) else { return nil }
    if let choice = choices[name] { return choice }
    let known = choices.keys.sorted()
    complain(
      .badValue, "'\(key)' is \"\(name)\"", at: key,
      help: didYouMean(name, among: known) ?? "one of: \(known.joined(separator: ", "))")
    return nil
  }
}
