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

  private let executor: any Executor
  private let turns: Turns
  private let made = Locked<[Made]>([])

  public init(_ fixtures: Fixtures, executor: any Executor) {
    self.executor = executor
    turns = Turns(fixtures)
  }

  /// The exchanges that no request has asked for so far, in the order of the file.
  public var unused: [Exchange] { turns.unused }

  /// The requests made so far, in the order in which they were sent.
  public var log: [Made] { made.withLock { $0 } }

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
      note(request, exchange: nil)
      return .failure(Failure(.request, "\(Value(request.url).excerpt) is no URL"))
    }
    // Taken and noted under one lock, so that the log tells the order in which turns were taken.
    return made.withLock { made in
      let (exchange, answer) = turns.take(received)
      let served = if case .success = answer { exchange } else { Int?.none }
      made.append(Made(method: request.method, url: request.url, exchange: served))
      return answer
    }
  }

  private func note(_ request: Request, exchange: Int?) {
    made.withLock { $0.append(Made(method: request.method, url: request.url, exchange: exchange)) }
  }
}
