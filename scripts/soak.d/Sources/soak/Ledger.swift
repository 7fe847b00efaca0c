import Tidegate

/// How a request that was sent has ended, as its transport says.
enum Ending: UInt8, CaseIterable {
  case open, ok, status, timeout, reset, truncated, malformed, connect, cancelled, other

  init(_ result: Result<Response, Failure>) {
    switch result {
    case .success(let response): self = (200..<300).contains(response.status) ? .ok : .status
    case .failure(let failure): self.init(failure)
    }
  }

  init(_ failure: Failure?) {
    switch failure?.kind {
    case nil: self = .ok
    case .status?: self = .status
    case .timeout?: self = .timeout
    case .reset?: self = .reset
    case .truncated?: self = .truncated
    case .malformed?: self = .malformed
    case .connect?: self = .connect
    case .cancelled?: self = .cancelled
    default: self = .other
    }
  }
}

/// Every request that was sent, by number, from 0.
final class Ledger: Sendable {
  private struct State {
    var endings: [UInt8] = []
    var open = 0
    var endedTwice = 0
  }

  private let state = Locked(State())

  /// One byte a request, taken at once, so that what grows is the engine's.
  init(capacity: Int) {
    state.withLock { $0.endings.reserveCapacity(capacity) }
  }

  /// The number of the request that is about to be sent.
  func begin() -> Int {
    state.withLock { state in
      state.endings.append(Ending.open.rawValue)
      state.open += 1
      return state.endings.count - 1
    }
  }

  func end(_ number: Int, _ ending: Ending) {
    state.withLock { state in
      if state.endings[number] == Ending.open.rawValue { state.open -= 1 } else { state.endedTwice += 1 }
      state.endings[number] = ending.rawValue
    }
  }

  var open: Int { state.withLock { $0.open } }
  var endedTwice: Int { state.withLock { $0.endedTwice } }
  var count: Int { state.withLock { $0.endings.count } }
  var endings: [Ending] { state.withLock { $0.endings.map { Ending(rawValue: $0) ?? .other } } }
}

/// The network of one run: numbers its requests and writes down how each ends.
final class CountedTransport: Transport {
  private let network: any Transport
  private let ledger: Ledger
  private let sent = Locked(0)

  init(_ network: any Transport, _ ledger: Ledger) {
    self.network = network
    self.ledger = ledger
  }

  /// How many requests the run has sent.
  var count: Int { sent.withLock { $0 } }

  func send(_ request: Request, completion: @escaping @Sendable (Result<Response, Failure>) -> Void) -> any Abortable {
    let number = ledger.begin()
    sent.withLock { $0 += 1 }
    var request = request
    request.headers.append(NamedText("Soak-Number", "\(number)"))
    return network.send(request) { [ledger] result in
      ledger.end(number, Ending(result))
      completion(result)
    }
  }
}
