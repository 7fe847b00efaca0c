import TideValue

extension OptionReader {
  /// The verb with the options that are its own.
  mutating func readVerb() -> Verb {
    switch declaration.verb {
    case "input": readInput()
    case "secret": readSecret()
    case "request": readRequest()
    case "step": readStep()
    case "merge": readMerge()
    case "sort": readSort()
    case "barrier": readBarrier()
    case "fallback": readFallback()
    case "signal": readSignal()
    case "sleep": readSleep()
    case "file": readFile()
    case "filter": readFilter()
    case "map": readMap()
    case "pick": readPick()
    case "group": readGroup()
    case "distinct": readDistinct()
    case "slice": readSlice()
    case "aggregate": readAggregate()
    default: unknownVerb()
    }
  }

  private mutating func unknownVerb() -> Verb {
    complain(
      .unknownOption, "there is no verb 'tide.\(declaration.verb)'",
      help: didYouMean(declaration.verb, among: PlanBuilder.verbs))
    return .barrier(BarrierSpec(inputs: []))
  }

  /// The options of every node; nil where none is given.
  mutating func readNodeOptions() -> NodeOptions? {
    let after = nodes("after")
    let needs = nodes("needs")
    let settings = NodeSettings(
      when: readWhen(), timeout: readTimeout(), deadline: duration("deadline"), retry: readRetry(),
      otherwise: constant("otherwise"), queue: queue("queue"), isAlways: boolean("always") ?? false,
      isSecret: boolean("secret") ?? false, doc: text("doc"))
    if settings.queue != nil, declaration.verb == "fallback" {
      complain(
        .badValue, "a fallback only contains others, and takes no permit", at: "queue",
        help: "give the queue to the requests that are its inputs")
    }
    guard !after.isEmpty || !needs.isEmpty || !settings.isPlain else { return nil }
    return NodeOptions(after: after, needs: needs, settings)
  }

  /// `timeout = "5s"`, or `timeout = { connect = "1s", total = "5s" }`, whose `connect` the request reads.
  private mutating func readTimeout() -> Duration? {
    guard case .table(let entries)? = argument("timeout") else { return duration("timeout") }
    for entry in entries where entry.key != "connect" && entry.key != "total" {
      complain(
        .unknownOption, "unknown option 'timeout.\(entry.key)'", at: entry.key,
        help: "'timeout' knows: connect, total")
    }
    return entries.first { $0.key == "total" }.flatMap { duration($0.value, named: "timeout.total") }
  }

  private mutating func readWhen() -> When? {
    guard let argument = argument("when") else { return nil }
    switch argument {
    case .list(let items) where items.count == 2:
      guard let subject = expression(items[0], named: "when"), let condition = condition(items[1], named: "when") else {
        return nil
      }
      return When(subject, condition: condition)
    case .expression(let subject): return When(subject)
    case .value(let value) where value.kind == .boolean || value.isNull: return When(.literal(value))
    default:
      mismatch("when", "a handle, or { handle, condition }", argument)
      return nil
    }
  }

  /// A function, or a table of paths and what must hold there.
  mutating func condition(_ argument: Argument, named key: String) -> Condition? {
    switch argument {
    case .function(let function): return .function(function)
    case .table(let entries):
      var requirements: [Condition.Requirement] = []
      for entry in entries {
        guard let wanted = expression(entry.value, named: "\(key).\(entry.key)") else { continue }
        checkBounds(wanted, named: "\(key).\(entry.key)")
        do {
          requirements.append(Condition.Requirement(path: try Path(entry.key), wanted: wanted))
        } catch {
          complain(.badValue, "'\(entry.key)' in '\(key)' is no path: \(error)", at: key)
        }
      }
      return .paths(requirements)
    default:
      mismatch(key, "a function, or a table of paths and what must hold there,", argument)
      return nil
    }
  }

  private mutating func checkBounds(_ wanted: Expression, named key: String) {
    let fields: [(key: String, value: Value?)]
    switch wanted {
    case .object(let parts): fields = parts.map { ($0.key, $0.value.constant) }
    case .literal(let value) where value.kind == .object: fields = value.fields.map { ($0.key, $0.value) }
    default: return
    }
    for field in fields where !Condition.bounds.contains(field.key) {
      let help = didYouMean(field.key, among: Condition.bounds)
      complain(
        .unknownOption, "unknown bound '\(field.key)' in '\(key)'", at: field.key,
        help: help ?? "a bound is one of: \(Condition.bounds.joined(separator: ", "))")
    }
    if let text = fields.first(where: { $0.key == "matches" })?.value?.string {
      do { _ = try LuaPattern(text) } catch { complain(.badValue, "'\(key).matches': \(error)", at: "matches") }
    }
  }
}
