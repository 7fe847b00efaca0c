import TideValue

extension OptionReader {
  /// The verbs whose work may end otherwise when it is done once more.
  private static let repeatable = ["request", "step"]

  /// `retry = 3`, or `{ times, wait, factor, max, jitter, on, methods, retry_after }`.
  mutating func readRetry() -> Retry? {
    guard let written = argument("retry") else { return nil }
    guard Self.repeatable.contains(declaration.verb) else {
      complain(
        .badValue, "'retry' means nothing here: doing it again would end the same way", at: "retry",
        help: "it goes with \(Self.repeatable.joined(separator: " and "))")
      return nil
    }
    let retry: Retry?
    if case .table(let entries) = written {
      retry = readRetry(entries)
    } else {
      retry = integer(written, named: "retry", in: 0...1_000_000).map { Retry(times: $0) }
    }
    if retry != nil { warnOfUnrepeatable(retry) }
    return retry
  }

  private mutating func readRetry(_ entries: [Argument.Entry]) -> Retry? {
    var retry = Retry(times: 0)
    for entry in entries {
      let name = "retry.\(entry.key)"
      switch entry.key {
      case "times": retry.times = integer(entry.value, named: name, in: 0...1_000_000) ?? 0
      case "wait": retry.wait = duration(entry.value, named: name) ?? retry.wait
      case "max": retry.maximum = duration(entry.value, named: name) ?? retry.maximum
      case "retry_after": retry.longestRetryAfter = duration(entry.value, named: name) ?? retry.longestRetryAfter
      case "factor": retry.factor = factor(entry.value, named: name) ?? retry.factor
      case "jitter": retry.hasJitter = boolean(entry.value, named: name) ?? true
      case "on": retry.causes = causes(entry.value)
      case "methods":
        retry.anyMethod = true
        if case .value(let value) = entry.value, value.string == "any" { continue }
        complain(.badValue, "'\(name)' is not \"any\"", at: entry.key, help: "write methods = \"any\", or leave it out")
      default:
        let known = ["factor", "jitter", "max", "methods", "on", "retry_after", "times", "wait"]
        complain(
          .unknownOption, "unknown option '\(name)'", at: entry.key,
          help: didYouMean(entry.key, among: known) ?? "'retry' knows: \(known.joined(separator: ", "))")
      }
    }
    if !entries.contains(where: { $0.key == "times" }) {
      missing("'retry.times'", help: "say when it ends: times = 3 is three more attempts")
    }
    if !entries.contains(where: { $0.key == "max" }) { retry.maximum = max(retry.maximum, retry.wait) }
    if retry.maximum < retry.wait {
      complain(.badValue, "'retry.max' (\(retry.maximum.readable)) is shorter than 'retry.wait'", at: "max")
    }
    return retry
  }

  private mutating func factor(_ argument: Argument, named key: String) -> Double? {
    if case .value(let value) = argument, let number = value.double, (1...1000).contains(number) { return number }
    complain(.badValue, "'\(key)' is not a number from 1 to 1000", at: "factor", help: "factor = 2 doubles every wait")
    return nil
  }

  /// Statuses as in `expect.status`, and names of groups.
  private mutating func causes(_ argument: Argument) -> Retry.Causes {
    var causes = Retry.Causes(statuses: [], groups: [])
    let items: [Argument]
    if case .list(let list) = argument { items = list } else { items = [argument] }
    if items.isEmpty { complain(.badValue, "'retry.on' is empty: nothing would be repeated", at: "on") }
    for item in items {
      if case .value(let value) = item, let text = value.string, !text.hasSuffix("xx") {
        if let group = Retry.Group(rawValue: text) {
          causes.groups.insert(group)
        } else {
          let known = Retry.Group.allCases.map(\.rawValue)
          complain(
            .badValue, "'retry.on' holds \(value)", at: "on",
            help: didYouMean(text, among: known)
              ?? "it takes statuses (503, \"5xx\") and: \(known.joined(separator: ", "))")
        }
      } else {
        causes.statuses += statuses(item, named: "retry.on", at: "on")
      }
    }
    return causes
  }

  /// A plain retry of a POST repeats little: better said before it is needed.
  private mutating func warnOfUnrepeatable(_ retry: Retry?) {
    guard let retry, retry.times > 0, !retry.anyMethod else { return }
    guard let method = ["POST", "PATCH"].first(where: { has($0) }), !has("idempotency_key") else { return }
    warn(
      "\(method) is repeated only when the server was not reached: it may have acted on anything else", at: "retry",
      help: "give it an idempotency_key (true makes one up), or say retry = { methods = \"any\", ... }")
  }
}
