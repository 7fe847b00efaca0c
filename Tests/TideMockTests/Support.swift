import Foundation
import TideBarrier
import TideFixtures
import TideGraph
import TideHTTP
import TideMock
import TideValue

/// A server over exchanges, and a transport to ask it with.
final class MockBench: Sendable {
  let server: MockServer
  private let transport: CurlTransport
  private let lines = Locked<[String]>([])

  init(
    _ json: String, port: UInt16 = 0, host: String = "127.0.0.1", executor: any Executor = DispatchExecutor()
  ) throws {
    var options = CurlTransport.Options()
    options.usesEnvironmentProxies = false
    transport = CurlTransport(options: options)
    server = try MockServer(
      try Fixtures.parse(file: "fixtures.json", text: json), port: port, host: host, executor: executor
    ) { [lines] served in
      let exchange = served.exchange.map { " exchange \($0)" } ?? ""
      lines.withLock { $0.append("\(served.method) \(served.path) \(served.answer)\(exchange)") }
    }
  }

  deinit {
    transport.shutdown()
    server.stop()
  }

  var url: String { server.url }
  /// What the server was asked, and how it answered.
  var served: [String] { lines.withLock { $0 } }

  func waitUntilServed(_ count: Int) async throws {
    while served.count < count { try await Task.sleep(for: .milliseconds(1)) }
  }

  func answer(to request: Request) async -> Result<Response, Failure> {
    let arrived = Locked<Result<Response, Failure>?>(nil)
    await withCheckedContinuation { continuation in
      _ = transport.send(request) { result in
        arrived.withLock { $0 = result }
        continuation.resume()
      }
    }
    return arrived.withLock { $0 } ?? .failure(Failure(.lost, "nothing arrived"))
  }
}

extension Response {
  var text: String { String(decoding: body.bytes, as: UTF8.self) }
}

/// An executor whose timers fire when a test says so.
final class ManualExecutor: Executor {
  struct Waiting: Sendable {
    let delay: Duration
    let work: @Sendable () -> Void
  }

  private let inner = DispatchExecutor()
  private let waiting = Locked<[Waiting]>([])

  var now: Instant { inner.now }
  var burst: Int { inner.burst }
  func submit(_ work: @escaping @Sendable () -> Void) { inner.submit(work) }
  func lane(_ drain: @escaping @Sendable () -> Void) -> any Lane { inner.lane(drain) }
  func barrier(on lane: any Lane, opened: @escaping @Sendable () -> Void) -> any Barrier {
    inner.barrier(on: lane, opened: opened)
  }

  func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> any TideBarrier.Timer {
    waiting.withLock { $0.append(Waiting(delay: delay, work: work)) }
    return Nothing()
  }

  func firstTimer() async throws -> Waiting {
    while true {
      if let first = waiting.withLock({ $0.first }) { return first }
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  private struct Nothing: TideBarrier.Timer {
    func cancel() {}
  }
}

/// Sends bytes to a port of loopback, and gives what comes back until the server closes, or for a second is silent.
func exchange(with port: UInt16, _ text: String) async throws -> String {
  // On a thread of its own: it blocks.
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try exchangeBlocking(port, text) }) }
  }
}

private func exchangeBlocking(_ port: UInt16, _ text: String) throws -> String {
  let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  guard socket >= 0 else { throw POSIXError(.EMFILE) }
  defer { close(socket) }
  var limit = timeval(tv_sec: 1, tv_usec: 0)
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  let connected = withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  guard connected == 0 else { throw POSIXError(.ECONNREFUSED) }
  let bytes = Array(text.utf8)
  _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  shutdown(socket, Int32(SHUT_WR))
  var answer: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 4096)
  while case let count = recv(socket, &chunk, chunk.count, 0), count > 0 { answer += chunk[..<count] }
  return String(decoding: answer, as: UTF8.self)
}
