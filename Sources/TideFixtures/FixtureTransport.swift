import TideBarrier
import TideGraph
import TideValue

/// Answers requests from fixtures. It never touches the network.
///
/// Answers are submitted to the executor, delayed ones put on its timers: in which order they arrive is the executor's
/// choice. Any number of threads may send; which answer of a list a request gets is decided when it is sent.
public final class FixtureTransport: Transport, Sendable {
  /// A request that was made.
  public struct Made: Sendable, Hashable {
    public let method: String
    public let url: String
    /// The number of the exchange that answered it, from 1; nil if none matched, or its list was used up.
    public let exchange: Int?
  }

  private struct State {
    /// How often each exchange was asked.
    var asked: [Int]
    var log: [Made] = []
  }

  private let fixtures: Fixtures
  private let executor: any Executor
  private let state: Locked<State>

  public init(_ fixtures: Fixtures, executor: any Executor) {
    self.fixtures = fixtures
    self.executor = executor
    state = Locked(State(asked: Array(repeating: 0, count: fixtures.exchanges.count)))
  }

  /// The exchanges that no request has asked for so far, in the order of the file.
  public var unused: [Exchange] {
    let asked = state.withLock { $0.asked }
    return zip(fixtures.exchanges, asked).filter { $0.1 == 0 }.map(\.0)
  }

  /// The requests made so far, in the order in which they were sent.
  public var log: [Made] { state.withLock { $0.log } }

  public func send(
    _ request: Request, completion: @escaping @Sendable (Result<Response, Failure>) -> Void
  ) -> any Abortable {
    let flight = Flight(executor: executor, completion: completion)
    switch answer(to: request) {
    case .success(let answer): flight.take(answer, to: request)
    case .failure(let failure): flight.end(with: .failure(failure))
    }
    return flight
  }

  private func answer(to request: Request) -> Result<Answer, Failure> {
    guard let received = ReceivedRequest(request) else {
      state.withLock { $0.log.append(Made(method: request.method, url: request.url, exchange: nil)) }
      return .failure(Failure(.request, "\(Value(request.url).excerpt) is no URL"))
    }
    guard let place = fixtures.match(received) else {
      state.withLock { $0.log.append(Made(method: request.method, url: request.url, exchange: nil)) }
      return .failure(fixtures.unmatched(received))
    }
    let exchange = fixtures.exchanges[place]
    let turn = state.withLock { state in
      let turn = state.asked[place]
      state.asked[place] += 1
      let isServed = exchange.answers[turn] != nil
      state.log.append(Made(method: request.method, url: request.url, exchange: isServed ? exchange.number : nil))
      return turn
    }
    if let answer = exchange.answers[turn] { return .success(answer) }
    return .failure(exchange.usedUp)
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
