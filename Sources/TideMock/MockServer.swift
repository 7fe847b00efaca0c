import CMicroHTTPD
import TideBarrier
import TideFixtures
import TideGraph
import TideValue

/// Exchanges as an HTTP server: what answers a workflow from fixtures answers any client.
///
/// Requests match as they do without a network, but for the origin, which is the server's own: `https://api/users` is
/// answered at `/users`. (A client that uses it as a proxy names the origin, and then it counts.) Failures are told as far
/// as a server can: `reset` is RST, `truncated` a body that ends too early, `malformed` no HTTP; `refused`, `dns` and
/// `tls`, which come before a server is reached, reset the connection too; `timeout` and `never` don't answer until the
/// client gives up. What no exchange matches is 404, with the nearest exchange and its difference as the body.
///
/// A header with an empty value is not sent, nor are the fixtures' own `Content-Length` and `Transfer-Encoding`. Any number
/// of clients; everything here may be called from any thread.
public final class MockServer: Sendable {
  /// A request that was answered, or at least decided on.
  public struct Served: Sendable, Hashable {
    public let method: String
    /// Without the query, which may hold what nobody should see.
    public let path: String
    /// The number of the exchange that answers, from 1; nil if none matched, or its list was used up.
    public let exchange: Int?
    /// `200`, or `reset`.
    public let answer: String
    /// Why no exchange answers.
    public let complaint: String?
  }

  public struct CannotStart: Error, Hashable, Sendable {
    public let message: String
    public let help: String?
  }

  /// The port that it listens on.
  public let port: UInt16
  /// Whether only this machine can reach it.
  public let isLoopback: Bool
  private let host: String
  private let desk: Desk

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - port: 0 for one that is free.
  ///   - host: an address of this machine; loopback, unless told otherwise.
  ///   - executor: what delays wait on.
  ///   - served: is told of each request, on the server's thread, one at a time, before its answer is sent.
  /// - Throws: why it can't listen there, or that libmicrohttpd is not installed.
  public init(
    _ fixtures: Fixtures, port: UInt16 = 0, host: String = "127.0.0.1", executor: any Executor,
    served: @escaping @Sendable (Served) -> Void = { _ in }
  ) throws(CannotStart) {
    if let complaint = cmhd_open() {
      throw CannotStart(
        message: "libmicrohttpd can't be used: \(String(cString: complaint))",
        help: "install it: scripts/setup does, or your system's package of it (libmicrohttpd12, libmicrohttpd)")
    }
    guard !host.utf8.contains(0) else { throw CannotStart(message: "the host holds a zero byte", help: nil) }
    desk = Desk(fixtures, executor: executor, served: served)
    var complaint = [CChar](repeating: 0, count: 256)
    guard let server = cmhd_start(host, port, Request.defaultMaximumBytes, desk.delegate, &complaint, complaint.count)
    else {
      let reason = String(decoding: complaint.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      throw CannotStart(
        message: "can't listen on \(host), port \(port): \(reason)",
        help: port == 0 ? nil : "port 0 takes one that is free")
    }
    self.host = host
    self.port = cmhd_port(server)
    isLoopback = cmhd_is_loopback(server)
    desk.open(server)
  }

  deinit {
    stop()
  }

  /// `http://127.0.0.1:8080`.
  public var url: String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)" }

  /// The exchanges that no request has asked for so far, in the order of the file.
  public var unused: [Exchange] { desk.turns.unused }

  /// Ends it, and every request that still waits, without an answer. As often as one likes; not from `served`.
  public func stop() {
    desk.close()
  }
}
