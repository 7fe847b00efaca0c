import TideBarrier
import TideGraph
import TideValue

/// Which answer each request gets: how often each exchange was asked, and which state each scenario is in. From any
/// thread.
package final class Turns: Sendable {
  private struct State {
    /// How often each exchange was asked.
    var asked: [Int]
    /// Scenarios that have left their start.
    var scenarios: [String: String] = [:]
  }

  private let fixtures: Fixtures
  private let state: Locked<State>

  package init(_ fixtures: Fixtures) {
    self.fixtures = fixtures
    state = Locked(State(asked: Array(repeating: 0, count: fixtures.exchanges.count)))
  }

  /// The exchanges that no request has asked for so far, in the order of the file.
  package var unused: [Exchange] {
    let asked = state.withLock { $0.asked }
    return zip(fixtures.exchanges, asked).filter { $0.1 == 0 }.map(\.0).sorted { $0.number < $1.number }
  }

  /// The answer whose turn it is, and the number of the exchange; a failure if none matches (with the nearest one and its
  /// differences), or its list is used up.
  package func take(_ received: ReceivedRequest) -> (exchange: Int?, answer: Result<Answer, Failure>) {
    let matching = fixtures.matches(received)
    let taken: (exchange: Exchange, turn: Int)? = state.withLock { state in
      guard let place = matching.first(where: { isOpen(fixtures.exchanges[$0], state) }) else { return nil }
      let exchange = fixtures.exchanges[place]
      let turn = state.asked[place]
      state.asked[place] += 1
      if let scenario = exchange.scenario, let next = scenario.next { state.scenarios[scenario.name] = next }
      return (exchange, turn)
    }
    guard let taken else { return (nil, .failure(refusal(of: received, matching))) }
    if let answer = taken.exchange.answers[taken.turn] { return (taken.exchange.number, .success(answer)) }
    return (taken.exchange.number, .failure(taken.exchange.usedUp))
  }

  private func isOpen(_ exchange: Exchange, _ state: State) -> Bool {
    guard let scenario = exchange.scenario, let required = scenario.required else { return true }
    return state.scenarios[scenario.name] ?? Exchange.Scenario.start == required
  }

  private func refusal(of received: ReceivedRequest, _ matching: [Int]) -> Failure {
    guard let place = matching.first, let scenario = fixtures.exchanges[place].scenario else {
      return fixtures.unmatched(received)
    }
    let exchange = fixtures.exchanges[place]
    let current = state.withLock { $0.scenarios[scenario.name] ?? Exchange.Scenario.start }
    return Failure(
      .unmatched,
      "no exchange matches \(received.title) now: exchange \(exchange.number) (\(exchange.title)) answers while the "
        + "scenario \(Value(scenario.name).excerpt) is in the state \(Value(scenario.required ?? "").excerpt), and it is "
        + "in \(Value(current).excerpt)")
  }
}

extension Exchange.Answers {
  /// The answer to the request that comes after `turn` others; nil where the list is used up.
  fileprivate subscript(turn: Int) -> Answer? {
    switch self {
    case .always(let answer): answer
    case .inTurn(let answers): answers.indices.contains(turn) ? answers[turn] : nil
    }
  }

  fileprivate var count: Int {
    switch self {
    case .always: 1
    case .inTurn(let answers): answers.count
    }
  }
}

extension Exchange {
  fileprivate var usedUp: Failure {
    let list = answers.count == 1 ? "the list of 1 answer" : "the list of \(answers.count) answers"
    return Failure(
      .unmatched, "\(list) of exchange \(number) (\(title)) is used up",
      help: "a single 'response' in place of 'responses' serves for ever")
  }
}
