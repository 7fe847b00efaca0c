import TideBarrier
import TideGraph
import TideValue

/// A request under way to its answer.
final class Flight: Abortable, Sendable {
  private struct State {
    /// Nil once it was called.
    var completion: (@Sendable (Result<Response, Failure>) -> Void)?
    var timer: (any Timer)?
    var wasAborted = false
  }

  /// What a `timeout` waits for if neither the request nor the fixture says how long.
  static let defaultTimeout = Duration.seconds(30)

  private let executor: any Executor
  private let state: Locked<State>

  init(executor: any Executor, completion: @escaping @Sendable (Result<Response, Failure>) -> Void) {
    self.executor = executor
    state = Locked(State(completion: completion))
  }

  /// Delivers an answer when its time has come, or the request's time limit's.
  func take(_ answer: Answer, to request: Request) {
    let start = executor.now
    let limit = request.timeout
    let delay = answer.delay(limit: limit)
    if let limit, delay.map({ limit < $0 }) ?? true {
      deliver(after: limit) { .failure(Failure.timedOut(after: limit, request)) }
    } else if let delay {
      deliver(after: delay == .zero ? nil : delay) { [executor] in
        answer.result(for: request, elapsed: start.duration(to: executor.now))
      }
    }
  }

  func end(with result: Result<Response, Failure>) {
    deliver(after: nil) { result }
  }

  /// Ends it, soon, with the failure `cancelled`, if its answer does not come first.
  func abort() {
    let timer: (any Timer)?? = state.withLock { state in
      guard state.completion != nil, !state.wasAborted else { return nil }
      state.wasAborted = true
      return .some(state.timer.take())
    }
    guard let timer else { return }
    timer?.cancel()
    executor.submit { self.settle { .failure(Failure(.cancelled, "the request was cancelled")) } }
  }

  private func deliver(after delay: Duration?, _ result: @escaping @Sendable () -> Result<Response, Failure>) {
    guard let delay else { return executor.submit { self.settle(result) } }
    let timer = executor.after(delay) { self.settle(result) }
    state.withLock { state in
      if state.completion != nil { state.timer = timer }
    }
  }

  private func settle(_ result: () -> Result<Response, Failure>) {
    // The timer holds this flight: it is let go outside the lock.
    let (completion, timer) = state.withLock { ($0.completion.take(), $0.timer.take()) }
    _ = consume timer
    completion?(result())
  }
}

extension Answer {
  /// When it comes; nil for never.
  fileprivate func delay(limit: Duration?) -> Duration? {
    switch outcome {
    case .failure(.never, _): nil
    case .failure(.timeout, _): delay ?? limit ?? Flight.defaultTimeout
    default: delay ?? .zero
    }
  }

  fileprivate func result(for request: Request, elapsed: Duration) -> Result<Response, Failure> {
    switch outcome {
    case .failure(.timeout, nil): return .failure(.timedOut(after: elapsed, request))
    case .failure(let name, let message):
      let host = Address(request.url)?.host ?? request.url
      return .failure(Failure(name.kind, message ?? name.message(host: host)))
    case .response(let status, let headers, let body):
      guard body.count <= request.maximumBytes else {
        return .failure(
          Failure(.tooLarge, "the answer has more than \(request.maximumBytes) bytes, which is the limit"))
      }
      return .success(
        Response(status: status, headers: headers, body: body, url: request.url, elapsed: elapsed))
    }
  }
}

extension Failure {
  fileprivate static func timedOut(after limit: Duration, _ request: Request) -> Failure {
    let host = Address(request.url)?.host ?? request.url
    return Failure(.timeout, "\(host) did not answer within \(limit.readable)")
  }
}
