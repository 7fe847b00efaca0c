import TideBarrier
import TideGraph
import TideValue

/// Takes what steps fetch, and answers when the test says so. What it knows the answer to is answered at once.
final class Network: Sendable {
  private struct State {
    var known: [String: Result<Value, Failure>] = [:]
    var open: [Sent] = []
    var sent: [String] = []
    var aborted: [String] = []
    var fetches: [Fetch] = []
  }

  /// A request that nobody has answered.
  private struct Sent {
    let url: String
    let completion: @Sendable (Result<Value, Failure>) -> Void
  }

  private let state = Locked(State())

  /// All URLs, in the order of their sending.
  var sent: [String] { state.withLock { $0.sent } }
  var aborted: [String] { state.withLock { $0.aborted } }
  var open: [String] { state.withLock { $0.open.map(\.url) } }
  var fetches: [Fetch] { state.withLock { $0.fetches } }

  /// From now on `url` is answered so, within the call that sends it.
  func know(_ url: String, _ result: Result<Value, Failure>) {
    state.withLock { $0.known[url] = result }
  }

  /// Answers the requests for `url` that are open, each as often as said.
  func answer(_ url: String, _ result: Result<Value, Failure>, times: Int = 1) {
    let found = state.withLock { state in
      let found = state.open.filter { $0.url == url }
      state.open.removeAll { $0.url == url }
      return found
    }
    for sent in found { for _ in 0..<times { sent.completion(result) } }
  }

  func answer(_ url: String, _ value: String) throws { answer(url, .success(try json(value))) }

  /// Forgets what is open without an answer.
  func lose() {
    let lost = state.withLock { state in
      defer { state.open = [] }
      return state.open
    }
    _ = consume lost
  }

  var fetcher: StepContext.Fetcher {
    { [self] context, fetch, completion in
      let url = "\(fetch.spec.method) \(fetch.spec.url.constant?.string ?? "?")"
      let known = state.withLock { state in
        state.sent.append(url)
        state.fetches.append(fetch)
        if let known = state.known[url] { return known as Result<Value, Failure>? }
        state.open.append(Sent(url: url, completion: completion))
        return nil
      }
      if let known { completion(known) }
      return Request(of: url, on: self)
    }
  }

  private func abort(_ url: String) {
    state.withLock { $0.aborted.append(url) }
    answer(url, .failure(Failure(.cancelled, "aborted")))
  }

  private final class Request: Abortable {
    private let url: String
    private let network: Network

    init(of url: String, on network: Network) {
      self.url = url
      self.network = network
    }

    func abort() { network.abort(url) }
  }
}
