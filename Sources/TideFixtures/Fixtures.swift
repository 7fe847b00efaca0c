import TideGraph
import TideValue

/// Exchanges that stand in for a network. Read from a HAR 1.2, from WireMock's stub mappings, or from a JSON file of their
/// own format (examples/fixtures.schema.json):
///
/// ```json
/// { "exchanges": [
///   { "request":  { "method": "POST", "url": "https://api.example.com/relation/detail", "form": { "uid": "7" } },
///     "response": { "status": 200, "json": { "code": "200", "data": [] }, "delay": "200ms" } },
///   { "request":  { "url": "/relation/reward" }, "responses": [ { "status": 503 }, { "json": [] } ] },
///   { "request":  { "url": "/slow" }, "failure": "timeout" } ] }
/// ```
///
/// A list of exchanges without the object around it will do. Unknown keys are errors.
///
/// **`request`**: `method` (GET if not said, `*` for any), `url`, `query`, `headers`, and one of `form`, `json`,
/// `json_subset`, `json_where`, `body`. A URL written as a path matches any origin. Scheme, host and path must be equal
/// once both are normalised (RFC 3986 section 6.2); in the path `{name}` stands for at least one character and `*` for any
/// number, of one segment, and `**` for any part of the path. The pairs of the query, the URL's own and `query`'s
/// together, must be the request's, in any order, and `"query": true` lets any query match. The others are looked at only
/// if they are given: `form` must have the same pairs in any order, `body` the same text, and each of `headers` must be
/// there. In the values of all three of query, form and headers `*` is any text, and `\*` a star. A name that repeats has
/// a list of values. `json` must be an equal value; of `json_subset` objects may have more fields, and lists more items at
/// their end; `json_where` is a condition: paths, and what must hold there.
///
/// **`response`**: `status` (200 if not said), `headers`, `delay`, and one of `json` (application/json), `text`
/// (text/plain), `body` (a text without a type). One response serves for ever; a list, `responses`, is used up in order,
/// and asking once more is an error. An item of the list may be a failure: `{ "failure": "reset" }`.
///
/// **`failure`**: `refused`, `dns`, `tls`, `timeout`, `reset`, `truncated`, `malformed`, `never`, with a `message` and a
/// `delay` if wanted. `timeout` waits for the request's time limit, or 30 seconds; `never` never answers.
///
/// Of several exchanges that match, the first one serves. A redirect is an answer like any other: nothing follows it.
public struct Fixtures: Sendable {
  /// In the order of the file.
  public let exchanges: [Exchange]
  /// By method and path, where both have to be equal: indices of `exchanges`.
  private let index: [Key: [Int]]
  /// The others: indices of `exchanges`.
  private let unindexed: [Int]
  let hasScenarios: Bool

  private struct Key: Hashable {
    let method: String
    let path: String
  }

  /// - Parameter exchanges: of several that match, the first one serves.
  init(_ exchanges: [Exchange]) {
    self.exchanges = exchanges
    var index: [Key: [Int]] = [:]
    var unindexed: [Int] = []
    for (place, exchange) in exchanges.enumerated() {
      if let method = exchange.request.method, case .equals(let path) = exchange.request.path {
        index[Key(method: method, path: path), default: []].append(place)
      } else {
        unindexed.append(place)
      }
    }
    self.index = index
    self.unindexed = unindexed
    hasScenarios = exchanges.contains { $0.scenario != nil }
  }

  /// The exchanges that match, as indices of `exchanges`, the one that comes first in front; no others where no
  /// scenario can make it step back.
  func matches(_ received: ReceivedRequest) -> [Int] {
    func isMatch(_ place: Int) -> Bool { exchanges[place].request.differences(from: received).isEmpty }
    let indexed = index[Key(method: received.request.method, path: received.address.path)] ?? []
    guard hasScenarios else {
      let first = indexed.first(where: isMatch)
      let other = unindexed.first { $0 >= first ?? .max || isMatch($0) }
      return [first, other].compactMap { $0 }.min().map { [$0] } ?? []
    }
    return (indexed + unindexed).filter(isMatch).sorted()
  }

  /// The exchange that comes nearest, and what it differs in; nil if there is none at all.
  func nearest(to received: ReceivedRequest) -> (exchange: Exchange, differences: [Difference])? {
    var best: (exchange: Exchange, differences: [Difference], weight: Int)?
    for exchange in exchanges {
      let floor = exchange.request.placeDifferences(from: received).reduce(0) { $0 + $1.weight }
      if let best, floor >= best.weight { continue }
      let differences = exchange.request.differences(from: received)
      let weight = differences.reduce(0) { $0 + $1.weight }
      if weight < (best?.weight ?? .max) { best = (exchange, differences, weight) }
    }
    return best.map { ($0.exchange, $0.differences) }
  }

  /// Why no exchange matches, with the nearest one and a few of its differences.
  func unmatched(_ received: ReceivedRequest) -> Failure {
    let title = received.title
    guard let (exchange, differences) = nearest(to: received) else {
      return Failure(.unmatched, "no exchange matches \(title): there are none")
    }
    let shown = differences.prefix(3).map(\.description)
    let more = differences.count > shown.count ? ["and \(differences.count - shown.count) more"] : []
    return Failure(
      .unmatched,
      "no exchange matches \(title); the nearest is exchange \(exchange.number) (\(exchange.title)), which differs in "
        + (shown + more).joined(separator: "; "))
  }
}
