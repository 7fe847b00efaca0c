import TideGraph
import TideValue

/// What an active node is doing, where that takes more than one piece of asynchronous work.
indirect enum Activity: Sendable {
  /// Its `when` function is running.
  case condition
  /// Its request is made, and waits for its permits.
  case inLine(Request, wanted: [Value])
  /// Its request is sent, and waits for its answer.
  case inFlight(wanted: [Value])
  /// A large answer is being read on a worker.
  case reading(Response)
  /// What was read is judged by the script's `expect` function.
  case judging(Reading)
  /// The function of a step that has a `retry` runs.
  case running
  /// An attempt failed, and the next one comes when its time, and its token, have come.
  case backingOff
  /// A `sleep` that has not passed.
  case sleeping
  /// It has not been signalled often enough.
  case awaitingSignal

  /// Whether an attempt has begun and not ended.
  var isAttempt: Bool {
    switch self {
    case .condition, .inLine, .backingOff, .sleeping, .awaitingSignal: false
    case .inFlight, .reading, .judging, .running: true
    }
  }
}

/// An answer that was read: its body, and what `extract` takes from it. Why there is nothing to extract matters only if
/// the answer is accepted.
struct Reading: Sendable {
  let body: Value
  let value: Result<Value, Failure>

  /// Decodes a response, and asks everything of it that needs no Lua.
  ///
  /// - Throws: a response that `expect` does not accept.
  init(_ response: Response, _ spec: RequestSpec, wanted: [Value]) throws(Failure) {
    let body = try spec.accept(response, wanted: wanted)
    self.body = body
    // What is kept for long must not keep all of a large answer alive.
    value = Result { () throws(Failure) in try spec.extracted(from: body).detached() }
  }
}
