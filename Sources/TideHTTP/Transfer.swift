import CCurl
import TideGraph

/// A request on its way, with all its redirects.
///
/// Whoever sent it may abort it from any thread; everything else belongs to the transport's thread once it is posted.
final class Transfer: Abortable, @unchecked Sendable {
  enum Phase {
    /// Not sent yet.
    case waiting
    /// libcurl has it; the index is its place among the active ones.
    case active(UnsafeMutablePointer<ccurl_transfer>, index: Int)
    case ended
  }

  private let mailbox: Mailbox
  private var completion: (@Sendable (Result<Response, Failure>) -> Void)?
  /// What is to be sent next: redirects change it.
  var request: Request
  var phase = Phase.waiting
  /// When its turn came.
  var start: Int64 = 0
  var redirects = 0

  init(_ request: Request, mailbox: Mailbox, completion: @escaping @Sendable (Result<Response, Failure>) -> Void) {
    self.request = request
    self.mailbox = mailbox
    self.completion = completion
  }

  /// A mailbox that refuses has ended the transfer already, or is about to.
  func abort() {
    _ = mailbox.post(.abort(self))
  }

  /// Tells the result, and lets go of whatever the completion holds. Only the first one counts.
  func end(_ result: Result<Response, Failure>) {
    phase = .ended
    guard let completion = completion.take() else { return }
    request.body = nil
    completion(result)
  }
}
