import TideGraph
import TideValue

/// What an active node is doing, where that takes more than one piece of asynchronous work.
enum Activity: Sendable {
  /// Its `when` function is running.
  case condition
  /// Its request is made, and waits for its permits or its answer.
  case request(Request, wanted: [Value])
  /// Its answer is being read on a worker, or judged by the script's `expect` function.
  case reading(Response)
  case judging(body: Value)
}
