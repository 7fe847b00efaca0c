import TideValue

extension OptionReader {
  mutating func readFile() -> Verb {
    noInputs()
    if !has("path") { missing("'path'", help: "path = \"prices.csv\" is a file under the script's folder") }
    let path = expression("path") ?? .literal(Value(""))
    if let constant = path.constant, constant.kind != .string {
      complain(.wrongType, "'path' is \(constant.kind.name), where a text is expected", at: "path")
    }
    return .file(FileSpec(path: path, format: choice("format", FileSpec.Format.self)))
  }

  mutating func readFilter() -> Verb {
    let input = oneInput("the list to filter")
    guard let argument = argument("where") else {
      missing("'where'", help: "where = { status = \"open\" }, or a function of an item")
      return data(input, .filter(.paths([])))
    }
    return data(input, .filter(condition(argument, named: "where") ?? .paths([])))
  }

  mutating func readMap() -> Verb {
    let input = oneInput("the list to map")
    let run = argument("run")
    let missingField = choice("missing", ["error": Missing.error, "null": .null]) ?? .error
    let fields = argument("fields")
    switch (run, fields) {
    case (.function(let function)?, nil): return data(input, .mapEach(function))
    case (nil, let table?): return data(input, .map(mapFields(table, missingField)))
    case (nil, nil):
      missing("'fields'", help: "fields = { id = \"id\", name = \"user.name\" }, or run = function(item) ... end")
    case (let other?, nil): mismatch("run", "a function", other)
    case (_?, _?): complain(.badValue, "has both 'fields' and 'run'", at: "run")
    }
    return data(input, .map([]))
  }

  private mutating func mapFields(_ table: Argument, _ missingField: Missing) -> [MapField] {
    guard let value = expression(table, named: "fields")?.constant else {
      mismatch("fields", "a table of names and paths", table)
      return []
    }
    // A list of pairs keeps an order of its own.
    let pairs =
      value.kind == .array
      ? value.items.map { (key: $0[0]?.string ?? "", value: $0[1] ?? .null) } : value.fields
    return pairs.compactMap { pair in
      guard let path = paths(pair.value, named: "fields.\(pair.key)").first else { return nil }
      return MapField(name: pair.key, path: path, fallback: missingField == .null ? .null : nil)
    }
  }

  mutating func readPick() -> Verb {
    let input = oneInput("the list or the object to pick from")
    let fields = neededPaths("fields", help: "fields = { \"id\", \"user.name\" }")
    return data(input, .pick(fields, choice("missing", Missing.self) ?? .error))
  }

  mutating func readGroup() -> Verb {
    let input = oneInput("the list to group")
    return data(input, .group(neededPaths("by", help: "by = \"status\" groups by that field, a list by several")))
  }

  mutating func readDistinct() -> Verb {
    let input = oneInput("the list")
    return data(input, .distinct(constant("by").map { paths($0, named: "by") } ?? []))
  }

  mutating func readSlice() -> Verb {
    let input = oneInput("the list to slice")
    let offset = integer("offset", in: Int64(Int32.min)...Int64(UInt32.max)) ?? 0
    return data(input, .slice(offset: offset, limit: integer("limit", in: 0...Int64.max)))
  }

  mutating func readAggregate() -> Verb {
    let input = oneInput("the list")
    let by = constant("by").map { paths($0, named: "by") } ?? []
    if !has("give") {
      missing("'give'", help: "give = { orders = \"count\", total = { sum = \"amount\" } }")
    }
    let give = constant("give")
    var aggregates: [Aggregate] = []
    for field in give?.fields ?? [] {
      guard let function = aggregateFunction(field.value, named: field.key) else { continue }
      aggregates.append(Aggregate(name: field.key, function))
    }
    return data(input, .aggregate(by: by, aggregates))
  }

  private mutating func aggregateFunction(_ value: Value, named name: String) -> Aggregate.Function? {
    let known = ["count", "max", "mean", "min", "sum"]
    if value.string == "count" { return .count }
    let field = value.kind == .object && value.count == 1 ? value.fields.first : nil
    if let field, field.key != "count", known.contains(field.key) {
      guard let path = paths(field.value, named: "give.\(name)").first else { return nil }
      switch field.key {
      case "max": return .max(path)
      case "mean": return .mean(path)
      case "min": return .min(path)
      default: return .sum(path)
      }
    }
    let word = field?.key ?? value.string ?? ""
    complain(
      .badValue, "'give.\(name)' is \(value.excerpt)", at: name,
      help: didYouMean(word, among: known) ?? "write \"count\", or { sum = \"path\" }, min, max or mean")
    return nil
  }

  private func data(_ input: Expression, _ operation: DataSpec.Operation) -> Verb {
    .data(DataSpec(input: input, operation: operation))
  }

  /// The one list that a verb works on.
  mutating func oneInput(_ what: String) -> Expression {
    let inputs = inputs()
    if inputs.count != 1 {
      complain(
        inputs.isEmpty ? .missingOption : .badValue, "takes one input, \(what), and has \(inputs.count)",
        help: inputs.isEmpty ? nil : "tide.merge makes one list of several")
    }
    return inputs.first ?? .literal(.null)
  }

  private mutating func neededPaths(_ key: String, help: String) -> [Path] {
    if !has(key) { missing("'\(key)'", help: help) }
    return constant(key).map { paths($0, named: key) } ?? []
  }

  /// A path, or a list of paths.
  mutating func paths(_ value: Value, named key: String) -> [Path] {
    var paths: [Path] = []
    for text in value.kind == .array ? value.items : [value] {
      guard let text = text.string else {
        complain(.wrongType, "'\(key)' holds \(text.kind.name), where a path is expected", at: key)
        continue
      }
      do {
        paths.append(try Path(text))
      } catch {
        complain(.badValue, "'\(key)' is no path: \(error)", at: key)
      }
    }
    return paths
  }

  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ key: String, _: Choice.Type) -> Choice? {
    choice(key, Dictionary(uniqueKeysWithValues: Choice.allCases.map { ($0.rawValue, $0) }))
  }

  func has(_ key: String) -> Bool { declaration.options.contains { $0.key == key } }
}
