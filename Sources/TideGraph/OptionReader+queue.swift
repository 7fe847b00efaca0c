import TideValue

extension OptionReader {
  mutating func readQueue() -> Queue {
    noInputs()
    let width = integer("width", in: 1...Int64(Int32.max))
    let rate = readRate()
    let trip = readTrip()
    let isPerHost = readPer()
    if declaration.options.allSatisfy({ !["width", "rate", "trip"].contains($0.key) }) {
      missing(
        "'width', 'rate' or 'trip'",
        help:
          "width = 1 makes it a serial queue, width = n lets n of its nodes run at once, rate = \"10/s\" so many a second"
      )
    }
    _ = text("doc")
    finish()
    return Queue(
      name: declaration.name, width: width, rate: rate, isPerHost: isPerHost, trip: trip, place: declaration.place)
  }

  /// `per = "host"`.
  private mutating func readPer() -> Bool {
    guard let per = text("per") else { return false }
    if per != "host" {
      complain(.badValue, "'per' is \"\(per)\"", at: "per", help: "write per = \"host\", or leave it out")
    }
    return true
  }

  /// `rate = "10/s"`, `"100/m"`, `"5/10s"`; with `burst = n` so many may come at once.
  private mutating func readRate() -> Queue.Rate? {
    let burst = integer("burst", in: 1...1_000_000)
    guard let written = argument("rate") else {
      if burst != nil { complain(.badValue, "'burst' means nothing without 'rate'", at: "burst") }
      return nil
    }
    guard case .value(let value) = written, let text = value.string else {
      mismatch("rate", "a text like \"10/s\"", written)
      return nil
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    if parts.count == 2, let count = Int(parts[0]), (1...1_000_000).contains(count),
      let span = Duration(text: parts[1].first?.isNumber == true ? parts[1] : "1\(parts[1])"), span > .zero
    {
      return Queue.Rate(interval: span / count, burst: burst ?? 1)
    }
    complain(
      .badValue, "'rate' is \(value)", at: "rate",
      help: "write so many per time: \"10/s\", \"100/m\", \"1000/h\", \"5/10s\"")
    return nil
  }

  /// `trip = { after = 5, rest = "10s" }`.
  private mutating func readTrip() -> Queue.Trip? {
    guard let written = argument("trip") else { return nil }
    guard case .table(let entries) = written else {
      mismatch("trip", "a table like { after = 5, rest = \"10s\" }", written)
      return nil
    }
    var after: Int?
    var rest: Duration?
    for entry in entries {
      switch entry.key {
      case "after": after = integer(entry.value, named: "trip.after", in: 1...1_000_000)
      case "rest": rest = duration(entry.value, named: "trip.rest")
      default:
        complain(
          .unknownOption, "unknown option 'trip.\(entry.key)'", at: entry.key,
          help: didYouMean(entry.key, among: ["after", "rest"]) ?? "'trip' knows: after, rest")
      }
    }
    for key in ["after", "rest"] where !entries.contains(where: { $0.key == key }) {
      missing("'trip.\(key)'", help: "trip = { after = 5, rest = \"10s\" } rests 10 seconds after 5 failures in a row")
    }
    guard let after, let rest else { return nil }
    return Queue.Trip(after: after, rest: rest)
  }
}
