import TideGraph
import TideValue

/// What a fake does when it is asked to send a request or to run a function.
enum Act: Sendable {
  case answer(Value, after: Duration = .zero)
  case fail(String, after: Duration = .zero)
  case compute(@Sendable ([Value]) -> Result<Value, Failure>)
  /// An answer with a status and a body as they stand.
  case respond(Int, String, type: String = "application/json", after: Duration = .zero)
  case refuse(Failure)
  /// An answer that says when to come again.
  case busy(Int, retryAfter: String)
  /// One after the other; the last one for ever.
  indirect case inTurn([Act])
  /// A step that fetches from a URL, and gives what it got.
  case fetch(Fetch)
  /// Calls back before it has returned.
  case atOnce(Value)
  /// Calls back once more than it should.
  case twice(Value, Value)
  /// Keeps the completion, and leaves it to the test to call it.
  case hold
  /// Lets the completion go without a call.
  case drop
}
