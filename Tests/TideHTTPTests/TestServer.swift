import Foundation
import TideBarrier

/// A request as the test server read it.
struct ReceivedRequest: Sendable {
  let method: String
  /// Path and query, as they came.
  let target: String
  /// Names in lower case.
  let headers: [(name: String, value: String)]
  let body: [UInt8]

  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  func count(of name: String) -> Int { headers.count { $0.name == name } }
}

/// A server over plain sockets that does what a test tells it, right or wrong.
final class TestServer: Sendable {
  enum Next {
    /// The next request on this connection is read.
    case keep
    case close
  }

  typealias Behaviour = @Sendable (TestConnection, ReceivedRequest) -> Next

  let port: UInt16
  private let listener: Int32
  private let behaviour: Behaviour
  private let greeting: String
  private let requestLog = Locked<[ReceivedRequest]>([])
  private let open = Locked<[TestConnection]>([])
  private let accepted = Locked(0)
  private let threads = DispatchGroup()

  /// - Parameter greeting: what every connection is told before it asks.
  init(greeting: String = "", _ behaviour: @escaping Behaviour) throws {
    let (listener, port) = try listenOnLoopback(backlog: 256)
    self.listener = listener
    self.port = port
    self.behaviour = behaviour
    self.greeting = greeting
    inThread { self.accept() }
  }

  /// A server that gives every request the same answer and keeps its connections.
  convenience init(answer: String) throws {
    try self.init { connection, _ in
      connection.write(answer)
      return .keep
    }
  }

  var url: String { "http://127.0.0.1:\(port)" }
  var requests: [ReceivedRequest] { requestLog.withLock { $0 } }
  /// How many connections there ever were.
  var connectionCount: Int { accepted.withLock { $0 } }
  /// How many connections the other side has open.
  var openCount: Int { open.withLock { $0.count } }

  /// Ends everything, and waits for its threads.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    for connection in open.withLock({ $0 }) { connection.interrupt() }
    threads.wait()
    close(listener)
  }

  private func inThread(_ body: @escaping @Sendable () -> Void) {
    threads.enter()
    Thread.detachNewThread {
      body()
      self.threads.leave()
    }
  }

  private func accept() {
    while true {
      let socket = Foundation.accept(listener, nil, nil)
      guard socket >= 0 else { return }
      let connection = TestConnection(socket)
      accepted.withLock { $0 += 1 }
      open.withLock { $0.append(connection) }
      inThread { self.serve(connection) }
    }
  }

  private func serve(_ connection: TestConnection) {
    connection.write(greeting)
    while let request = connection.readRequest() {
      requestLog.withLock { $0.append(request) }
      guard behaviour(connection, request) == .keep else { break }
    }
    open.withLock { $0.removeAll { $0 === connection } }
    connection.end()
  }
}

/// A socket that listens on a free port of 127.0.0.1.
func listenOnLoopback(backlog: Int32) throws -> (socket: Int32, port: UInt16) {
  let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isListening = withUnsafeMutablePointer(to: &address) { address in
    address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
      bind(listener, address, size) == 0 && listen(listener, backlog) == 0 && getsockname(listener, address, &size) == 0
    }
  }
  guard isListening else { throw POSIXError(.EADDRINUSE) }
  return (listener, UInt16(bigEndian: address.sin_port))
}

/// A port of 127.0.0.1 at which nobody listens.
func unusedPort() throws -> UInt16 {
  let (socket, port) = try listenOnLoopback(backlog: 1)
  close(socket)
  return port
}

func closeSocket(_ socket: Int32) { close(socket) }

/// Has the thread of a connection do nothing for a while.
func pause(milliseconds: Int) { Thread.sleep(forTimeInterval: Double(milliseconds) / 1000) }
