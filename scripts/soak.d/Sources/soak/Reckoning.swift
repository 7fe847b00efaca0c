import TideHTTP
import Tidegate

/// What came of it: tables for people, and what does not add up.
struct Verdict {
  var text = ""
  var faults: [String] = []
}

/// A request as the server saw it.
private struct Sighting {
  let number: Int?
  let deed: String
  /// Whether twice is as good as once.
  let isHarmless: Bool
}

extension Soak {
  /// What the server did about a request, and how such a request may end. Whoever waits may always give up before.
  private static let possible: [(deed: String, ending: Ending)] = [
    ("ok", .ok), ("broken", .status), ("busy", .status), ("stall", .timeout), ("reset", .reset),
    ("truncated", .truncated), ("garbage", .malformed), ("never reached it", .connect),
  ]

  /// Compares what the engine says, what the transport says and what the server has seen.
  func reckon() throws -> Verdict {
    var verdict = Verdict()
    verdict.faults += total.complaints
    if ledger.endedTwice > 0 { verdict.faults.append("\(ledger.endedTwice) requests ended twice") }
    if total.attempts - total.tripped != ledger.count {
      verdict.faults.append("\(total.attempts) attempts less \(total.tripped) tripped are not \(ledger.count) requests")
    }
    verdict.text += runTable()
    compare(deeds(try serverLedger(), &verdict), &verdict)
    compareEndings(&verdict)
    reckonResources(&verdict)
    verdict.text += verdict.faults.isEmpty ? "\nEverything adds up." : "\nWhat does not add up:\n"
    for fault in verdict.faults { verdict.text += "- \(fault)\n" }
    return verdict
  }

  private func runTable() -> String {
    let ended = statuses.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    return """

      | runs | \(runs): \(ended); \(cancels) were cancelled on their way |
      | --- | --- |
      | nodes that ended | \(total.nodesEnded) |
      | attempts | \(total.attempts), of them \(total.tripped) not sent since a breaker rested |
      | requests sent | \(ledger.count) |
      | late answers, dropped | \(total.late) |

      """
  }

  /// Once all connections are closed: numbers with what was done about them.
  private func serverLedger() throws -> [Sighting] {
    var options = CurlTransport.Options()
    options.usesEnvironmentProxies = false
    let transport = CurlTransport(options: options)
    defer { transport.shutdown() }
    let arrival = Completion<Result<Response, Failure>>()
    _ = transport.send(Request(method: "GET", url: "http://127.0.0.1:\(port)/ledger")) { arrival.complete($0) }
    let response = try arrival.wait(allowingMainQueue: true).get()
    return String(decoding: response.body.bytes, as: UTF8.self).split(separator: "\n").map { line in
      let words = line.split(separator: " ")
      return Sighting(number: Int(words[0]), deed: String(words[1]), isHarmless: words[2] == "again")
    }
  }

  /// What was done about each request in the end. One that came twice may do so only where the first time a kept
  /// connection was reset under it, and twice is as good as once.
  private func deeds(_ seen: [Sighting], _ verdict: inout Verdict) -> [String?] {
    var deeds = [String?](repeating: nil, count: ledger.count)
    var repeats = 0
    for sighting in seen {
      guard let number = sighting.number, deeds.indices.contains(number) else {
        verdict.faults.append("the server has seen a request that nobody sent")
        continue
      }
      if let before = deeds[number] {
        repeats += 1
        if before != "reset" || !sighting.isHarmless {
          verdict.faults.append("request \(number) came twice: '\(before)', then '\(sighting.deed)'")
        }
      }
      deeds[number] = sighting.deed
    }
    verdict.text += """
      | seen by the server | \(seen.count), of them \(repeats) idempotent ones again, on another connection |

      """
    return deeds
  }

  private func compare(_ deeds: [String?], _ verdict: inout Verdict) {
    let endings = ledger.endings
    let columns = Ending.allCases
    var table = "\n| what the server did | requests | \(columns.map { "\($0)" }.joined(separator: " | ")) |\n"
    table += "| --- |" + String(repeating: " ---: |", count: columns.count + 1) + "\n"
    for (deed, ending) in Self.possible {
      var counts = [Int](repeating: 0, count: columns.count)
      for (index, found) in deeds.enumerated() where (found ?? "never reached it") == deed {
        counts[Int(endings[index].rawValue)] += 1
      }
      table += "| \(deed) | \(counts.reduce(0, +)) | \(counts.map { "\($0)" }.joined(separator: " | ")) |\n"
      for column in columns where counts[Int(column.rawValue)] > 0 && ![ending, .timeout, .cancelled].contains(column) {
        verdict.faults.append("\(counts[Int(column.rawValue)]) requests ended '\(column)' whose deed was '\(deed)'")
      }
    }
    verdict.text += table
  }

  /// What the engine says of its attempts, beside what the transport says of its requests: an answer that came too late
  /// for the engine is the transport's, and never the other way round.
  private func compareEndings(_ verdict: inout Verdict) {
    let endings = ledger.endings
    var table = "\n| ending | attempts, says the engine | requests, says the transport |\n| --- | ---: | ---: |\n"
    for ending in Ending.allCases {
      let attempts = total.endings[Int(ending.rawValue)]
      let requests = endings.count { $0 == ending }
      table += "| \(ending) | \(attempts) | \(requests) |\n"
      if attempts > requests, ![.timeout, .cancelled].contains(ending) {
        verdict.faults.append("\(attempts) attempts ended '\(ending)', and \(requests) requests")
      }
    }
    if total.endings.reduce(0, +) + total.tripped != total.attempts {
      verdict.faults.append("not every attempt has ended")
    }
    verdict.text += table
  }

  private func reckonResources(_ verdict: inout Verdict) {
    let (start, middle, end) = (0.1...0.2, 0.45...0.55, 0.9...1.0)
    let left = Sample.now()
    var table = "\n| with nothing running | start | middle | end | most | all closed |\n"
    table += "| --- | ---: | ---: | ---: | ---: | ---: |\n"
    func row(_ name: String, _ key: KeyPath<Sample, Int>, per unit: Int, growth: Int) {
      let values = [start, middle, end].map { course.median($0, of: key) }
      let shown = values + [course.most(0...1, of: key), left[keyPath: key]]
      table += "| \(name) | " + shown.map { "\($0 / unit)" }.joined(separator: " | ") + " |\n"
      if values[2] - values[0] > growth {
        verdict.faults.append("\(name): \(values[0] / unit), then \(values[2] / unit)")
      }
    }
    // Each thread of Dispatch's keeps up to 1,024 pieces of 64 bytes for later, which fill within the first thousand runs.
    let kept = runs < 5_000 ? course.most(0...1, of: \.threads) * (80 << 10) : 0
    row("allocated, KB", \.allocated, per: 1024, growth: (512 << 10) + kept)
    row("resident, KB", \.resident, per: 1024, growth: 4 << 20)
    row("threads", \.threads, per: 1, growth: 4)
    row("descriptors", \.descriptors, per: 1, growth: 8)
    if left.descriptors > baseline.descriptors + 4 {
      verdict.faults.append(
        "\(left.descriptors) descriptors are open, \(baseline.descriptors) were before the first run")
    }
    verdict.text += table
  }
}
